"""KT208: an expression uses what only some jq engines have."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.facts import forbidden
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each such function or variable; what works in all but not alike is KT230."""
    for expr, violation in forbidden(ctx, "not-in-both-engines", fatal=True):
        yield Finding(at=expr.at, within=violation.span, message=violation.message, help=violation.help)


RULE = Rule(
    code="KT208",
    name="not-in-every-engine",
    severity=Severity.ERROR,
    summary="An expression uses what only some jq engines have.",
    why="It works where you try it by hand and fails for consumers, or the other way round.",
    source="gojq 0.12.19 and libjq 1.8 compared",
    check=check,
)
