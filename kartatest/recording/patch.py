"""JSON merge patches (RFC 7386): how a frame of a recording says what changed since the frame before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kartatest.source import Json, JsonObject, same


def apply(target: Json, patch: Json) -> Json:
    """The target after the patch. Neither argument is changed; parts that the patch leaves alone are shared."""
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = apply(result.get(key), value)
    return result


def diff(before: JsonObject, after: JsonObject) -> dict[str, Json] | None:
    """The smallest patch that turns before into after; {} when they are alike.

    None when no patch can: a patch cannot set a key to null, nor an object that holds a null outside a list.
    """
    patch: dict[str, Json] = dict.fromkeys(before.keys() - after.keys())
    for key, value in after.items():
        old = before.get(key)
        if key in before and same(old, value):
            continue
        if isinstance(old, dict) and isinstance(value, dict):
            inner = diff(old, value)
            if inner is None:
                return None
            patch[key] = inner
        elif _settable(value):
            patch[key] = value
        else:
            return None
    return dict(sorted(patch.items()))


def key(obj: JsonObject, *, with_kind: bool = False) -> str:
    """What an object is called in a patch of several objects: its name, or kind and name ("Job/train-0")."""
    metadata = obj.get("metadata")
    name = metadata.get("name") if isinstance(metadata, dict) else None
    return f"{obj.get('kind')}/{name}" if with_kind else f"{name}"


def apply_each(
    objects: Sequence[JsonObject], patches: Mapping[str, JsonObject | None], *, with_kind: bool = False
) -> tuple[JsonObject, ...]:
    """The objects, each after the patch under its key; null takes one away, one that was not there comes last."""
    found = {key(obj, with_kind=with_kind): obj for obj in objects}
    for name, patch in patches.items():
        if patch is None:
            found.pop(name, None)
        else:
            found[name] = apply(found.get(name), patch)
    return tuple(found.values())


def diff_each(
    before: Sequence[JsonObject], after: Sequence[JsonObject], *, with_kind: bool = False
) -> dict[str, JsonObject | None] | None:
    """What `apply_each` needs to turn before into after; None when it cannot, as with keys that come twice."""
    old = {key(obj, with_kind=with_kind): obj for obj in before}
    new = {key(obj, with_kind=with_kind): obj for obj in after}
    kept = [name for name in old if name in new]
    if (len(old), len(new)) != (len(before), len(after)) or list(new)[: len(kept)] != kept:
        return None
    patches: dict[str, JsonObject | None] = dict.fromkeys(name for name in old if name not in new)
    for name, obj in new.items():
        patch = diff(old[name], obj) if name in old else obj if _settable(obj) else None
        if patch is None:
            return None
        if patch:
            patches[name] = patch
    return patches


def _settable(value: Json) -> bool:
    """Whether a patch can set this value as it is."""
    if isinstance(value, dict):
        return all(map(_settable, value.values()))
    return value is not None
