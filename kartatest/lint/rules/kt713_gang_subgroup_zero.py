"""KT713: on some frames a subgroup needs no pod."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.shown import place


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each subgroup that counts 0 where another has pods; of several frames the first."""
    gang = ctx.definition.gang
    if gang is None or gang.pod_group is None:
        return
    for sub in gang.pod_group.sub_groups:
        for frame in ctx.evidence.frames:
            zero = any(m.component == sub.component and m.counted == 0 for m in frame.minima)
            if zero and any(m.counted for m in frame.minima):
                yield Finding(
                    at=(*sub.at, "componentName"),
                    message=f"{sub.component!r} needs no pod on {place(frame)}, so the workload's pods are refused",
                    help="leave it out of `subGroups`, or list a component above it that always needs some",
                )
                break


RULE = Rule(
    code="KT713",
    name="gang-subgroup-zero",
    severity=Severity.WARNING,
    summary="On some frames a subgroup needs no pod, and others of its pod group do.",
    why="A scheduler takes a minimum of 0 for a missing scale, and refuses every pod of the workload.",
    source="the recordings; semantics 9.4, 13, Q32",
    check=check,
)
