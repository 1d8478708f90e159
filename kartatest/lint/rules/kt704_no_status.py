"""KT704: on some frames no mapped status holds."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Root
from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.shown import place, read_well, times


def check(ctx: LintContext) -> Iterator[Finding]:
    """At most one finding; frames with an expectation are KT706, those with a failure KT701 and KT702."""
    status = ctx.definition.root.status
    if status is None or not status.mappings:
        return
    empty = [
        frame
        for frame in ctx.evidence.frames
        if frame.expected is None
        and frame.statuses in {(), ("Undefined",)}
        and read_well(frame, (e for e in ctx.expressions if e.root is Root.WORKLOAD))
    ]
    if empty:
        yield Finding(
            at=(*status.at, "statusMappings"),
            on_key=True,
            message=f"no status holds on {times(len(empty), 'frame')}, first on {place(empty[0])}",
            help="look at the frame with `karta replay`, and map what it says",
        )


RULE = Rule(
    code="KT704",
    name="no-status",
    severity=Severity.WARNING,
    summary="On some frames no mapped status holds.",
    why="Such a workload reads Undefined, or nothing at all.",
    source="the recordings; semantics 6.3",
    of_absence=True,
    check=check,
)
