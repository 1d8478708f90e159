"""Abstract values in words."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.infer import lattice as la
from kartatest.infer.lattice import ALL, ARRAY, BOOLEAN, FALSE, NOTHING, NULL, NUMBER, OBJECT, STRING, TRUE


def words(value: la.Value) -> str:
    """The value's type for a person: "integer or null", "object"; "nothing" of NEVER, "anything" of UNKNOWN."""
    if value.kinds == ALL:
        return "anything"
    return " or ".join(_words(value)) or "nothing"


def _words(value: la.Value) -> Iterator[str]:
    kinds = value.kinds
    if kinds & OBJECT:
        yield "object"
    if kinds & ARRAY:
        yield f"array of {_plural(value)}" if (value.arrays and not _vague(value)) else "array"
    if kinds & STRING:
        texts = sorted(c for c in value.consts if isinstance(c, str)) if value.consts else []
        yield "|".join(f'"{t}"' for t in texts) if 0 < len(texts) <= 8 else "string"
    if kinds & NUMBER:
        yield "integer" if value.whole else "number"
    if kinds & BOOLEAN:
        yield {BOOLEAN: "boolean", TRUE: "true", FALSE: "false"}[kinds & BOOLEAN]
    if kinds & NULL:
        yield "null"


def _vague(value: la.Value) -> bool:
    return la.item_of(value, 0).kinds in (ALL, NOTHING)


def _plural(value: la.Value) -> str:
    item = la.item_of(value, 0)
    text = words(item)
    return f"({text})" if " or " in text else text
