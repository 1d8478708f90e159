"""KT204: an expression assigns or deletes."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.facts import forbidden
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each assignment operator and each call that changes its input."""
    for expr, violation in forbidden(ctx, "assignment", "deletion"):
        yield Finding(at=expr.at, within=violation.span, message=violation.message, help=violation.help)


RULE = Rule(
    code="KT204",
    name="changes-object",
    severity=Severity.ERROR,
    summary="An expression assigns or deletes.",
    why=(
        "Expressions only read; consumers refuse a definition that changes the object, wherever in the "
        "program that stands."
    ),
    source="semantics 2.5, Q36",
    check=check,
)
