"""The workloads of a cluster as rows: `karta get`, for people and for machines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from fractions import Fraction
from typing import TYPE_CHECKING

from kartatest.report.text import printable, width
from kartatest.report.tree_json import quantities
from kartatest.resolve.quantity import is_accelerator, to_text
from kartatest.resolve.totals import Totals, totals
from kartatest.source import Json

if TYPE_CHECKING:
    from kartatest.cluster.inventory import Workload

_MINUTE, _HOUR, _DAY = 60, 3600, 86400
HEADS = ("NAMESPACE", "NAME", "TYPE", "STATUS", "PODS", "GPUS", "AGE")


def data(workload: Workload, now: datetime) -> dict[str, Json]:
    """One row for machines. Stable; more keys may come.

    age: whole seconds since the object was created, null where that is not known; requests: what the object asks for,
    as Kubernetes quantities; uncertain: whether something that the sums depend on could not be read; unseen: whether
    there may be more pods, which the user may not see.
    """
    tree = workload.resolved()
    sums = totals(tree)
    return {
        "type": workload.type,
        "apiVersion": tree.gvk.api_version,
        "kind": tree.gvk.kind,
        "namespace": tree.namespace,
        "name": tree.name,
        "definition": workload.definition.name,
        "statuses": [status.value for status in tree.statuses],
        "pods": {"desired": sums.pods.desired, "current": sums.pods.current, "ready": sums.pods.ready},
        "requests": quantities(sums.desired),
        "uncertain": sums.uncertain,
        "unseen": workload.unseen,
        "age": _age(workload, now),
    }


def cells(workload: Workload, now: datetime) -> tuple[str, ...]:
    """One row for people, a cell per head. "?" behind a number: something it depends on could not be read or seen."""
    tree = workload.resolved()
    sums = totals(tree)
    doubt = "?" if sums.uncertain else ""
    statuses = ",".join(status.value for status in tree.statuses) or ("?" if tree.status.problems else "-")
    pods = f"{sums.pods.ready}{'?' * workload.unseen}/{sums.pods.desired}{doubt}"
    age = _age(workload, now)
    shown = ("?" if age is None else duration(age),)
    return (tree.namespace or "-", tree.name, tree.gvk.kind, statuses, pods, _gpus(sums) + doubt, *shown)


def table(rows: Sequence[tuple[str, ...]], *, namespaces: bool = True, below: Sequence[tuple[str, ...]] = ()) -> str:
    """The rows below their heads, columns two blanks apart; without namespaces the first column is left out.

    below: rows that were printed before; then the heads are left out, and the columns stand below those of that table.
    """
    every = [tuple(printable(cell) for cell in row) for row in [HEADS, *below, *rows]]
    every = [row if namespaces else row[1:] for row in every]
    widths = [max(map(width, column)) for column in zip(*every, strict=True)]
    return "".join(_line(row, widths) for row in every[1 + len(below) if below else 0 :])


def _line(row: Iterable[str], widths: Sequence[int]) -> str:
    return "  ".join(cell + " " * (w - width(cell)) for cell, w in zip(row, widths, strict=True)).rstrip() + "\n"


def _gpus(sums: Totals) -> str:
    amount = sum((v for name, v in sums.desired.items() if is_accelerator(name)), Fraction(0))
    return to_text("nvidia.com/gpu", amount) if amount else "-"


def _age(workload: Workload, now: datetime) -> int | None:
    metadata = workload.obj.get("metadata")
    created = metadata.get("creationTimestamp") if isinstance(metadata, dict) else None
    if not isinstance(created, str):
        return None
    try:
        return max(0, int((now - datetime.fromisoformat(created)).total_seconds()))
    except (ValueError, TypeError):
        return None


def duration(seconds: int) -> str:
    """A span of time in at most two units: "95s", "12m", "3h20m", "30h", "5d3h", "400d"."""
    if seconds < 2 * _MINUTE:
        return f"{seconds}s"
    if seconds < 10 * _MINUTE:
        return _two(seconds, _MINUTE, "m", 1, "s")
    if seconds < 3 * _HOUR:
        return f"{seconds // _MINUTE}m"
    if seconds < 8 * _HOUR:
        return _two(seconds, _HOUR, "h", _MINUTE, "m")
    if seconds < 2 * _DAY:
        return f"{seconds // _HOUR}h"
    if seconds < 8 * _DAY:
        return _two(seconds, _DAY, "d", _HOUR, "h")
    return f"{seconds // _DAY}d"


def _two(seconds: int, large: int, large_word: str, small: int, small_word: str) -> str:
    rest = seconds % large // small
    return f"{seconds // large}{large_word}" + (f"{rest}{small_word}" if rest else "")
