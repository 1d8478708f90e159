"""JSON merge patches (RFC 7386): how a frame of a recording says what changed since the frame before."""

from __future__ import annotations

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


def _settable(value: Json) -> bool:
    """Whether a patch can set this value as it is."""
    if isinstance(value, dict):
        return all(map(_settable, value.values()))
    return value is not None
