"""KT705: on some frames several statuses hold at once."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.evidence import FrameEvidence
from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.shown import place, times


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each set of statuses that were read together; frames with an expectation are KT706."""
    status = ctx.definition.root.status
    if status is None:
        return
    several: dict[tuple[str, ...], list[FrameEvidence]] = {}
    for frame in ctx.evidence.frames:
        if frame.expected is None and len(frame.statuses) > 1:
            several.setdefault(frame.statuses, []).append(frame)
    for statuses, frames in several.items():
        yield Finding(
            at=(*status.at, "statusMappings"),
            on_key=True,
            message=(
                f"{' and '.join(statuses)} hold together on {times(len(frames), 'frame')}, first on {place(frames[0])}"
            ),
            help="add to one of them what excludes the other",
        )


RULE = Rule(
    code="KT705",
    name="overlapping-statuses",
    severity=Severity.WARNING,
    summary="On some frames several statuses hold at once.",
    why=("Consumers pick one of them by their own rules, so the workload is shown differently here and there."),
    source="the recordings; semantics Q56",
    check=check,
)
