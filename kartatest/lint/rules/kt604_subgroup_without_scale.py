"""KT604: a component that is listed as a subgroup has no replica count."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.gangs import needs_nothing
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each subgroup whose minimum is surely 0."""
    gang = ctx.definition.gang
    subs = gang.pod_group.sub_groups if gang is not None and gang.pod_group is not None else ()
    for sub in subs:
        component = ctx.definition.component(sub.component)
        if component is not None and needs_nothing(ctx, component):
            yield Finding(
                at=(*sub.at, "componentName"),
                message=f"{sub.component!r} has a minimum of 0, so every pod is refused",
                help="add `scaleDefinition.replicasPath` to the component; the number 1 will do for a single pod",
            )


RULE = Rule(
    code="KT604",
    name="subgroup-without-scale",
    severity=Severity.ERROR,
    summary="A component that is listed as a subgroup has no replica count.",
    why="Its minimum is 0, and then the scheduler refuses every pod of the workload.",
    source="semantics 9.3, 9.4, 13",
    of_absence=True,
    check=check,
)
