"""KT201: an expression calls a function that the engine of consumers does not have."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.facts import forbidden, slips
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each call of an unknown function, except where KT213 to KT215 know what was meant."""
    for expr, violation in forbidden(ctx, "unknown-function"):
        if any(slip.span.start <= violation.span.start < slip.span.end for slip in slips(ctx, expr)):
            continue
        yield Finding(at=expr.at, within=violation.span, message=violation.message, help=violation.help)


RULE = Rule(
    code="KT201",
    name="unknown-function",
    severity=Severity.ERROR,
    summary="An expression calls a function that the engine of consumers does not have.",
    why="Validation does not compile expressions, so the mistake shows when the first object is read.",
    source="gojq 0.12.19; semantics Q37",
    check=check,
)
