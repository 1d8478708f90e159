"""KT217: a regular expression has a flag that consumers refuse."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.jq import ast as jq
from kartatest.lint.facts import called, parsed
from kartatest.lint.rule import Finding, LintContext, Rule

FLAGS_AT = {"test": 1, "match": 1, "capture": 1, "scan": 1, "split": 1, "splits": 1, "sub": 2, "gsub": 2}


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each literal flags argument with other letters than g and i."""
    for expr, _ in parsed(ctx):
        for call in called(ctx, expr):
            at = FLAGS_AT.get(call.name)
            if at is None or len(call.args) <= at:
                continue
            flags = call.args[at]
            if not (isinstance(flags, jq.Literal) and isinstance(flags.value, str)):
                continue
            if wrong := sorted(set(flags.value) - set("gi")):
                yield Finding(
                    at=expr.at,
                    within=flags.span,
                    message=f"flag {', '.join(map(repr, wrong))} of `{call.name}` is unknown to consumers",
                    help="use only `g` (all matches) and `i` (any case)",
                )


RULE = Rule(
    code="KT217",
    name="regex-flag",
    severity=Severity.ERROR,
    summary="A regular expression has a flag that consumers refuse.",
    why="The engine of consumers knows the flags `g` and `i`; any other fails when it is run.",
    source="gojq 0.12.19",
    check=check,
)
