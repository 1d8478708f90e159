"""KT110: a component has instances, but no pod can be told to belong to one."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.rules.places import given


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each instanceIdPath without componentInstanceSelector, at the path's key."""
    for component in ctx.definition.components:
        selector = (*component.at, "podSelector", "componentInstanceSelector")
        if component.instance_ids is not None and not given(ctx, selector):
            yield Finding(
                at=component.instance_ids.at,
                on_key=True,
                message=f"component {component.name!r} has an instanceIdPath but no componentInstanceSelector",
                help="add podSelector.componentInstanceSelector.idPath: where a pod carries the id of its instance",
            )


RULE = Rule(
    code="KT110",
    name="instances-without-selector",
    severity=Severity.ERROR,
    summary="A component has an instanceIdPath but no componentInstanceSelector.",
    why="The instances are known, the pods of each are not; consumers refuse the definition.",
    source="semantics 2.3, per component",
    of_absence=True,
    check=check,
)
