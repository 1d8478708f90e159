"""KT607: a topology has a name without a level, or a level without a name."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Topology
from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each topology of the pod group and its subgroups that lacks one of the two, or both."""
    gang = ctx.definition.gang
    group = gang.pod_group if gang is not None else None
    if group is None:
        return
    for topology in (group.topology, *(sub.topology for sub in group.sub_groups)):
        if topology is None:
            continue
        if missing := _missing(topology):
            yield Finding(
                at=topology.at,
                on_key=True,
                message=f"this topology has {missing}",
                help='give `topologyName` and one of the two levels; leave the other level empty: ""',
            )


def _missing(topology: Topology) -> str:
    level = topology.preferred or topology.required
    if not topology.name:
        return "no name" if level else "no name and no level"
    return "" if level else "no level"


RULE = Rule(
    code="KT607",
    name="incomplete-topology",
    severity=Severity.ERROR,
    summary="A topology has a name without a level, or a level without a name.",
    why="The scheduler refuses every pod of the workload.",
    source="semantics 9.4, 13",
    of_absence=True,
    check=check,
)
