"""JSON values: copied, written at a place, and where two of them differ. Nothing given is ever changed."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.edit.model import ABSENT, CLEAR, Change
from kartatest.source import DocPath, Json, same


def fresh(value: Json) -> Json:
    """A copy that shares no list or object with the value, nor any of its parts with each other."""
    if isinstance(value, dict):
        return {key: fresh(item) for key, item in value.items()}
    return [fresh(item) for item in value] if isinstance(value, list) else value


def changes(before: Json, after: Json, at: DocPath = ()) -> Iterator[Change]:
    """Where two values differ, as small as keys allow: those of before that are gone stand last in their object.

    Lists of the same length differ entry by entry, others as a whole.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        for key, value in after.items():
            if key in before:
                yield from changes(before[key], value, (*at, key))
            else:
                yield Change((*at, key), ABSENT, value)
        yield from (Change((*at, key), value, ABSENT) for key, value in before.items() if key not in after)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for i, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from changes(old, new, (*at, i))
    elif not same(before, after):
        yield Change(at, before, after)


def at_place(value: Json, path: DocPath) -> Json:
    """The value at a path, ABSENT where there is none."""
    for step in path:
        if isinstance(step, str):
            value = value.get(step, ABSENT) if isinstance(value, dict) else ABSENT
        else:
            value = value[step] if isinstance(value, list) and 0 <= step < len(value) else ABSENT
    return value


def put(value: Json, path: DocPath, new: Json) -> Json:
    """The value with new at the path; CLEAR takes the key out. What lies beside the path is shared with the value.

    Objects that are missing, or null, are made on the way, except for CLEAR. The path must be one that `places.check`
    lets through.
    """
    if not path:
        return new
    step = path[0]
    if isinstance(step, int):
        items = list(value)
        items[step] = put(items[step], path[1:], new)
        return items
    if new is CLEAR and (not isinstance(value, dict) or step not in value):
        return value
    entries = dict(value) if isinstance(value, dict) else {}
    if new is CLEAR and len(path) == 1:
        del entries[step]
    else:
        entries[step] = put(entries.get(step), path[1:], new)
    return entries
