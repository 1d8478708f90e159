"""The state matrix of recordings: frames by statuses, with what does not fit beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from kartatest.recording.codes import STATUS_WORDS
from kartatest.replay import FrameResult, Replay
from kartatest.report.text import printable
from kartatest.source import DocPath, Json, dotted

_WIDEST = 64
_MOST_PROBLEMS = 10
_RESET, _BOLD, _RED, _GREEN, _YELLOW, _DIM = "\x1b[0m", "\x1b[1m", "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[2m"

HOLDS, MISSING, EXTRA, NOT = "x", "-", "+", "."
"""Marks: holds (as expected, or nobody said); expected but does not hold; holds but is not expected; neither."""

LEGEND = "x holds   - expected, does not hold   + holds, not expected   . neither"


@dataclass(frozen=True, slots=True)
class Counts:
    """Frames by what became of them; a frame may count in several. frames is the number of all."""

    recordings: int = 0
    frames: int = 0
    expected: int = 0
    as_expected: int = 0
    overlaps: int = 0
    undefined: int = 0
    unreadable: int = 0

    @property
    def mismatches(self) -> int:
        """Frames whose expectation does not hold."""
        return self.expected - self.as_expected


def counted(replays: Sequence[Replay]) -> Counts:
    """Overlaps and Undefined are counted where nobody expects them; unreadable are frames with any problem."""
    frames = [frame for replay in replays for frame in replay.frames]
    return Counts(
        recordings=len(replays),
        frames=len(frames),
        expected=sum(f.ok is not None for f in frames),
        as_expected=sum(f.ok is True for f in frames),
        overlaps=sum(f.overlaps and f.ok is not True for f in frames),
        undefined=sum(f.undefined and f.ok is not True for f in frames),
        unreadable=sum(bool(f.problems) for f in frames),
    )


def matrix(replays: Sequence[Replay], *, color: bool = False) -> str:
    """A block per recording, then one line that counts; ends with a line break."""
    pen = _Pen(color)
    blocks = ["".join(f"{line}\n" for line in _block(replay, pen)) for replay in replays]
    marks = {mark for replay in replays for frame in replay.frames for mark in (MISSING, EXTRA) if _has(frame, mark)}
    legend = [f"{LEGEND}\n"] if marks else []
    return "\n".join([*blocks, *legend, _summary(counted(replays), pen)])


def rows(replays: Sequence[Replay]) -> list[dict[str, Json]]:
    """The matrix for machines: per frame `{definition, recording, file, frame, statuses, expected, problems}`."""
    return [
        {
            "definition": replay.definition.name,
            "recording": replay.recording.name,
            "file": replay.recording.file,
            "frame": frame.frame.index,
            "statuses": list(frame.statuses),
            "expected": None if frame.expected is None else list(frame.expected),
            "problems": [{"at": dotted(p.at), "message": p.message} for p in frame.problems],
        }
        for replay in replays
        for frame in replay.frames
    ]


@dataclass(frozen=True, slots=True)
class _Pen:
    color: bool

    def __call__(self, tone: str, text: str) -> str:
        return f"{tone}{text}{_RESET}" if self.color and text else text


def _block(replay: Replay, pen: _Pen) -> Iterator[str]:
    recording = replay.recording
    yield f"{pen(_BOLD, printable(recording.name))}  {printable(replay.definition.name)}"
    seen = {word for f in replay.frames for word in (*f.statuses, *(f.expected or ()))}
    columns = [word for word in STATUS_WORDS if word in seen]
    heads = columns if sum(map(len, columns)) + 2 * len(columns) <= _WIDEST else [word[:7] for word in columns]
    widths = [max(len(head), 1) for head in heads]
    digits = max(len("frame"), len(str(max((f.frame.index for f in replay.frames), default=0))))
    yield f"  {'frame':>{digits}}  " + pen(_DIM, "  ".join(heads))
    for frame in replay.frames:
        cells = [pen(_tone(m), m) + " " * (w - 1) for m, w in zip(_marks(frame, columns), widths, strict=True)]
        line = f"  {frame.frame.index:>{digits}}  " + "  ".join(cells)
        notes = "; ".join(_notes(frame, pen))
        yield (f"{line}  {notes}" if notes else line).rstrip()
    yield from (f"  {line}" for line in _problems(replay.frames, pen))


def _marks(frame: FrameResult, columns: Iterable[str]) -> Iterator[str]:
    for word in columns:
        holds = word in frame.statuses
        wanted = holds if frame.expected is None else word in frame.expected
        yield {(True, True): HOLDS, (True, False): EXTRA, (False, True): MISSING, (False, False): NOT}[holds, wanted]


def _has(frame: FrameResult, mark: str) -> bool:
    return mark in _marks(frame, STATUS_WORDS)


def _tone(mark: str) -> str:
    return {HOLDS: _GREEN, NOT: _DIM}.get(mark, _RED)


def _notes(frame: FrameResult, pen: _Pen) -> Iterator[str]:
    if frame.tree.status.problems:
        yield pen(_RED, "statuses unreadable")
    elif frame.ok is False:
        expected = ", ".join(frame.expected or ()) or "no status"
        yield pen(_RED, f"expected {expected}")
    if frame.overlaps and frame.ok is not True:
        yield pen(_YELLOW, "overlap")
    if frame.undefined and frame.ok is not True:
        yield pen(_YELLOW, "Undefined")
    if not frame.statuses and not frame.tree.status.problems and frame.ok is None:
        yield pen(_YELLOW, "no statuses are mapped")


def _problems(frames: Sequence[FrameResult], pen: _Pen) -> Iterator[str]:
    """Each problem once, with the frames that have it."""
    found: dict[tuple[DocPath, str], list[int]] = {}
    for frame in frames:
        for problem in frame.problems:
            having = found.setdefault((problem.at, problem.message), [])
            if frame.frame.index not in having[-1:]:
                having.append(frame.frame.index)
    for (at, message), indices in list(found.items())[:_MOST_PROBLEMS]:
        yield f"{pen(_RED, 'cannot be read')} in {spoken(indices)}: {printable(message)}"
        yield f"  at {printable(dotted(at))}"
    if len(found) > _MOST_PROBLEMS:
        yield f"and {len(found) - _MOST_PROBLEMS} more that cannot be read"


def spoken(indices: Sequence[int]) -> str:
    """Frame numbers in short: "frames 0-3, 7"; ascending numbers are expected."""
    runs: list[list[int]] = []
    for index in indices:
        if runs and index == runs[-1][1] + 1:
            runs[-1][1] = index
        else:
            runs.append([index, index])
    text = ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)
    return f"{'frame' if len(indices) == 1 else 'frames'} {text}"


def _summary(counts: Counts, pen: _Pen) -> str:
    parts = []
    if counts.expected:
        good = f"{counts.as_expected} as expected"
        parts.append(good if counts.mismatches else pen(_GREEN, good))
        parts += _some(counts.mismatches, "not as expected", _RED, pen)
    unsaid = counts.frames - counts.expected
    parts += _some(counts.overlaps, "overlapping", _YELLOW, pen)
    parts += _some(counts.undefined, "Undefined", _YELLOW, pen)
    parts += _some(counts.unreadable, "with problems", _RED, pen)
    parts += _some(unsaid, "without expectation", "", pen)
    head = f"{_plural(counts.recordings, 'recording')}, {_plural(counts.frames, 'frame')}"
    return f"{head}: {', '.join(parts)}\n" if parts else f"{head}\n"


def _some(count: int, words: str, tone: str, pen: _Pen) -> list[str]:
    return [pen(tone, f"{count} {words}") if tone else f"{count} {words}"] if count else []


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
