"""Objects that fit a type, made by chance from a seed: for properties and for fuzzing definitions."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from functools import cache
from typing import Final

from kartatest.schema.fit import entry_key
from kartatest.schema.model import Base, Limits, Type
from kartatest.source import Json

KeyPath = tuple[str, ...]
"""Names from the root; "*" stands for any entry of a list and any name of a map."""

SIZE: Final = 60
"""Values in an object, about, unless the caller says otherwise."""

_WORDS: Final = ("main", "worker", "w0", "a", "head-1", "data", "Ready", "True", "Running", "x-2")
# Tried in turn where a pattern is asked for: names, durations, versions, addresses, paths.
_SHAPED: Final = ("7", "1.5", "10m", "1h", "1.33.0", "/data", "https://a.example/v1/hf", "http://b.example", "*", "")
_QUANTITIES: Final[tuple[Json, ...]] = ("1", "500m", "2Gi", "0", 1, 8, "1.5", "100Mi")
_INT_OR_STRING: Final[tuple[Json, ...]] = (0, 1, 8080, "25%", "http", "100%")
_NUMBERS: Final = (0, 1, 2, 3, 4, 8, 10, 60, 100)
_TIMES: Final = ("2026-01-02T03:04:05Z", "2026-01-02T03:10:00Z", "2025-12-31T23:59:59Z")
_ANY: Final[tuple[Json, ...]] = ({}, [], "text", 0, 1, True, {"a": 1}, [1, "b"])
_BITS: Final = {"int32": 31, "int64": 63}


def sample(found: Type, seed: int, size: int = SIZE, *, likely: Collection[KeyPath] = (), stored: bool = True) -> Json:
    """A value that fits the type: the same for the same seed, size and type.

    It honours names, types, required, null, enums, bounds, patterns, formats, list keys and sets; of the conditions
    that Type.rules counts it knows nothing, and a pattern that none of its words fits is left unfitted. Beyond `size`
    values only what must be there is added. Fields on a path in `likely` are mostly there. stored: fields with a
    default are always there, as in an object that comes from an API server.
    """
    near = frozenset(path[:i] for path in likely for i in range(1, len(path) + 1))
    return _Sampler(random.Random(seed), size, near, stored).value(found, ())


def samples(found: Type, count: int, size: int = SIZE, *, likely: Collection[KeyPath] = ()) -> Iterator[Json]:
    """The samples of the seeds 0 to count - 1."""
    for seed in range(count):
        yield sample(found, seed, size, likely=likely)


class _Sampler:
    def __init__(self, chance: random.Random, size: int, likely: frozenset[KeyPath], stored: bool) -> None:
        self._chance = chance
        self._left = size
        self._likely = likely
        self._stored = stored

    def value(self, found: Type, path: KeyPath) -> Json:
        self._left -= 1
        chance = self._chance
        if found.nullable and not found.enum and chance.random() < 0.15:
            return None
        if found.enum:
            return chance.choice(found.enum)
        if found.default and _plain(found.default[0]) and chance.random() < 0.4:
            return found.default[0]
        if found.base is Base.OBJECT:
            return self._object(found, path)
        if found.base is Base.ARRAY:
            return self._array(found, path)
        return self._scalar(found)

    def _object(self, found: Type, path: KeyPath) -> dict[str, Json]:
        chosen = set(found.always if self._stored else found.required) & found.fields.keys()
        optional = [name for name in found.fields if name not in chosen]
        chosen |= {name for name in optional if (*path, name) in self._likely and self._chance.random() < 0.8}
        # Most of what a workload is stands in two places; an object without them exercises little.
        chosen |= {name for name in optional if not path and name in ("spec", "status") and self._chance.random() < 0.9}
        rest = [name for name in optional if name not in chosen]
        chosen.update(self._chance.sample(rest, self._few(len(rest))))
        wanted = found.limits.min_fields or 0
        rest = [name for name in rest if name not in chosen]
        chosen.update(rest[: max(0, wanted - len(chosen))])
        made = {name: self.value(kid, (*path, name)) for name, kid in found.fields.items() if name in chosen}
        if found.embedded:
            made |= {"apiVersion": "v1", "kind": "ConfigMap"}
        if found.additional is not None:
            self._map(found, found.additional, path, made)
        elif found.open:
            made.update({name: self._chance.choice(_ANY) for name in sorted(found.required - made.keys())})
        if found.open and self._few(1):
            made[f"x{self._chance.randrange(9)}"] = self._chance.choice(_ANY)
        return made

    def _map(self, found: Type, kid: Type, path: KeyPath, made: dict[str, Json]) -> None:
        limits = found.limits
        # A key that must be there and is in no field is one of the map's.
        names = [name for name in sorted(found.required) if name not in made]
        least = max(limits.min_fields or 0, 1 if (*path, "*") in self._likely else 0)
        wanted = _within(max(least, self._few(3)), limits.min_fields, limits.max_fields)
        names += [f"{self._chance.choice(_WORDS)}-{i}" for i in range(wanted - len(names) - len(made))]
        made.update({name: self.value(kid, (*path, "*")) for name in names})

    def _array(self, found: Type, path: KeyPath) -> list[Json]:
        limits = found.limits
        least = max(limits.min_items or 0, 1 if (*path, "*") in self._likely else 0)
        wanted = _within(max(least, self._few(3)), limits.min_items, limits.max_items)
        made: list[Json] = []
        seen: set[str] = set()
        # Entries that repeat a key are drawn again, a few times: a small enum may not have that many keys.
        for _ in range(4 * wanted):
            if len(made) == wanted:
                break
            entry = self.value(found.items, (*path, "*")) if found.items else self._chance.choice(_ANY)
            key = entry_key(found, entry)
            if key is None or key not in seen:
                made.append(entry)
                seen.add(key or "")
        return made

    def _few(self, at_most: int) -> int:
        """How many more of something: few, the fewer the larger the object is, and then none."""
        if self._left <= 0 or not at_most:
            return 0
        return min(at_most, self._chance.randrange(4 + self._left // 25))

    def _scalar(self, found: Type) -> Json:
        chance, limits = self._chance, found.limits
        if found.base is Base.STRING:
            return self._string(found)
        if found.base is Base.BOOLEAN:
            return chance.random() < 0.5
        if found.base is Base.INTEGER:
            return self._integer(found)
        if found.base is Base.NUMBER:
            number = self._integer(found)
            half = number + 0.5
            return half if chance.random() < 0.5 and (limits.maximum is None or half <= limits.maximum) else number
        if found.base is Base.INT_OR_STRING:
            options = _QUANTITIES if found.format == "quantity" else _INT_OR_STRING
            fitting = [o for o in options if not isinstance(o, str) or _fits(o, limits)]
            return chance.choice(fitting or [1])
        return chance.choice(_ANY)

    def _integer(self, found: Type) -> int:
        limits, bits = found.limits, _BITS.get(found.format, 53)
        least = -(2**bits) if limits.minimum is None else _ceil(limits.minimum)
        most = 2**bits - 1 if limits.maximum is None else int(limits.maximum // 1)
        # Negative numbers are allowed wherever nothing forbids them, but say little.
        usual = [n for n in (*_NUMBERS, least if limits.minimum is not None else -1, most) if least <= n <= most]
        return self._chance.choice(usual or [least])

    def _string(self, found: Type) -> str:
        chance = self._chance
        if found.format == "date-time":
            return chance.choice(_TIMES)
        if found.format == "byte":
            return "aGVsbG8="
        fitting = _strings(found.limits)
        return chance.choice(fitting) if fitting else "main"


@cache
def _strings(limits: Limits) -> tuple[str, ...]:
    """Words within the limits."""
    options = (*_WORDS, *_SHAPED) if limits.pattern else _WORDS
    found = tuple(word for word in options if _fits(word, limits))
    if found or not limits.min_length:
        return found
    longer = (word * (limits.min_length // max(1, len(word)) + 1) for word in ("a", "ab", "1"))
    return tuple(word for word in (w[: limits.max_length] for w in longer) if _fits(word, limits))


def _fits(word: str, limits: Limits) -> bool:
    if len(word) < (limits.min_length or 0) or len(word) > (limits.max_length or len(word)):
        return False
    return not limits.pattern or _matches(limits.pattern, word)


def _matches(pattern: str, word: str) -> bool:
    import re2

    try:
        return re2.search(pattern, word) is not None
    except re2.error:
        return False


def _within(wanted: int, least: int | None, most: int | None) -> int:
    wanted = max(wanted, least or 0)
    return wanted if most is None else min(wanted, most)


def _ceil(number: float) -> int:
    return -int(-number // 1)


def _plain(value: Json) -> bool:
    return not isinstance(value, dict | list)
