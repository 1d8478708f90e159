"""jq values as plain Python: type names, truth, order, equality and the text of numbers (gojq 0.12.19).

A number is an int or a float. The consumers decode every number of their input to a 64-bit float, so an int of the
input beyond 2**53 counts as the float nearest to it, though it is handed on exactly where nothing is computed.
Two kinds of number remember more: Exact (a large integer written in the program) and Written (from `fromjson`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cmp_to_key
from itertools import islice, repeat
from json.encoder import encode_basestring
from typing import Any

from kartatest.jq.budget import Meter
from kartatest.jq.errors import JqRunError
from kartatest.source import Json, Span

SAFE = 2**53
"""Up to here integers and 64-bit floats are the same."""

_LARGEST = 1.7976931348623157e308
_LONG = 1 << 14
"""Characters that are compared in the time of a step."""


class Exact(int):
    """A whole number beyond 2**53 that gojq keeps exact: written in the program or read by tonumber."""


class Written(float):
    """A number that fromjson read, printed as it was written ("1.50")."""

    text: str

    def __new__(cls, text: str) -> Written:
        """The number with this text."""
        made = super().__new__(cls, text)
        made.text = text
        return made


_NAMES: dict[type, str] = {
    type(None): "null",
    bool: "boolean",
    int: "number",
    float: "number",
    Exact: "number",
    Written: "number",
    str: "string",
    list: "array",
    dict: "object",
}
_ORDER = {"null": 0, "boolean": 1, "number": 3, "string": 4, "array": 5, "object": 6}


def type_name(value: Json) -> str:
    """ "null", "boolean", "number", "string", "array" or "object"."""
    name = _NAMES.get(type(value))
    if name is None:
        name = next((n for t, n in _NAMES.items() if isinstance(value, t)), None)
        if name is None:
            raise TypeError(f"not a JSON value: {type(value).__name__}")
        _NAMES[type(value)] = name
    return name


def is_number(value: Json) -> bool:
    """Whether value is a number; True and False are none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def fail(message: str, span: Span | None = None) -> JqRunError:
    """A run-time error whose `catch` value is its own text."""
    return JqRunError(message, span, message)


def preview(value: Json) -> str:
    """Type and beginning of a value, for messages: `null`, `string "abc"`, `object {"a":...`."""
    if value is None:
        return "null"
    if isinstance(value, list):
        return f"array of {len(value)}"
    if isinstance(value, dict):
        keys = ", ".join(key[:41] for key in sorted(islice(value, 64))[:3])
        return f"object with {keys[:40]}{' ...' if len(value) > 3 or len(keys) > 40 else ''}" if value else "object {}"
    text = to_json(value if not isinstance(value, str) else value[:40])
    return f"{type_name(value)} {text[:40]}"


