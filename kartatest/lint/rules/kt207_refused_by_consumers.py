"""KT207: an expression uses what the validator of consumers refuses by name."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.facts import forbidden
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each `..` and each call of a refused name, a definition's own functions included."""
    for expr, violation in forbidden(ctx, "refused-by-consumers"):
        yield Finding(at=expr.at, within=violation.span, message=violation.message, help=violation.help)


RULE = Rule(
    code="KT207",
    name="refused-by-consumers",
    severity=Severity.ERROR,
    summary="An expression uses what the validator of consumers refuses by name.",
    why=("One such name anywhere makes the whole definition invalid, and no workload of its kind is read."),
    source="semantics 2.5",
    check=check,
)
