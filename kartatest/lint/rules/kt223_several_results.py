"""KT223: an expression of which only the first result counts can give several."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Expr, Use
from kartatest.diagnostics import Severity
from kartatest.jq.count import count
from kartatest.lint.facts import parsed, violations
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.typing import inferred


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each status expression or phase that can give more than one result."""
    for expr, tree in parsed(ctx, Use.MATCHER, Use.PHASE):
        endless = any(violation.kind == "unbounded" for violation in violations(ctx, expr))
        if count(tree).several and not endless and not _is_single(ctx, expr):
            yield Finding(
                at=expr.at,
                message="can give several results, and only the first counts",
                help=(
                    "wrap it in `any(...)` or `all(...)`, or take `first(...)`"
                    if expr.use is Use.MATCHER
                    else "take one on purpose: `first(...)` or `last(...)`"
                ),
            )


def _is_single(ctx: LintContext, expr: Expr) -> bool:
    """Whether the types tell that there is one result at most."""
    found = inferred(ctx, expr)
    return found is not None and not found.count.several


RULE = Rule(
    code="KT223",
    name="several-results",
    severity=Severity.WARNING,
    summary="An expression of which only the first result counts can give several.",
    why="Consumers look at the first result alone, so the rest of the list has no say.",
    source="semantics 6.2, Q11",
    check=check,
)
