"""KT620: a member of podGroups has instances and no scale, while another component has one."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.gangs import listed, scaled
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each such member; podGroup counts instances another way."""
    gang = ctx.definition.gang
    if gang is None or gang.pod_group is not None or not scaled(ctx):
        return
    for at, name in listed(gang):
        component = ctx.definition.component(name)
        if component is not None and component.instance_ids is not None and component.scale is None:
            yield Finding(
                at=at,
                message=f"{name!r} has instances without a scale, so their pods are refused",
                help="add `scaleDefinition.replicasPath` with one value for each instance",
            )


RULE = Rule(
    code="KT620",
    name="instances-without-scale",
    severity=Severity.ERROR,
    summary="A member of podGroups has instances and no scale, while another component has one.",
    why="The scheduler looks for the scale of the pod's instance, finds none, and refuses the pod.",
    source="semantics 13 (several scales and an instance without scaleDefinition)",
    of_absence=True,
    check=check,
)
