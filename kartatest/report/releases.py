"""A definition × the releases of its operator, as text and as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kartatest.matrix import Matrix, PathRow
from kartatest.report.text import printable
from kartatest.source import Json, dotted

HAS, LACKS = "x", "-"
_WIDEST = 72


def text(found: Sequence[Matrix]) -> str:
    """A block per definition: its paths by release, then what does not resolve and what a release breaks."""
    return "\n".join("".join(f"{line}\n" for line in _block(one)) for one in found)


def _block(one: Matrix) -> Iterator[str]:
    yield printable(f"{one.definition or one.file}: {one.kind}")
    widths = [max(len(release), 3) for release in one.releases]
    room = min(_WIDEST, max((len(row.path) for row in one.paths), default=4))
    yield f"  {'path':{room}}  " + "  ".join(f"{r:<{w}}" for r, w in zip(one.releases, widths, strict=True)).rstrip()
    for row in one.paths:
        marks = [HAS if type_ is not None else LACKS for type_ in row.types]
        cells = "  ".join(f"{mark:<{w}}" for mark, w in zip(marks, widths, strict=True))
        note = _note(one, row)
        yield printable(f"  {row.path:{room}}  {cells}{f'  {note}' if note else ''}".rstrip())
    yield from _problems(one)


def _note(one: Matrix, row: PathRow) -> str:
    if all(type_ is None for type_ in row.types):
        return "in no release"
    notes = []
    first, last = one.first(row), one.last(row)
    if first != one.releases[0]:
        notes.append(f"since {first}")
    if last != one.releases[-1]:
        notes.append(f"until {last}")
    kinds = list(dict.fromkeys(t for t in row.types if t is not None))
    if len(kinds) > 1:
        notes.append(" then ".join(kinds))
    return ", ".join(notes)


def _problems(one: Matrix) -> Iterator[str]:
    last: dict[tuple[str, str], list[str]] = {}
    for row in one.expressions:
        for release, cell in zip(one.releases, row.cells, strict=True):
            for problem in cell.problems:
                last.setdefault((dotted(row.at), problem), []).append(release)
    new = {(dotted(broken.at), broken.problem) for broken in one.breaks}
    for (at, problem), releases in last.items():
        if (at, problem) in new:
            continue
        yield printable(f"  ! {at}: {problem} in {', '.join(releases)}")
    for broken in one.breaks:
        yield printable(f"  {broken.release} breaks {dotted(broken.at)}: {broken.problem}")
    if not last:
        count = len(one.expressions)
        yield f"  {count} expression{'s'[: count != 1]}, all resolve in {len(one.releases)} release(s)"


def data(found: Sequence[Matrix]) -> list[Json]:
    """The same as JSON: one object per definition."""
    return [_data(one) for one in found]


def _data(one: Matrix) -> Json:
    return {
        "file": one.file,
        "definition": one.definition,
        "kind": {"group": one.kind.group, "version": one.kind.version, "kind": one.kind.kind},
        "releases": list(one.releases),
        "paths": [
            {
                "path": row.path,
                "types": dict(zip(one.releases, row.types, strict=True)),
                "first": one.first(row),
                "last": one.last(row),
            }
            for row in one.paths
        ],
        "expressions": [
            {
                "at": list(row.at),
                "use": row.use,
                "text": row.text,
                "releases": {
                    release: {"ok": cell.ok, "result": cell.result, "problems": list(cell.problems)}
                    for release, cell in zip(one.releases, row.cells, strict=True)
                },
            }
            for row in one.expressions
        ],
        "breaks": [{"release": b.release, "at": list(b.at), "use": b.use, "problem": b.problem} for b in one.breaks],
        "ok": not one.broken,
    }
