"""Patches of objects in memory, and who owns which fields; roughly as an API server does it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy

from kartatest.cluster.model import ApiError
from kartatest.source import DocPath, Json, JsonObject


def leaves(value: Json, at: DocPath = ()) -> dict[DocPath, Json]:
    """Every value that is no mapping, or an empty one, by its place. Lists are one value each."""
    if isinstance(value, Mapping) and value:
        found: dict[DocPath, Json] = {}
        for name, kid in value.items():
            found |= leaves(kid, (*at, name))
        return found
    return {at: value}


def at(value: Json, path: DocPath) -> Json:
    """What stands at a path of mappings; None when nothing does."""
    for step in path:
        value = value.get(step) if isinstance(value, Mapping) else None
    return value


def without(obj: JsonObject, paths: Iterable[DocPath]) -> dict[str, Json]:
    """A copy without the values at these paths, and without the mappings that they leave empty."""
    kept: dict[str, Json] = deepcopy(dict(obj))
    for path in paths:
        _remove(kept, path)
    return kept


def _remove(value: Json, path: DocPath) -> None:
    step, *rest = path
    if not isinstance(value, dict) or step not in value:
        return
    if rest:
        _remove(value[step], tuple(rest))
        if value[step] == {}:
            del value[step]
    else:
        del value[step]


def strategic(target: Json, patch: Json) -> Json:
    """A merge that merges lists of mappings by their names, as Kubernetes' own kinds mostly want it."""
    if isinstance(patch, Mapping):
        merged = dict(target) if isinstance(target, Mapping) else {}
        for name, value in patch.items():
            if value is None:
                merged.pop(name, None)
            else:
                merged[name] = strategic(merged.get(name), value)
        return merged
    if isinstance(patch, list) and isinstance(target, list) and _are_named(patch) and _are_named(target):
        named = {entry["name"]: entry for entry in target}
        for entry in patch:
            named[entry["name"]] = strategic(named.get(entry["name"]), entry)
        return list(named.values())
    return patch


def _are_named(entries: Sequence[Json]) -> bool:
    return all(isinstance(entry, Mapping) and isinstance(entry.get("name"), str) for entry in entries)


def operations(target: JsonObject, patch: Json) -> dict[str, Json]:
    """The object after an RFC 6902 patch of add, replace, remove and test. Raises ApiError when one does not fit."""
    changed: dict[str, Json] = deepcopy(dict(target))
    for number, step in enumerate(patch):
        *way, last = [part.replace("~1", "/").replace("~0", "~") for part in step["path"].split("/")[1:]]
        place: Json = changed
        try:
            for part in way:
                place = place[int(part)] if isinstance(place, list) else place[part]
            _operate(place, last, step)
        except (KeyError, IndexError, ValueError, TypeError) as error:
            told = f"operation {number} ({step.get('op')} {step.get('path')}) does not fit the object"
            raise ApiError(told, code=422, reason="Invalid") from error
    return changed


def _operate(place: Json, last: str, step: JsonObject) -> None:
    op, value = step["op"], step.get("value")
    if isinstance(place, list):
        index = len(place) if last == "-" else int(last)
        if op == "add":
            place.insert(index, value)
        elif op == "replace":
            place[index] = value
        elif op == "remove":
            del place[index]
        elif op != "test" or place[index] != value:
            raise ValueError(op)
    elif op == "add":
        place[last] = value
    elif op == "replace":
        place[last], _ = value, place[last]
    elif op == "remove":
        del place[last]
    elif op != "test" or place[last] != value:
        raise ValueError(op)
