"""KT711: a status is mapped, and no recording expects it."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each mapped status without a frame that expects it; silent when no frame expects anything."""
    status = ctx.definition.root.status
    frames = ctx.evidence.frames
    expected = {word for frame in frames for word in frame.expected or ()}
    if status is None or not expected:
        return
    for mapping in status.mappings:
        if mapping.matchers and mapping.status.value not in expected:
            yield Finding(
                at=mapping.at,
                on_key=True,
                message=f"no recording shows a workload that is {mapping.status.value}",
                help="record one: `karta record TYPE NAME`, or a scenario",
            )


RULE = Rule(
    code="KT711",
    name="status-not-recorded",
    severity=Severity.WARNING,
    summary="A status is mapped, and no recording expects it.",
    why="Nothing proves that the mapping is right.",
    source="the recordings",
    of_absence=True,
    check=check,
)
