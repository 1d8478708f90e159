"""KT622: a workload that is scheduled as a gang has more sets of equal pods than a queue takes."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.limits import too_many_pod_sets
from kartatest.diagnostics import Severity
from kartatest.lint.gangs import scheduled
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.shown import place


def check(ctx: LintContext) -> Iterator[Finding]:
    """At most one finding: for the definition's own components, else for the frame with the most instances."""
    parts = [component for component in scheduled(ctx) if component.bears_pods]
    if why := too_many_pod_sets(len(parts)):
        yield Finding(
            at=(*ctx.definition.root.at[:-1], "childComponents"),
            on_key=True,
            message=f"{len(parts)} components have pods, each a set of its own, and {why}",
            help="leave out of the gang what need not start with it, or queue the workload elsewhere",
        )
        return
    names = {component.name for component in parts}
    most = max(
        ctx.evidence.frames,
        key=lambda frame: sum(len(c.ids) for c in frame.components if c.name in names),
        default=None,
    )
    if most is None:
        return
    sets = {c.name: len(c.ids) for c in most.components if c.name in names}
    if why := too_many_pod_sets(sum(sets.values())):
        largest = ctx.definition.component(max(sets, key=lambda name: sets[name]))
        assert largest is not None
        yield Finding(
            at=largest.instance_ids.at if largest.instance_ids is not None else largest.at,
            message=f"there are {sum(sets.values())} sets of equal pods on {place(most)}, and {why}",
            help="make workloads with fewer instances, or queue them elsewhere",
        )


RULE = Rule(
    code="KT622",
    name="many-pod-sets",
    severity=Severity.WARNING,
    summary="A workload that is scheduled as a gang has more sets of equal pods than a queue takes.",
    why=(
        "Kueue makes one pod set of each component with pods, or of each of its instances, and its API server refuses "
        "a workload with more of them than its release allows: it is never admitted, and only a log says why."
    ),
    source="the API of Kueue: 8 pod sets, 10 since May 2026, 18 since July 2026",
    check=check,
)
