"""KT210: an expression is empty."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each expression without text."""
    for expr in ctx.expressions:
        if not expr.text.strip():
            field = expr.at[-1] if isinstance(expr.at[-1], str) else expr.use.value
            yield Finding(
                at=expr.at,
                message=f"`{field}` is empty, which fails when it is run",
                help="write the expression, or leave the field out",
            )


RULE = Rule(
    code="KT210",
    name="empty-expression",
    severity=Severity.ERROR,
    summary="An expression is empty.",
    why=(
        "An empty path counts as present, passes validation and fails when it is run: what it should give is "
        "never found."
    ),
    source="semantics Q43",
    check=check,
)
