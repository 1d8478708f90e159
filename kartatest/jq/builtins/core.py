"""Functions of one value: types, sizes, sorting, searching, arrays and objects."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from kartatest.jq.budget import Meter
from kartatest.jq.builtins.registry import FUNCTIONS, control, function
from kartatest.jq.code import NOTHING, Code, Env, cartesian, constant, optional, single, stream
from kartatest.jq.errors import JqRunError
from kartatest.jq.operators import add_all, compared, index, indices, spend_search
from kartatest.jq.values import (
    compare,
    equal,
    fail,
    is_number,
    order,
    preview,
    to_float,
    to_int,
    type_name,
    values_of,
)
from kartatest.source import Json, Span

for _name, _value in (("null", None), ("true", True), ("false", False)):
    FUNCTIONS[_name, 0] = lambda _args, _meter, _span, value=_value: constant(value)  # type: ignore[misc]


@control("not")
def _not(_meter: Meter, _span: Span) -> Code:
    return single(lambda v, _env: v is None or v is False)


@control("type")
def _type(_meter: Meter, _span: Span) -> Code:
    return single(lambda v, _env: type_name(v))


@function("length")
def length(_meter: Meter, v: Json) -> Json:
    """Characters, elements, keys; 0 for null, the distance from zero for a number."""
    if isinstance(v, (str, list, dict)):
        return len(v)
    if v is None:
        return 0
    if is_number(v):
        return abs(v)
    raise fail("a boolean has no length")


@function("keys")
def keys(meter: Meter, v: Json) -> Json:
    """Keys of an object in order, indices of an array."""
    if isinstance(v, dict):
        return meter.keep(sorted(v))
    if isinstance(v, list):
        return meter.keep(list(range(len(v))))
    raise fail(f"{preview(v)} has no keys")


def has(value: Json, key: Json) -> bool:
    """`has(key)`; null has nothing."""
    if value is None:
        return False
    if isinstance(value, dict) and isinstance(key, str):
        return key in value
    if isinstance(value, list) and is_number(key):
        return 0 <= to_int(key) < len(value)
    raise fail(f"cannot ask whether {preview(value)} has the key {preview(key)}")


@function("has", 1)
def _has(_meter: Meter, v: Json, key: Json) -> bool:
    return has(v, key)


@function("in", 1)
def _in(_meter: Meter, v: Json, container: Json) -> bool:
    return has(container, v)


@function("add")
def _add(meter: Meter, v: Json) -> Json:
    return add_all(meter, v)


@control("add", 1)
def _add_of(meter: Meter, span: Span, values: Code) -> Code:
    return single(lambda v, env: add_all(meter, values.collect(v, env)))


def contains(meter: Meter, value: Json, part: Json) -> bool:
    """Substrings, and the same at every level of arrays and objects."""
    if isinstance(value, str) and isinstance(part, str):
        spend_search(meter, value, part)
        return part in value
    if isinstance(value, list) and isinstance(part, list):
        meter.spend(1 + len(value) * len(part) // 4)
        return all(any(_contains_quietly(meter, x, y) for x in value) for y in part)
    if isinstance(value, dict) and isinstance(part, dict):
        meter.spend(1 + len(part))
        return len(value) >= len(part) and all(
            k in value and _contains_quietly(meter, value[k], x) for k, x in part.items()
        )
    if type_name(value) == type_name(part):
        if is_number(value):
            return equal(value, part)
        if value == part:
            return True
    raise fail(f"cannot look for {preview(part)} in {preview(value)}")


def _contains_quietly(meter: Meter, value: Json, part: Json) -> bool:
    try:
        return contains(meter, value, part)
    except JqRunError:  # unlike kinds deep inside are no error
        return False


@function("contains", 1)
def _contains(meter: Meter, v: Json, part: Json) -> bool:
    return contains(meter, v, part)


@function("inside", 1)
def _inside(meter: Meter, v: Json, whole: Json) -> bool:
    return contains(meter, whole, v)


@function("reverse")
def _reverse(meter: Meter, v: Json) -> Json:
    return meter.keep(_array(v, "reversed")[::-1])


def _array(v: Json, what: str) -> list[Json]:
    if not isinstance(v, list):
        raise fail(f"only an array can be {what}, not {preview(v)}")
    return v


@function("flatten")
def _flatten(meter: Meter, v: Json) -> Json:
    return _flat(meter, values_of(v), math.inf)


@function("flatten", 1)
def _flatten_to(meter: Meter, v: Json, depth: Json) -> Json:
    values = values_of(v)
    if not is_number(depth) or depth < 0 or depth != depth:
        raise fail(f"cannot flatten {preview(depth)} levels")
    return _flat(meter, values, to_float(depth))


def _flat(meter: Meter, values: list[Json], depth: float) -> list[Json]:
    flat: list[Json] = []
    for x in values:
        if isinstance(x, list) and depth != 0:
            flat.extend(_flat(meter, x, depth - 1))
        else:
            flat.append(x)
    meter.spend(1 + len(values) // 4)
    return meter.keep(flat)


def _listed(values: Json, what: str) -> list[Json]:
    return _array(values, what)


def _sorted(meter: Meter, values: list[Json], by: list[Json]) -> Json:
    return [values[i] for i in order(by, meter)]


def _grouped(meter: Meter, values: list[Json], by: list[Json]) -> list[list[Json]]:
    groups: list[list[Json]] = []
    last: Json = None
    for i in order(by, meter):
        if groups and compared(meter, last, by[i]) == 0:
            groups[-1].append(values[i])
        else:
            groups.append([values[i]])
            last = by[i]
    return groups


def _unique(meter: Meter, values: list[Json], by: list[Json]) -> Json:
    return [group[0] for group in _grouped(meter, values, by)]


def _extreme(sign: int) -> Callable[[Meter, list[Json], list[Json]], Json]:
    def pick(meter: Meter, values: list[Json], by: list[Json]) -> Json:
        meter.spend(1 + len(values))
        best = 0
        for i in range(1, len(values)):
            # of equal ones the first is the least and the last the greatest
            if (compare(by[best], by[i], meter) > 0) is (sign < 0):
                best = i
        return values[best] if values else None

    return pick


def _ranking(name: str, what: str, pick: Callable[[Meter, list[Json], list[Json]], Json], alone: str | None) -> None:
    if alone:
        FUNCTIONS[alone, 0] = lambda _args, meter, span: cartesian(lambda v: pick(meter, _listed(v, what), v), [], span)

    def make(args: Sequence[Code], meter: Meter, span: Span) -> Code:
        collect = args[0].collect

        def one(v: Json, env: Env) -> Json:
            values = v if isinstance(v, list) else values_of(v, span)
            by: list[Json] = [collect(x, env) for x in values]
            return pick(meter, _listed(v, what), by)

        return single(one)

    FUNCTIONS[name, 1] = make


def least(meter: Meter, v: Json) -> Json:
    """`min`: null for an empty array."""
    return _least(meter, _listed(v, _LEAST), v)


def greatest(meter: Meter, v: Json) -> Json:
    """`max`: null for an empty array."""
    return _greatest(meter, _listed(v, _GREATEST), v)


_least, _greatest = _extreme(-1), _extreme(1)
_LEAST, _GREATEST = "searched for its least element", "searched for its greatest element"

_ranking("sort_by", "sorted", _sorted, "sort")
_ranking("group_by", "grouped", _grouped, None)
_ranking("unique_by", "made unique", _unique, "unique")
_ranking("min_by", _LEAST, _least, "min")
_ranking("max_by", _GREATEST, _greatest, "max")


def _search(name: str, pick: Callable[[list[Json]], Json]) -> None:
    def search(meter: Meter, v: Json, part: Json) -> Json:
        if v is None:
            return None
        if isinstance(v, str) and isinstance(part, str):
            return pick(_places(meter, v, part))
        if isinstance(v, list):
            return pick(indices(meter, v, part if isinstance(part, list) else [part]))
        raise fail(f"cannot look for {preview(part)} in {preview(v)}")

    function(name, 1)(search)


def _places(meter: Meter, text: str, part: str) -> list[Json]:
    meter.spend(1 + len(text) // 64)
    spend_search(meter, text, part)
    found: list[Json] = []
    at = text.find(part) if part else -1
    while at >= 0:
        meter.spend(1 + len(part) // 2048)  # each search looks at the whole of part first
        found.append(at)
        at = text.find(part, at + 1)
    return meter.keep(found)


_search("indices", lambda found: found)
_search("index", lambda found: found[0] if found else None)
_search("rindex", lambda found: found[-1] if found else None)


@function("to_entries")
def _to_entries(meter: Meter, v: Json) -> Json:
    if isinstance(v, list):  # keys of an array are its indices
        pairs: list[tuple[Json, Json]] = list(enumerate(v))
    elif isinstance(v, dict):
        pairs = [(k, v[k]) for k in sorted(v)]
    else:
        raise fail(f"{preview(v)} has no entries")
    meter.words(20 * len(pairs))
    return [{"key": k, "value": x} for k, x in pairs]


def from_entries(meter: Meter, v: Json) -> Json:
    """Objects with key (or Key, name, Name) and value (or Value) to one object; the last of equal keys wins."""
    made: dict[str, Json] = {}
    entries = values_of(v)
    meter.spend(1 + len(entries) // 4)
    for entry in entries:
        if type(entry) is dict and type(entry.get("key")) is str and "value" in entry:
            made[entry["key"]] = entry["value"]
            continue
        key: Json = None
        for name in ("key", "Key", "name", "Name"):
            if key is None or key is False:
                key = index(meter, entry, name)
        value = index(meter, entry, "value" if has(entry, "value") else "Value")
        if not isinstance(key, str):
            raise fail(f"an object's keys are strings, not {preview(key)}")
        made[key] = value
    meter.words(8 * len(made))
    return made


@function("from_entries")
def _from_entries(meter: Meter, v: Json) -> Json:
    return from_entries(meter, v)


@function("transpose")
def _transpose(meter: Meter, v: Json) -> Json:
    rows = [_array(row, "transposed") for row in _array(v, "transposed")]
    width = max((len(row) for row in rows), default=0)
    meter.spend(1 + len(rows) // 4)
    meter.words(width * len(rows) + 8 * width)
    return [[row[i] if i < len(row) else None for row in rows] for i in range(width)]


@function("bsearch", 1)
def _bsearch(meter: Meter, v: Json, wanted: Json) -> Json:
    values = _array(v, "searched")
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        if compared(meter, values[middle], wanted) >= 0:
            high = middle
        else:
            low = middle + 1
    found = low < len(values) and compared(meter, values[low], wanted) == 0
    return low if found else -1 - low


@control("empty")
def _empty(_meter: Meter, _span: Span) -> Code:
    return optional(lambda _v, _env: NOTHING)


def raised(value: Json, span: Span) -> JqRunError:
    """The error of `error(value)`."""
    return JqRunError(value if isinstance(value, str) else f"the program raised {preview(value)}", span, value)


@control("error")
def _error(_meter: Meter, span: Span) -> Code:
    def one(v: Json, _env: Env) -> Json:
        raise raised(v, span)

    return single(one)


@control("error", 1)
def _error_of(_meter: Meter, span: Span, message: Code) -> Code:
    def many(v: Json, env: Env) -> Iterator[Json]:
        for value in message.many(v, env):
            raise raised(value, span)
        yield from ()

    return stream(many)
