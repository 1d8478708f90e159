"""Arithmetic, indexing and slicing of jq values, as gojq 0.12.19 does them inside the consumers.

Each function takes the Meter of its run first: what is built is counted before it is built.
"""

from __future__ import annotations

import math
from typing import Any

from kartatest.jq.budget import Meter
from kartatest.jq.errors import JqBudgetError
from kartatest.jq.values import (
    SAFE,
    Exact,
    Written,
    compare,
    equal,
    fail,
    is_number,
    preview,
    to_float,
    to_int,
    values_of,
)
from kartatest.source import Json

_MOST_REPEATED = 2**31 - 1
_MOST_BITS = 13_287


def whole(value: int) -> int:
    """An integer gojq computes exactly: Exact beyond 2**53."""
    return value if -SAFE <= value <= SAFE else Exact(value)


def _exactly(meter: Meter, value: int) -> int:
    """whole(), within bounds: arithmetic on long numbers takes more than a step."""
    size = value.bit_length()
    if size > _MOST_BITS:
        raise JqBudgetError("a number has more than 4,000 digits")
    meter.spend(size // 1024)
    return whole(value)


def _small(left: Json, right: Json) -> bool:
    return type(left) is int and type(right) is int and -SAFE <= left <= SAFE and -SAFE <= right <= SAFE


def _exact(left: Json, right: Json) -> bool:
    return isinstance(left, Exact) and isinstance(right, Exact)


def add(meter: Meter, left: Json, right: Json) -> Json:
    """`+`: null adds nothing; strings and arrays are joined, objects merged at the top."""
    if is_number(left) and is_number(right):
        if _small(left, right):
            total = left + right
            return total if -SAFE <= total <= SAFE else float(total)
        return _exactly(meter, int(left) + int(right)) if _exact(left, right) else to_float(left) + to_float(right)
    if isinstance(left, str) and isinstance(right, str):
        return meter.text(left + right)
    if left is None:
        return right
    if right is None:
        return left
    if isinstance(left, list) and isinstance(right, list):
        if not left or not right:
            return left or right
        meter.words(len(left) + len(right))
        return left + right
    if isinstance(left, dict) and isinstance(right, dict):
        if not left or not right:
            return left or right
        meter.words(8 * (len(left) + len(right)))
        return {**left, **right}
    raise fail(f"cannot add {preview(left)} and {preview(right)}")


def subtract(meter: Meter, left: Json, right: Json) -> Json:
    """`-`: numbers, and arrays without the elements of the other."""
    if is_number(left) and is_number(right):
        if _small(left, right):
            rest = left - right
            return rest if -SAFE <= rest <= SAFE else float(rest)
        return _exactly(meter, int(left) - int(right)) if _exact(left, right) else to_float(left) - to_float(right)
    if isinstance(left, list) and isinstance(right, list):
        meter.spend(1 + len(left) * len(right) // 2)
        return [x for x in left if not any(equal(x, y, meter) for y in right)]
    raise fail(f"cannot subtract {preview(right)} from {preview(left)}")


def multiply(meter: Meter, left: Json, right: Json) -> Json:
    """`*`: numbers, a string repeated (null below zero times), objects merged at every level."""
    if is_number(left) and is_number(right):
        if _small(left, right):
            product = left * right
            return product if -SAFE <= product <= SAFE else float(product)
        return _exactly(meter, int(left) * int(right)) if _exact(left, right) else to_float(left) * to_float(right)
    if isinstance(left, dict) and isinstance(right, dict):
        return _merge(meter, left, right)
    if isinstance(left, str) and is_number(right):
        return _repeat(meter, left, right)
    if isinstance(right, str) and is_number(left):
        return _repeat(meter, right, left)
    raise fail(f"cannot multiply {preview(left)} by {preview(right)}")


def _merge(meter: Meter, left: dict[str, Json], right: dict[str, Json]) -> dict[str, Json]:
    meter.words(8 * (len(left) + len(right)))
    merged = dict(left)
    for k, v in right.items():
        there = merged.get(k)
        merged[k] = _merge(meter, there, v) if isinstance(there, dict) and isinstance(v, dict) else v
    return merged


def _repeat(meter: Meter, text: str, times: int | float) -> Json:
    number = to_float(times)
    if number < 0 or number != number:
        return None
    count = int(min(number, _MOST_REPEATED))
    size = len(text.encode("utf-8", "surrogatepass"))
    if size * count >= _MOST_REPEATED:
        raise fail(f"{count} times {preview(text)} is too large")
    meter.build((1 if text.isascii() else 4) * len(text) * count)
    return text * count


def divide(meter: Meter, left: Json, right: Json) -> Json:
    """`/`: numbers, whole where it goes; a string split at another ([] when it is empty)."""
    if is_number(left) and is_number(right):
        if _small(left, right) and right and left % right == 0:
            return left // right
        divisor = to_float(right)
        if divisor == 0:
            raise fail(f"cannot divide {preview(left)} by zero")
        if _exact(left, right) and left % right == 0:
            return _exactly(meter, int(left) // int(right))
        return to_float(left) / divisor
    if isinstance(left, str) and isinstance(right, str):
        return split(meter, left, right) if left else []
    raise fail(f"cannot divide {preview(left)} by {preview(right)}")


def split(meter: Meter, text: str, separator: str) -> list[Json]:
    """Parts of text; with an empty separator its characters. An empty text has one empty part (gojq, not libjq)."""
    parts: list[Json] = list(text) if not separator else list(text.split(separator))
    meter.build(len(text) + 56 * len(parts))
    return parts


def modulo(meter: Meter, left: Json, right: Json) -> Json:
    """`%`: on whole numbers, fractions cut off first; the sign is the left one's."""
    if not is_number(left) or not is_number(right):
        raise fail(f"cannot divide {preview(left)} by {preview(right)}")
    if left != left or right != right:
        return math.nan
    x, y = (int(left), int(right)) if _exact(left, right) else (to_int(left), to_int(right))
    if y == 0:
        raise fail(f"cannot divide {preview(left)} by zero")
    return _exactly(meter, (1 if x >= 0 else -1) * (abs(x) % abs(y)))


def negate(value: Json) -> Json:
    """Unary minus."""
    if not is_number(value):
        raise fail(f"cannot negate {preview(value)}")
    if isinstance(value, Written):
        return Written(value.text[1:] if value.text.startswith("-") else "-" + value.text)
    return Exact(-value) if isinstance(value, Exact) else -value


ARITHMETIC: dict[str, Any] = {"+": add, "-": subtract, "*": multiply, "/": divide, "%": modulo}


def compared(meter: Meter, left: Json, right: Json) -> int:
    """compare(), counted."""
    return compare(left, right, meter)


def same(meter: Meter, left: Json, right: Json) -> bool:
    """equal(), counted."""
    return equal(left, right, meter)


COMPARISONS: dict[str, Any] = {
    "==": same,
    "!=": lambda m, x, y: not same(m, x, y),
    "<": lambda m, x, y: compared(m, x, y) < 0,
    "<=": lambda m, x, y: compared(m, x, y) <= 0,
    ">": lambda m, x, y: compared(m, x, y) > 0,
    ">=": lambda m, x, y: compared(m, x, y) >= 0,
}


def index(meter: Meter, value: Json, key: Json) -> Json:
    """`value[key]`: null where there is nothing; an index is cut to a whole number, and strings have characters."""
    if isinstance(key, str):
        if isinstance(value, dict):
            return value.get(key)
        if value is None:
            return None
        raise fail(f'cannot read "{key}" of {preview(value)}')
    if is_number(key):
        if value is None:
            return None
        if not isinstance(value, (list, str)):
            raise fail(f"cannot read element {preview(key)} of {preview(value)}")
        at = to_int(key)
        at += len(value) if at < 0 else 0
        return value[at] if 0 <= at < len(value) else None
    if isinstance(key, list):
        if value is None:
            return None
        if not isinstance(value, list):
            raise fail(f"cannot look for an array in {preview(value)}")
        return indices(meter, value, key)
    if isinstance(key, dict):
        if value is None:
            return None
        start, stop = bounds(key)
        return slice_of(meter, value, start, stop)
    raise fail(f"cannot use {preview(key)} as a key of {preview(value)}")


def indices(meter: Meter, value: list[Json], part: list[Json]) -> list[Json]:
    """Where part begins in value; [] for an empty part."""
    if not part:
        return []
    meter.spend(1 + len(value) // 2)
    if len(part) == 1:
        (wanted,) = part
        return [i for i, x in enumerate(value) if equal(x, wanted, meter)]
    return [i for i in range(len(value) - len(part) + 1) if equal(value[i : i + len(part)], part, meter)]


def spend_search(meter: Meter, text: str, part: str) -> None:
    """Count a search of part in text: in a short text it may have to look again at each place."""
    size = len(text)
    meter.spend(size // 1024 + (size * min(len(part), max(0, size - len(part))) // 8192 if size < 30_000 else 0))


def bounds(key: dict[str, Json]) -> tuple[Json, Json]:
    """Start and end of a slice written as an object."""
    if "start" not in key or "end" not in key:
        raise fail(f'a slice needs "start" and "end", not {preview(key)}')
    return key["start"], key["end"]


def span_of(length: int, start: Json, stop: Json) -> tuple[int, int]:
    """A slice's bounds within length: start cut down, stop rounded up, negative ones from the end, null open."""
    if not (start is None or is_number(start)) or not (stop is None or is_number(stop)):
        raise fail(f"cannot slice from {preview(start)} to {preview(stop)}")
    first = 0 if start is None else _clamp(to_int(start), 0, length)
    last = length if stop is None else _clamp(to_int(_ceil(stop)), first, length)
    return first, last


def _ceil(value: int | float) -> int | float:
    return math.ceil(value) if isinstance(value, float) and math.isfinite(value) else value


def _clamp(at: int, low: int, high: int) -> int:
    return max(low, min(at + high if at < 0 else at, high))


def slice_of(meter: Meter, value: Json, start: Json, stop: Json) -> Json:
    """`value[start:stop]` of an array or a string, in characters; null stays null."""
    if value is None:
        return None
    if not isinstance(value, (list, str)):
        raise fail(f"cannot slice {preview(value)}")
    first, last = span_of(len(value), start, stop)
    meter.build(8 * (last - first))
    return value[first:last]


def add_all(meter: Meter, values: Json) -> Json:
    """`add`: the sum of an array's items or an object's values; null when there are none."""
    everything = values_of(values)
    meter.spend(1 + len(everything) // 2)
    items = [x for x in everything if x is not None]
    kinds = set(map(type, items))
    if kinds == {str}:
        meter.build(sum(map(len, items)))
        return meter.text("".join(items))
    if kinds == {int} and sum(map(abs, items)) <= SAFE:
        return sum(items)
    if len(kinds) == 1 and not kinds.isdisjoint((list, dict)):
        return _joined(meter, items)  # one by one would copy it again and again
    total: Json = None
    for x in items:
        total = add(meter, total, x)
    return total


def _joined(meter: Meter, parts: list[Json]) -> Json:
    meter.words(8 * sum(map(len, parts)))
    if isinstance(parts[0], list):
        return [x for part in parts for x in part]
    return {k: v for part in parts for k, v in part.items()}


def too_deep() -> JqBudgetError:
    """What a run ends with when values or calls are nested deeper than can be followed."""
    return JqBudgetError("the value or the program is nested too deeply")
