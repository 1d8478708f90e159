"""What recordings showed, gathered the way rules ask for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, cast

from kartatest.definition.evidence import FrameEvidence, Outcome
from kartatest.definition.model import Expr, Root, StatusMapping
from kartatest.lint.rule import LintContext
from kartatest.source import DocPath


class Seen(NamedTuple):
    """One run of one expression: on the object of a frame, or on one of its pods."""

    frame: FrameEvidence
    outcome: Outcome


def seen(ctx: LintContext, expr: Expr) -> list[Seen]:
    """All runs of an expression, in the order of recordings and frames; [] where none was possible."""
    key = ("seen", expr.at)
    if key not in ctx.memo:
        ctx.memo[key] = _seen(ctx, expr.at, expr.root)
    return cast("list[Seen]", ctx.memo[key])


def _seen(ctx: LintContext, at: DocPath, root: Root) -> list[Seen]:
    frames = ctx.evidence.frames
    if root is Root.POD:
        return [Seen(frame, outcome) for frame in frames for outcome in frame.pod_outcomes.get(at, ())]
    return [Seen(frame, outcome) for frame in frames if (outcome := frame.outcomes.get(at)) is not None]


def never_read(ctx: LintContext) -> Iterator[StatusMapping]:
    """The root's mappings whose status some frame expects and none reads."""
    status, frames = ctx.definition.root.status, ctx.evidence.frames
    expected = {word for frame in frames for word in frame.expected or ()}
    read = {word for frame in frames for word in frame.statuses}
    for mapping in status.mappings if status is not None else ():
        if mapping.status.value in expected - read:
            yield mapping


def gives_nothing(outcome: Outcome) -> bool:
    """Whether there was no result but null."""
    return outcome.error is None and all(value is None for value in outcome.outputs)


def place(frame: FrameEvidence) -> str:
    """A frame in words: "frame 3 of 'v0.12.0-resumed'"; frames count from 0."""
    return f"frame {frame.frame} of {frame.recording!r}"


def times(number: int, thing: str) -> str:
    """A number with its noun: "1 frame", "3 frames"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def read_well(frame: FrameEvidence, exprs: Iterator[Expr]) -> bool:
    """Whether none of the expressions failed on the frame."""
    return not any((outcome := frame.outcomes.get(e.at)) is not None and outcome.error for e in exprs)
