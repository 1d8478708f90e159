"""KT230: an expression means different things in different jq engines."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.facts import forbidden
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each construct that every engine takes, and not alike."""
    for expr, violation in (
        *forbidden(ctx, "not-in-both-engines", fatal=False),
        *forbidden(ctx, "unknown-format"),
    ):
        yield Finding(at=expr.at, within=violation.span, message=violation.message, help=violation.help)


RULE = Rule(
    code="KT230",
    name="engine-difference",
    severity=Severity.WARNING,
    summary="An expression means different things in different jq engines.",
    why="What you try by hand is not what consumers run.",
    source="gojq 0.12.19 and libjq 1.8 compared",
    check=check,
)
