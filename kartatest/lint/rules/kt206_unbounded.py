"""KT206: an expression need not end, or can give any number of results."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.facts import forbidden
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each loop, recursion and range without a bound."""
    for expr, violation in forbidden(ctx, "unbounded"):
        yield Finding(at=expr.at, within=violation.span, message=violation.message, help=violation.help)


RULE = Rule(
    code="KT206",
    name="unbounded",
    severity=Severity.ERROR,
    summary="An expression need not end, or can give any number of results.",
    why="Consumers stop it by their limits of time and results, and then the workload is not read.",
    source="semantics 3.1, Q36",
    check=check,
)
