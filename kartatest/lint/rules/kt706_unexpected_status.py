"""KT706: a recording expects other statuses than the definition reads."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.evidence import FrameEvidence
from kartatest.definition.model import Status, StatusDef
from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.shown import place, times
from kartatest.source import DocPath


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each recording and pair of expected and read statuses, at the mapping that is to blame."""
    status = ctx.definition.root.status
    if status is None:
        return
    wrong: dict[tuple[str, frozenset[str], tuple[str, ...]], list[FrameEvidence]] = {}
    for frame in ctx.evidence.frames:
        if frame.expected is not None and frame.statuses and set(frame.expected) != set(frame.statuses):
            key = (frame.recording, frozenset(frame.expected), frame.statuses)
            wrong.setdefault(key, []).append(frame)
    for (_, _, read), frames in wrong.items():
        expected = frames[0].expected or ()
        more = f" ({times(len(frames), 'frame')})" if len(frames) > 1 else ""
        yield Finding(
            at=_blamed(status, expected, read),
            on_key=True,
            message=f"{place(frames[0])} expects {_words(expected)}, and reads {_words(read)}{more}",
            help="see which matchers hold: `karta replay`",
        )


def _words(statuses: tuple[str, ...]) -> str:
    return " and ".join(statuses) or "no status"


def _blamed(status: StatusDef, expected: tuple[str, ...], read: tuple[str, ...]) -> DocPath:
    """The mapping of a status that was read and should not be, else of one that should be, else all mappings."""
    for word in (*(r for r in read if r not in expected), *(e for e in expected if e not in read)):
        for mapping in status.mappings:
            if mapping.status is Status(word):
                return mapping.at
    return (*status.at, "statusMappings")


RULE = Rule(
    code="KT706",
    name="unexpected-status",
    severity=Severity.ERROR,
    summary="A recording expects other statuses than the definition reads.",
    why="A person, or the object's own fields, said which status is right.",
    source="the recordings",
    of_absence=True,
    check=check,
)
