"""Whether an object is one that its type allows, and where it is not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from kartatest.schema.model import Base, Type
from kartatest.source import DocPath, Json


class Fault(Enum):
    """What can be wrong with a value. The value is a word for tests and JSON."""

    UNKNOWN = "unknown"
    MISSING = "missing"
    TYPE = "type"
    NULL = "null"
    ENUM = "enum"
    LIMIT = "limit"
    REPEATED = "repeated"


@dataclass(frozen=True, slots=True)
class Misfit:
    """One place of an object that its type does not allow. message goes without the place, lower case."""

    at: DocPath
    fault: Fault
    message: str


def misfits(found: Type, value: Json, at: DocPath = ()) -> Iterator[Misfit]:
    """Where a value breaks its type, in the value's order; nothing below a value of the wrong type.

    Patterns, formats and the conditions that Type.rules counts are not looked at.
    """
    if value is None:
        if not found.nullable and found.base is not Base.ANY and None not in found.enum:
            yield Misfit(at, Fault.NULL, "null is never stored here")
        return
    if not _is(value, found.base):
        yield Misfit(at, Fault.TYPE, f"{_word(value)} where the type is {found.base.value}")
        return
    if found.enum and value not in found.enum:
        options = ", ".join(json.dumps(option) for option in found.enum)
        yield Misfit(at, Fault.ENUM, f"{json.dumps(value)} is none of {options}")
    if isinstance(value, dict):
        yield from _object(found, value, at)
    elif isinstance(value, list):
        yield from _array(found, value, at)
    else:
        yield from _limits(found, value, at)


def _object(found: Type, value: dict[str, Json], at: DocPath) -> Iterator[Misfit]:
    for name in sorted(found.required - value.keys()):
        yield Misfit(at, Fault.MISSING, f"{name!r} is missing")
    for name, kid in value.items():
        below = found.field(name)
        if below is not None:
            yield from misfits(below, kid, (*at, name))
        elif not found.open:
            near = found.near(name, 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            yield Misfit((*at, name), Fault.UNKNOWN, f"there is no field {name!r}{hint}")
    yield from _count(len(value), found.limits.min_fields, found.limits.max_fields, "fields", at)


def _array(found: Type, value: list[Json], at: DocPath) -> Iterator[Misfit]:
    yield from _count(len(value), found.limits.min_items, found.limits.max_items, "entries", at)
    seen: set[str] = set()
    for i, entry in enumerate(value):
        if found.items is not None:
            yield from misfits(found.items, entry, (*at, i))
        key = entry_key(found, entry)
        if key is not None and key in seen:
            what = ", ".join(found.list_map_keys) or "value"
            yield Misfit((*at, i), Fault.REPEATED, f"an earlier entry has the same {what}")
        seen.add(key or "")


def _limits(found: Type, value: Json, at: DocPath) -> Iterator[Misfit]:
    limits = found.limits
    if isinstance(value, str):
        yield from _count(len(value), limits.min_length, limits.max_length, "characters", at)
    elif not isinstance(value, bool):
        if limits.minimum is not None and value < limits.minimum:
            yield Misfit(at, Fault.LIMIT, f"{value} is less than {limits.minimum}")
        if limits.maximum is not None and value > limits.maximum:
            yield Misfit(at, Fault.LIMIT, f"{value} is more than {limits.maximum}")


def _count(number: int, least: int | None, most: int | None, what: str, at: DocPath) -> Iterator[Misfit]:
    if least is not None and number < least:
        yield Misfit(at, Fault.LIMIT, f"{number} {what}, at least {least} are needed")
    if most is not None and number > most:
        yield Misfit(at, Fault.LIMIT, f"{number} {what}, at most {most} are allowed")


def entry_key(found: Type, entry: Json) -> str | None:
    """What no two entries of a list may share, as text; None when they may be equal."""
    if found.unique:
        return json.dumps(entry, sort_keys=True)
    if not found.list_map_keys or not isinstance(entry, dict):
        return None
    kids = found.items.fields if found.items else {}
    defaults = {name: kids[name].default[0] for name in found.list_map_keys if name in kids and kids[name].default}
    return json.dumps([entry.get(name, defaults.get(name)) for name in found.list_map_keys])


def _is(value: Json, base: Base) -> bool:
    if base is Base.ANY:
        return True
    if isinstance(value, bool):
        return base is Base.BOOLEAN
    if isinstance(value, int):
        return base in (Base.INTEGER, Base.NUMBER, Base.INT_OR_STRING)
    if isinstance(value, float):
        return base is Base.NUMBER or (base in (Base.INTEGER, Base.INT_OR_STRING) and value.is_integer())
    if isinstance(value, str):
        return base in (Base.STRING, Base.INT_OR_STRING)
    return base is (Base.OBJECT if isinstance(value, dict) else Base.ARRAY)


def _word(value: Json) -> str:
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a string"
    return "an object" if isinstance(value, dict) else "a list"
