"""KT202: an expression uses a variable or label that nothing binds."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.facts import forbidden
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each use of an unbound variable or label."""
    for expr, violation in forbidden(ctx, "unknown-variable", "unknown-label"):
        yield Finding(at=expr.at, within=violation.span, message=violation.message, help=violation.help)


RULE = Rule(
    code="KT202",
    name="unknown-variable",
    severity=Severity.ERROR,
    summary="An expression uses a variable or label that nothing binds.",
    why="Validation does not compile expressions, so the mistake shows when the first object is read.",
    source="gojq 0.12.19; semantics Q37",
    check=check,
)
