"""KT304: a path gives one value for each element of a list, but the component has no instanceIdPath."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.jq.count import count
from kartatest.lint.facts import called, scale_exprs, spec_exprs
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each path that iterates in a component without ids; a `select` may leave just one."""
    for component in ctx.definition.components:
        if component.instance_ids is not None:
            continue
        for expr in (*spec_exprs(component), *scale_exprs(component)):
            tree = ctx.trees.get(expr.at)
            if tree is None or any(call.name == "select" for call in called(ctx, expr)):
                continue
            if count(tree).several:
                yield Finding(
                    at=expr.at,
                    message=f"can give several values, but component {component.name!r} has one instance",
                    help="add `instanceIdPath` and `podSelector.componentInstanceSelector`, or add the values up",
                )


RULE = Rule(
    code="KT304",
    name="iteration-without-ids",
    severity=Severity.ERROR,
    summary="A path gives one value for each element of a list, but the component has no instanceIdPath.",
    why=(
        "A component without instance ids has exactly one instance: reading fails for two elements, and a "
        "write changes all of them."
    ),
    source="semantics 4.3, Q16",
    of_absence=True,
    check=check,
)
