"""KT619: a component of a gang has pods and no scale, while others beside it have one."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import ComponentDef
from kartatest.diagnostics import Severity
from kartatest.lint.facts import subtree
from kartatest.lint.gangs import counts_nothing, scaled, scheduled
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each; silent where nothing beside and below it counts, and about subgroups (KT604)."""
    gang = ctx.definition.gang
    if gang is None or not scaled(ctx):
        return
    subs = {sub.component for sub in gang.pod_group.sub_groups} if gang.pod_group is not None else set()
    for component in scheduled(ctx):
        if gang.pod_group is None and component.instance_ids is not None:
            continue  # KT620
        if component.bears_pods and component.scale is None and component.name not in subs and _others(ctx, component):
            yield Finding(
                at=(*component.at, "specDefinition"),
                on_key=True,
                message=f"the pods of component {component.name!r} are not counted",
                help="add `scaleDefinition.replicasPath`; the number 1 will do for a single pod",
            )


def _others(ctx: LintContext, component: ComponentDef) -> bool:
    """Whether something beside or below the component counts."""
    beside = ctx.definition.children_of(component.owner) if component.owner else ()
    kin = [*(c for c in beside if c is not component), *ctx.definition.children_of(component.name)]
    return any(not counts_nothing(ctx, c) for one in kin for c in subtree(ctx.definition, one))


RULE = Rule(
    code="KT619",
    name="uncounted-pods",
    severity=Severity.WARNING,
    summary="A component of a gang has pods and no scale, while others beside it have one.",
    why="Counts are then taken from scales alone, and these pods count 0: the gang starts without them.",
    source="semantics 9.3, Q34",
    of_absence=True,
    check=check,
)