def to_float(value: int | float) -> float:
    """The 64-bit float nearest to a number; infinite beyond its range."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def to_int(value: int | float) -> int:
    """A number as an index: towards zero, clamped to 64 bits; not-a-number is the smallest (gojq toInt)."""
    if isinstance(value, float):
        if -(2.0**63) <= value < 2.0**63:
            return int(value)
        return 2**63 - 1 if value > 0 else -(2**63)
    if -SAFE <= value <= SAFE:
        return int(value)
    return max(-(2**63), min(int(value if isinstance(value, Exact) else to_int(to_float(value))), 2**63 - 1))


def _comparable(value: int | float) -> int | float:
    if type(value) is int and not -SAFE <= value <= SAFE:
        return to_float(value)
    return value


def equal(left: Json, right: Json, meter: Meter | None = None) -> bool:
    """`==`: numbers by value, objects whatever their order; not-a-number equals nothing."""
    tl, tr = type(left), type(right)
    if tl is str or tr is str or left is None or right is None or tl is bool or tr is bool:
        if tl is tr is str and len(left) > _LONG and meter is not None and len(left) == len(right):
            meter.spend(len(left) // _LONG)
        return tl is tr and bool(left == right)
    if tl is list or tr is list:
        if tl is not tr or len(left) != len(right):
            return False
        _looked_at(left, meter)
        return all(map(equal, left, right, repeat(meter)))
    if tl is dict or tr is dict:
        if tl is not tr or len(left) != len(right):
            return False
        _looked_at(left, meter)
        return all(k in right and equal(x, right[k], meter) for k, x in left.items())
    if is_number(left) and is_number(right):
        return _comparable(left) == _comparable(right)
    return compare(left, right) == 0


def _looked_at(value: Json, meter: Meter | None) -> None:
    if meter is not None:
        meter.spend(1 + len(value) // 2)


def _compare_numbers(left: int | float, right: int | float) -> int:
    left, right = _comparable(left), _comparable(right)
    if left < right or left != left:  # not-a-number is below every number, itself included
        return -1
    return 0 if left == right else 1


def _sign(left: Any, right: Any) -> int:
    return -1 if left < right else int(left > right)


def compare(left: Json, right: Json, meter: Meter | None = None) -> int:
    """-1, 0 or 1 by null < false < true < number < string < array < object (gojq Compare)."""
    kind, other = type_name(left), type_name(right)
    if kind != other:
        return _sign(_ORDER[kind], _ORDER[other])
    if kind == "number":
        return _compare_numbers(left, right)
    if kind == "array":
        _looked_at(min(left, right, key=len), meter)
        for x, y in zip(left, right, strict=False):
            if found := compare(x, y, meter):
                return found
        return _sign(len(left), len(right))
    if kind == "object":
        _looked_at(left, meter)
        _looked_at(right, meter)
        keys, others = sorted(left), sorted(right)
        if keys != others:
            return _sign(keys, others)
        return next((found for k in keys if (found := compare(left[k], right[k], meter))), 0)
    if kind == "string" and meter is not None:
        meter.spend(min(len(left), len(right)) // _LONG)
    return 0 if kind == "null" else _sign(left, right)


def order(keys: Sequence[Json], meter: Meter) -> list[int]:
    """The positions of keys in ascending order; equal keys keep theirs."""
    meter.spend(1 + len(keys))
    meter.words(2 * len(keys))
    if all(type(k) is list and len(k) == 1 for k in keys):  # what sort_by and its like give
        keys = [k[0] for k in keys]
    kinds = {type(k) for k in keys}
    if kinds <= {str} or (kinds <= {int, float} and all(-SAFE <= k <= SAFE for k in keys)):
        if kinds == {str}:
            meter.spend(sum(map(len, keys)) // _LONG * len(keys).bit_length())
        return sorted(range(len(keys)), key=keys.__getitem__)

    def counted(left: Json, right: Json) -> int:
        meter.spend(1)
        return compare(left, right, meter)

    ranked = list(map(cmp_to_key(counted), keys))
    return sorted(range(len(keys)), key=ranked.__getitem__)


def values_of(value: Json, span: Span | None = None) -> list[Json]:
    """What `.[]` gives: the items of an array, the values of an object in the order of its keys."""
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        return [value[k] for k in sorted(value)]
    raise fail(f"cannot iterate over {preview(value)}", span)


def number_text(value: int | float) -> str:
    """A number as gojq prints it: shortest digits, an exponent only from 1e21 on and below 1e-6 ("1e+21", "1e-7")."""
    if type(value) is int and -SAFE <= value <= SAFE:
        return str(value)
    if isinstance(value, Written):
        return value.text
    if isinstance(value, Exact):
        return int.__repr__(value)
    number = max(-_LARGEST, min(to_float(value), _LARGEST)) if value == value else value
    if number != number:
        return "null"
    if number == 0:
        return "-0" if math.copysign(1, number) < 0 else "0"
    text = repr(number)
    if not 1e-6 <= abs(number) < 1e21:
        return text.replace("e-0", "e-")
    if "e" in text:
        return _positional(text)
    return text.removesuffix(".0")


def _positional(text: str) -> str:
    sign = "-" if text.startswith("-") else ""
    mantissa, _, exponent = text.lstrip("-").partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits, point = whole + fraction, len(whole) + int(exponent)
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    if point >= len(digits):
        return sign + digits.ljust(point, "0")
    return f"{sign}{digits[:point]}.{digits[point:]}"


def string_json(text: str) -> str:
    """A string in quotes, escaped as gojq does: control characters and DEL, nothing beyond ASCII."""
    return encode_basestring(text).replace("\x7f", "\\u007f")


def to_json(value: Json, meter: Meter | None = None) -> str:
    """`tojson`: compact, keys sorted."""
    if isinstance(value, str):
        return string_json(value if meter is None else meter.text(value))
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        _looked_at(value, meter)
        return f"[{','.join(map(to_json, value, repeat(meter)))}]"
    if isinstance(value, dict):
        _looked_at(value, meter)
        if meter is not None:
            meter.build(sum(map(len, value)))
        return "{" + ",".join(f"{string_json(k)}:{to_json(value[k], meter)}" for k in sorted(value)) + "}"
    if meter is not None and isinstance(value, Exact):
        meter.spend(value.bit_length() // 256)
    return number_text(value)


def text_of(value: Json, meter: Meter | None = None) -> str:
    """`tostring`: a string is itself, anything else its JSON."""
    return value if isinstance(value, str) else to_json(value, meter)


def normal(value: int | float) -> int | float:
    """A computed float as an int where that says the same and prints alike."""
    if type(value) is not float or not value.is_integer() or not -SAFE <= value <= SAFE:
        return value
    return int(value) if value or math.copysign(1, value) > 0 else value  # -0 is no int
