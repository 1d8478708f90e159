"""KT209: an expression defines functions and then does nothing."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.facts import forbidden
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each program without a body."""
    for expr, violation in forbidden(ctx, "no-body"):
        yield Finding(at=expr.at, message=violation.message, help=violation.help)


RULE = Rule(
    code="KT209",
    name="only-defines",
    severity=Severity.ERROR,
    summary="An expression defines functions and then does nothing.",
    why="It parses, but the engine of consumers does not compile it.",
    source="gojq 0.12.19",
    check=check,
)
