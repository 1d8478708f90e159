"""The gangs of a workload below its tree: what each needs at once, and how much of it is there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kartatest.report.style import DIM, RED, Style, head_of
from kartatest.report.text import cut, printable, width
from kartatest.resolve.gangs import Gang, gangs
from kartatest.resolve.model import Tree
from kartatest.resolve.pods import is_current, is_ready
from kartatest.resolve.quantity import to_text

_MOST = 20
_GAP = "  "


def gang_lines(tree: Tree, columns: Sequence[str], *, live: bool, style: Style) -> Iterator[str]:
    """A row per gang and subgroup, nothing without gangs. columns: resources to show; live: pods were given."""
    found = gangs(tree)
    if not found.gangs:
        return
    heads = ["PODS", *(["HERE", "READY"] if live else []), *map(head_of(columns), columns)]
    rows: list[tuple[str, list[str], str]] = []
    for gang in found.gangs[:_MOST]:
        rows += _rows(gang, columns, live=live)
    names = max(width("Gangs"), *(width(name) for name, _, _ in rows))
    widths = [max(len(head), *(len(cells[i]) for _, cells, _ in rows)) for i, head in enumerate(heads)]

    def line(name: str, cells: Sequence[str]) -> str:
        return (
            name
            + " " * (names - width(name))
            + _GAP
            + _GAP.join(c.rjust(w) for c, w in zip(cells, widths, strict=True))
        )

    yield ""
    yield style.paint(DIM, line("Gangs", heads))
    for name, cells, fault in rows:
        yield line(name, cells) + (_GAP + style.paint(RED, f"! {cut(fault)}") if fault else "")
    if len(found.gangs) > _MOST:
        yield style.paint(DIM, f"and {len(found.gangs) - _MOST} more")
    for fault in found.faults[:_MOST]:
        yield style.paint(RED, f"! {cut(fault)}")


def _rows(gang: Gang, columns: Sequence[str], *, live: bool) -> Iterator[tuple[str, list[str], str]]:
    several = "" if gang.count == 1 else f" x{gang.count}" if gang.count is not None else ", split by keys"
    yield printable(gang.label) + several, _cells(gang, columns, live=live), "" if gang.parts else gang.fault
    for part in gang.parts:
        yield _GAP + printable(part.label), _cells(part, columns, live=live), part.fault


def _cells(gang: Gang, columns: Sequence[str], *, live: bool) -> list[str]:
    there = [pod for pod in gang.pods if is_current(pod)]
    counted = [str(len(there)), str(sum(map(is_ready, there)))] if live else []
    amounts = [to_text(n, gang.requests[n]) if n in gang.requests else "-" for n in columns]
    return [str(gang.minimum) if not gang.fault or gang.minimum else "?", *counted, *amounts]
