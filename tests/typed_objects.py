"""Random objects that a schema allows, as an API server holds them, and whether a value is one of an abstract value."""

from __future__ import annotations

import math
from random import Random
from typing import Any

from kartatest.infer import lattice as la
from kartatest.infer.lattice import Kind, Value
from kartatest.schema.model import Base, Type

NAMES = ("a", "worker", "b-c", "main")
TEXTS = ("", "x", "True", "10", "1Gi", "main", "a-1", "2024-01-02T03:04:05Z")


def sample(r: Random, type_: Type, *, keep: float = 0.6, depth: int = 0) -> Any:
    """A value of the type: a field that need not be there is there with probability keep, less below."""
    if type_.nullable and r.random() < 0.2:
        return None
    if type_.enum:
        return r.choice(type_.enum)
    match type_.base:
        case Base.OBJECT:
            return _object(r, type_, keep, depth)
        case Base.ARRAY:
            low = type_.min_items
            high = min(low + 3, type_.max_items if type_.max_items is not None else low + 3)
            count = low if depth > 9 else r.randint(low, max(low, high))
            return [sample(r, type_.items, keep=keep, depth=depth + 1) if type_.items else 1 for _ in range(count)]
        case Base.STRING:
            return r.choice(TEXTS)
        case Base.INTEGER:
            return _number(r, type_)
        case Base.NUMBER:
            return r.choice([0, 1, 2.5, -1])
        case Base.BOOLEAN:
            return r.random() < 0.5
        case Base.INT_OR_STRING:
            return r.choice([0, 3, "1Gi", "2"])
    return r.choice([None, True, 3, "x", [1, "y"], {"a": {"b": 1}}, []])


def _number(r: Random, type_: Type) -> int:
    low = type_.limits.minimum
    high = type_.limits.maximum
    least = int(low) if low is not None else (0 if high is None or high >= 0 else int(high))
    most = int(high) if high is not None else least + 5
    return r.randint(least, max(least, min(most, least + 5)))


def _object(r: Random, type_: Type, keep: float, depth: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    chance = keep if depth < 3 else keep / 2 if depth < 6 else 0.05
    for name, kid in type_.fields.items():
        if name in type_.always or r.random() < chance:
            if kid.default and name not in type_.required and r.random() < 0.5:
                found[name] = kid.default[0]
            else:
                found[name] = sample(r, kid, keep=keep, depth=depth + 1)
    if type_.additional is not None and (depth < 9):
        for name in r.sample(NAMES, r.randint(0, 2)):
            found.setdefault(name, sample(r, type_.additional, keep=keep, depth=depth + 1))
    if type_.open and r.random() < 0.4:
        found.setdefault("extra", r.choice([1, "x", {"y": [1]}, None]))
    return found


def fits(value: Any, within: Value) -> bool:
    """Whether a value is one that an abstract value stands for."""
    kind = _kind(value)
    if not within.kinds & kind:
        return False
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        if within.consts is not None and value not in within.consts:
            return False
        if not isinstance(value, str) and within.whole and not float(value).is_integer():
            return math.isinf(value) or math.isnan(value)
    if isinstance(value, list):
        low, high = la.lengths(within)
        if not (low <= len(value) and (high is None or len(value) <= high)):
            return False
        return not value or all(fits(entry, la.item_of(within.only(la.ARRAY), 0)) for entry in value)
    if isinstance(value, dict):
        objects = within.only(la.OBJECT)
        return all(fits(held, la.field_of(objects, name).value) for name, held in value.items())
    return True


def _kind(value: Any) -> Kind:
    if value is None:
        return la.NULL
    if isinstance(value, bool):
        return la.TRUE if value else la.FALSE
    if isinstance(value, str):
        return la.STRING
    if isinstance(value, list):
        return la.ARRAY
    return la.OBJECT if isinstance(value, dict) else la.NUMBER
