"""Functions of strings, and between strings and numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from kartatest.jq.budget import Meter
from kartatest.jq.builtins.registry import function
from kartatest.jq.operators import add, split, whole
from kartatest.jq.values import SAFE, fail, is_number, number_text, preview, to_int, values_of
from kartatest.source import Json

_BLANKS = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_LOWER = {c: c + 32 for c in range(ord("A"), ord("Z") + 1)}
_UPPER = {c: c - 32 for c in range(ord("a"), ord("z") + 1)}


def _text(v: Json, what: str) -> str:
    if not isinstance(v, str):
        raise fail(f"{what} takes a string, not {preview(v)}")
    return v


def _of_text(name: str, change: Callable[[str], Json]) -> None:
    def run(meter: Meter, v: Json) -> Json:
        meter.spend(len(_text(v, name)) // 512)
        changed = change(v)
        if isinstance(changed, str):
            meter.build(len(changed))
        return changed

    function(name)(run)


def _of_texts(name: str, change: Callable[[str, str], Json]) -> None:
    def run(meter: Meter, v: Json, other: Json) -> Json:
        text, part = _text(v, name), _text(other, name)
        meter.spend(min(len(text), len(part)) // 16384)
        changed = change(text, part)
        return meter.text(changed) if isinstance(changed, str) else changed

    function(name, 1)(run)


_of_text("ltrim", lambda s: s.lstrip(_BLANKS))
_of_text("rtrim", lambda s: s.rstrip(_BLANKS))
_of_text("trim", lambda s: s.strip(_BLANKS))
_of_text("ascii_downcase", lambda s: s.translate(_LOWER))
_of_text("ascii_upcase", lambda s: s.translate(_UPPER))
_of_text("utf8bytelength", lambda s: len(s.encode("utf-8", "surrogatepass")))
_of_texts("startswith", lambda s, t: s.startswith(t))
_of_texts("endswith", lambda s, t: s.endswith(t))
_of_texts("ltrimstr", lambda s, t: s.removeprefix(t))
_of_texts("rtrimstr", lambda s, t: s.removesuffix(t))
_of_texts("trimstr", lambda s, t: s.removeprefix(t).removesuffix(t))


@function("split", 1)
def _split(meter: Meter, v: Json, separator: Json) -> Json:
    return split(meter, _text(v, "split"), _text(separator, "split"))


@function("explode")
def _explode(meter: Meter, v: Json) -> Json:
    text = _text(v, "explode")
    meter.spend(1 + len(text) // 8)
    meter.words(len(text))
    return list(map(ord, text))


@function("implode")
def _implode(meter: Meter, v: Json) -> Json:
    if not isinstance(v, list) or not all(map(is_number, v)):
        raise fail(f"implode takes an array of code points, not {preview(v)}")
    meter.spend(1 + len(v) // 4)
    meter.build(4 * len(v))
    codes = [to_int(c) for c in v]
    return "".join(chr(c) if 0 <= c <= 0x10FFFF and not 0xD800 <= c <= 0xDFFF else "\ufffd" for c in codes)


@function("join", 1)
def _join(meter: Meter, v: Json, separator: Json) -> Json:
    values = values_of(v)
    if not values:
        return ""
    shown: list[Any] = [_joinable(x) for x in values]
    if isinstance(separator, str) and all(x is None or isinstance(x, str) for x in shown):
        size = sum(len(x or "") for x in shown) + len(separator) * (len(shown) - 1)
        meter.build(size)
        meter.spend(1 + len(shown) // 4)
        return meter.text(separator.join(x or "" for x in shown))
    meter.spend(len(shown))
    total: Json = ""
    for i, x in enumerate(shown):
        total = add(meter, add(meter, total, separator if i else ""), x)
    return total


def _joinable(x: Json) -> Json:
    if isinstance(x, bool):
        return "true" if x else "false"
    return number_text(x) if is_number(x) else x


@function("tonumber")
def _tonumber(meter: Meter, v: Json) -> Json:
    if is_number(v):
        return v
    text = _text(v, "tonumber")
    meter.spend(len(text) // 128)
    if not _NUMBER.fullmatch(text):
        raise fail(f"{preview(v)} is not a number")
    if text.lstrip("+-").isdigit() and len(text) < 4000:
        return whole(int(text))
    number = float(text)
    return int(number) if number.is_integer() and 0 < abs(number) <= SAFE else number


@function("toboolean")
def _toboolean(_meter: Meter, v: Json) -> Json:
    if isinstance(v, bool):
        return v
    if v in ("true", "false") and isinstance(v, str):
        return v == "true"
    raise fail(f"{preview(v)} is neither true nor false")
