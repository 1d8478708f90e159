"""KT712: on some frames a scheduler waits for another number of pods than the counts come to."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.gangs import listed_parts
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.shown import place


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each component in a pod group, for the first frame on which it is so."""
    for at, name in listed_parts(ctx.definition):
        for frame in ctx.evidence.frames:
            found = next((m for m in frame.minima if m.component == name and _differs(m.counted, m.meant)), None)
            if found is None:
                continue
            which = f"{name!r}[{found.instance}]" if found.instance is not None else repr(name)
            yield Finding(
                at=at,
                message=f"a scheduler waits for {found.counted} pods of {which} on {place(frame)}, and the counts "
                f"come to {found.meant}",
                help="it multiplies a count with those below it and takes 0 for none: give one of them alone a scale, "
                "or counts that are right both ways",
            )
            break


def _differs(counted: int | None, meant: int | None) -> bool:
    """Whether both are known and differ. What counts nothing is another rule's (KT604, KT713)."""
    return bool(counted) and meant is not None and counted != meant


RULE = Rule(
    code="KT712",
    name="other-minimum",
    severity=Severity.WARNING,
    summary="On some frames a scheduler waits for another number of pods than the counts come to.",
    why=(
        "The minimum of a gang is a parent's count times the sum of its children's, and a minimum of 0 counts as none. "
        "With a number too high the workload waits for pods that nobody makes; with one too low it starts in part."
    ),
    source="the recordings; semantics 9.3, Q26, Q34",
    check=check,
)
