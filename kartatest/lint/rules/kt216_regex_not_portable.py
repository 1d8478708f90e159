"""KT216: a regular expression uses what the engine of consumers does not know."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.jq import ast as jq
from kartatest.lint.facts import called, parsed
from kartatest.lint.rule import Finding, LintContext, Rule

PATTERN_CALLS = {"test", "match", "capture", "scan", "split", "splits", "sub", "gsub"}


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each literal pattern that RE2 refuses, or that only RE2 takes."""
    for expr, _ in parsed(ctx):
        for call in called(ctx, expr):
            if call.name not in PATTERN_CALLS or not call.args or (call.name == "split" and len(call.args) == 1):
                continue
            pattern = call.args[0]
            if not (isinstance(pattern, jq.Literal) and isinstance(pattern.value, str)):
                continue
            if fault := _fault(pattern.value):
                yield Finding(
                    at=expr.at,
                    within=pattern.span,
                    message=f"regular expression {pattern.value!r} does not work: {fault}",
                    help="use what RE2 has: groups, classes, alternatives, `(?i)`, and `(?<name>...)` to name a group",
                )


def _fault(pattern: str) -> str:
    """Why not every engine takes it; "" when it is fine."""
    import re2

    if "(?P<" in pattern:
        return "only some jq engines know `(?P<`"
    options = re2.Options()
    options.log_errors = False
    try:
        re2.compile(pattern, options)
    except re2.error as error:
        text = error.args[0] if error.args else ""
        return text.decode() if isinstance(text, bytes) else str(text)
    return ""


RULE = Rule(
    code="KT216",
    name="regex-not-portable",
    severity=Severity.ERROR,
    summary="A regular expression uses what the engine of consumers does not know.",
    why=(
        "Consumers match with RE2, which has no look-around, back-references, atomic groups or possessive "
        "quantifiers; the expression fails when it is run."
    ),
    source="gojq 0.12.19 (RE2); libjq 1.8 (Oniguruma) for `(?P<`",
    check=check,
)
