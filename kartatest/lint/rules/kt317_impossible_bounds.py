"""KT317: the constant bounds of a scale exclude each other."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Expr
from kartatest.diagnostics import Severity
from kartatest.jq import ast as jq
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each scale whose literal minimum or replicas are above its literal maximum."""
    for component in ctx.definition.components:
        scale = component.scale
        if scale is None:
            continue
        low, middle, high = (_literal(ctx, e) for e in (scale.min_replicas, scale.replicas, scale.max_replicas))
        if low is not None and high is not None and low > high and scale.min_replicas is not None:
            yield Finding(
                at=scale.min_replicas.at,
                message=f"the minimum {low} is above the maximum {high}",
                help="swap them",
            )
        elif middle is not None and high is not None and middle > high and scale.replicas is not None:
            yield Finding(
                at=scale.replicas.at,
                message=f"the replicas {middle} are above the maximum {high}",
                help="raise `maxReplicasPath`",
            )


def _literal(ctx: LintContext, expr: Expr | None) -> float | None:
    tree = ctx.trees.get(expr.at) if expr is not None else None
    if isinstance(tree, jq.Literal) and not isinstance(tree.value, str):
        return tree.value
    return None


RULE = Rule(
    code="KT317",
    name="impossible-bounds",
    severity=Severity.ERROR,
    summary="The constant bounds of a scale exclude each other.",
    why="No replica count lies between them.",
    source="semantics 1.2, scaleDefinition",
    check=check,
)
