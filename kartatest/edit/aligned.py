"""Whether the places of a path belong to the instances at the same position, so that one instance can be addressed."""

from __future__ import annotations

from collections.abc import Sequence

from kartatest.definition.model import Expr
from kartatest.edit.places import Refused, compiled
from kartatest.edit.values import at_place
from kartatest.jq.errors import JqError
from kartatest.source import DocPath, JsonObject


def aligned(ids_expr: Expr, ids: Sequence[str], expr: Expr, found: Sequence[DocPath], obj: JsonObject) -> None:
    """Raises Refused unless each id stands in the same entry as its place, is that entry's key or one of its names.

    One instance alone is always the one meant. Positions are not enough: two paths may skip different entries
    (semantics 5.4).
    """
    if len(ids) < 2:
        return
    try:
        traced = [t.path for t in compiled(ids_expr.text).trace(obj)]
    except JqError as error:
        raise Refused(f"the instances cannot be read: {error.message}") from None
    heads = [_head(id_, path, at) for id_, path, at in zip(ids, traced, found, strict=True)]
    if None in heads:
        heads = _by_name(ids, found, obj)
    if len(set(heads)) != len(ids):
        raise Refused(
            f"`{expr.text}` cannot be told to name the same entries as `{ids_expr.text}`, so one alone is not set"
        )


def _head(id_: str, path: DocPath | None, at: DocPath) -> DocPath | None:
    """The way that an id and a place have in common, down to the entry; None when there is no such entry."""
    if path is None:  # made by the expression, as keys are
        return at[: at.index(id_) + 1] if id_ in at else None
    shared = next((n for n, (a, b) in enumerate(zip(path, at, strict=False)) if a != b), min(len(path), len(at)))
    return at[:shared]


def _by_name(ids: Sequence[str], found: Sequence[DocPath], obj: JsonObject) -> list[DocPath | None]:
    """The entries above the places, where one field of all of them holds the ids; [] where there is none."""
    for length in range(min(map(len, found)), 0, -1):
        entries = [at_place(obj, at[:length]) for at in found]
        if not all(isinstance(entry, dict) for entry in entries):
            continue
        if any(all(entry.get(key) == id_ for entry, id_ in zip(entries, ids, strict=True)) for key in entries[0]):
            return [at[:length] for at in found]
    return []
