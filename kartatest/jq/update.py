"""Reading, writing and deleting at paths, without changing the value given (gojq 0.12.19 setpath and delpaths)."""

from __future__ import annotations

from collections.abc import Sequence

from kartatest.jq.budget import Meter
from kartatest.jq.operators import bounds, index, span_of, too_deep
from kartatest.jq.values import fail, is_number, preview, to_int
from kartatest.source import Json

_MOST = 0x20000000
_DEEPEST = 4000
_GONE: Json = type("Gone", (), {"__repr__": lambda _: "GONE"})()


class Owned:
    """Containers made during one update: those may be written in place, all others are copied first."""

    __slots__ = ("kept", "meter")

    def __init__(self, meter: Meter) -> None:
        self.meter = meter
        self.kept: dict[int, Json] = {}

    def object(self, value: dict[str, Json]) -> dict[str, Json]:
        """value when it is ours, else a copy that is."""
        if id(value) in self.kept:
            return value
        self.meter.words(8 * len(value) + 8)
        copy = dict(value)
        self.kept[id(copy)] = copy
        return copy

    def array(self, value: list[Json]) -> list[Json]:
        """value when it is ours, else a copy that is."""
        if id(value) in self.kept:
            return value
        self.meter.words(len(value) + 8)
        copy = list(value)
        self.kept[id(copy)] = copy
        return copy


def get(meter: Meter, value: Json, path: Json) -> Json:
    """`getpath`: null below a null; strings are not looked into."""
    if not isinstance(path, list):
        raise fail(f"a path is an array, not {preview(path)}")
    at = value
    for key in path:
        if at is not None and not isinstance(at, (list, dict)):
            raise fail(f"cannot follow the path {preview(path)} into {preview(at)}")
        at = index(meter, at, key)
    return at


def put(value: Json, path: Sequence[Json], new: Json, owned: Owned) -> Json:
    """`setpath`: value with new at path; missing objects are made, arrays padded with nulls."""
    if not path:
        return new
    if len(path) > _DEEPEST:
        raise too_deep()
    owned.meter.spend(len(path) // 8)
    key, rest = path[0], path[1:]
    if value is _GONE:
        return value
    if isinstance(key, str):
        if value is not None and not isinstance(value, dict):
            raise fail(f'cannot write "{key}" of {preview(value)}')
        return _put_key(value, key, rest, new, owned)
    if is_number(key):
        if value is not None and not isinstance(value, list):
            raise fail(f"cannot write element {preview(key)} of {preview(value)}")
        return _put_item(value, to_int(key), rest, new, owned)
    if isinstance(key, dict):
        if value is not None and not isinstance(value, list):
            raise fail(f"cannot write a slice of {preview(value)}")
        return _put_slice(value, key, rest, new, owned)
    raise fail(f"cannot use {preview(key)} as a key of {preview(value)}")


def _put_key(value: dict[str, Json] | None, key: str, rest: Sequence[Json], new: Json, owned: Owned) -> Json:
    if new is _GONE and (value is None or key not in value):
        return value
    below = put(None if value is None else value.get(key), rest, new, owned)
    changed = owned.object({} if value is None else value)
    changed[key] = below
    return changed


def _put_item(value: list[Json] | None, at: int, rest: Sequence[Json], new: Json, owned: Owned) -> Json:
    items = [] if value is None else value
    at += len(items) if at < 0 else 0
    if not 0 <= at < len(items):
        if new is _GONE:
            return value
        if at < 0:
            raise fail("cannot write before the beginning of an array")
        if at >= _MOST:
            raise fail(f"cannot write element {at} of an array: too large")
        owned.meter.words(at)
    below = put(items[at] if at < len(items) else None, rest, new, owned)
    changed = owned.array(items)
    changed.extend([None] * (at + 1 - len(changed)))
    changed[at] = below
    return changed


def _put_slice(value: list[Json] | None, key: dict[str, Json], rest: Sequence[Json], new: Json, owned: Owned) -> Json:
    items = [] if value is None else value
    first, last = span_of(len(items), *bounds(key))
    if first == last and new is _GONE:
        return value
    below = put(items[first:last], rest, new, owned)
    if below is _GONE:
        below = [_GONE] * (last - first)
    if not isinstance(below, list):
        raise fail(f"a slice can only become an array, not {preview(below)}")
    owned.meter.words(len(below))
    changed = owned.array(items)
    changed[first:last] = below
    return changed


def delete(meter: Meter, value: Json, paths: Json) -> Json:
    """`delpaths`: all at once, so that indices mean what they meant before."""
    if not isinstance(paths, list):
        raise fail(f"paths to delete are an array, not {preview(paths)}")
    owned = Owned(meter)
    changed = value
    for path in paths:
        if not isinstance(path, list):
            raise fail(f"a path is an array, not {preview(path)}")
        changed = put(changed, path, _GONE, owned)
    return _without_gone(changed, owned) if paths else value


def _without_gone(value: Json, owned: Owned) -> Json:
    if value is _GONE:
        return None
    if id(value) not in owned.kept:
        return value
    if isinstance(value, dict):
        return {k: _without_gone(x, owned) for k, x in value.items() if x is not _GONE}
    return [_without_gone(x, owned) for x in value if x is not _GONE]
