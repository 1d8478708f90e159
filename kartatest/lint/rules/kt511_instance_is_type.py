"""KT511: the instance of a pod is read from the key that selects its component by value."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each idPath that is the same program as a keyPath with a value."""
    for component in ctx.definition.components:
        selector = component.selector
        if selector is None or selector.instance_id is None or selector.type is None or selector.type.key is None:
            continue
        tree = ctx.trees.get(selector.instance_id.at)
        if selector.type.value is not None and tree is not None and tree == ctx.trees.get(selector.type.key.at):
            yield Finding(
                at=selector.instance_id.at,
                message=f"is {selector.type.value!r} for every pod of component {component.name!r}",
                help="use the label that names the instance",
            )


RULE = Rule(
    code="KT511",
    name="instance-is-type",
    severity=Severity.WARNING,
    summary="The instance of a pod is read from the key that selects its component by value.",
    why="All pods of the component have that one value, so all are of one instance.",
    source="semantics 7.2",
    check=check,
)
