"""KT713: on some frames a subgroup needs no pod."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.gangs import needs_nothing
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.shown import place


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each subgroup that counts 0 where it or another has pods; of several frames the first."""
    gang = ctx.definition.gang
    if gang is None or gang.pod_group is None:
        return
    for sub in gang.pod_group.sub_groups:
        component = ctx.definition.component(sub.component)
        if component is None or needs_nothing(ctx, component):
            continue  # KT601, KT604
        for frame in ctx.evidence.frames:
            zero = any(m.component == sub.component and m.counted == 0 for m in frame.minima)
            if zero and any(m.counted or m.meant for m in frame.minima):
                yield Finding(
                    at=(*sub.at, "componentName"),
                    message=f"{sub.component!r} counts 0 on {place(frame)}, so every pod of the workload is refused",
                    help="leave it out of `subGroups`, list a component above it that counts some, or give a default",
                )
                break


RULE = Rule(
    code="KT713",
    name="gang-subgroup-zero",
    severity=Severity.WARNING,
    summary="On some frames a subgroup counts 0, and there are pods to start.",
    why="A scheduler takes a minimum of 0 for a missing scale, and refuses every pod of the workload.",
    source="the recordings; semantics 9.4, 13, Q32",
    check=check,
)
