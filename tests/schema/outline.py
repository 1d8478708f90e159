"""A type as lines that a person can read in a diff: one per path, what it says behind it."""

from __future__ import annotations

import json
from collections.abc import Iterator

from kartatest.schema.model import Type


def outline(found: Type) -> list[str]:
    return list(_lines(found, "."))


def _lines(found: Type, path: str) -> Iterator[str]:
    yield f"{path}: {' '.join(_words(found))}"
    below = path.rstrip(".")
    for name, kid in found.fields.items():
        yield from _lines(kid, f"{below}.{name}")
    if found.additional is not None:
        yield from _lines(found.additional, f"{below}.*")
    if found.items is not None:
        yield from _lines(found.items, f"{below}[]")


def _words(found: Type) -> Iterator[str]:
    yield found.base.value
    if found.format:
        yield found.format
    for name in ("preserve_unknown", "unique", "nullable", "embedded"):
        if getattr(found, name):
            yield name
    if found.required:
        yield f"required={','.join(sorted(found.required))}"
    if found.list_map_keys:
        yield f"keys={','.join(found.list_map_keys)}"
    if found.enum:
        yield f"enum={json.dumps(found.enum)}"
    if found.default:
        yield f"default={json.dumps(found.default[0])}"
    for name in found.limits.__slots__:
        if getattr(found.limits, name) not in (None, ""):
            yield f"{name}={getattr(found.limits, name)}"
    if found.rules:
        yield f"rules={found.rules}"
