"""Times as text, by the letters of strftime with the flags - _ 0 ^ # and a width (gojq 0.12.19)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from kartatest.jq.builtins.timeofday import Moment, iso_week

MONTHS = (
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)
WEEKDAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split()  # noqa: SIM905

COMPOSED = {
    "c": "%a %b %e %H:%M:%S %Y",
    "+": "%a %b %e %H:%M:%S %Z %Y",
    "v": "%e-%b-%Y",
    "r": "%I:%M:%S %p",
    "F": "%Y-%m-%d",
    "D": "%m/%d/%y",
    "x": "%m/%d/%y",
    "T": "%H:%M:%S",
    "X": "%H:%M:%S",
    "R": "%H:%M",
}

_DIRECTIVE = re.compile(r"%([-_^#0]*)([0-9]*)(:{0,3})(.?)", re.DOTALL)


class _Number(NamedTuple):
    value: Callable[[Moment], int]
    width: int
    pad: str = "0"
    fixed: bool = False  # a width given in the layout replaces ours even when it is smaller


def _sunday_week(m: Moment) -> int:
    return (m.yearday + 7 - m.weekday) // 7


def _monday_week(m: Moment) -> int:
    return (m.yearday + 7 - (m.weekday - 1) % 7) // 7


_NUMBERS = {
    "Y": _Number(lambda m: m.year, 4, fixed=True),
    "y": _Number(lambda m: abs(m.year) % 100, 2),
    "C": _Number(lambda m: int(m.year / 100), 2),
    "g": _Number(lambda m: abs(iso_week(m)[0]) % 100, 2),
    "G": _Number(lambda m: iso_week(m)[0], 4, fixed=True),
    "m": _Number(lambda m: m.month, 2),
    "d": _Number(lambda m: m.day, 2),
    "e": _Number(lambda m: m.day, 2, " "),
    "H": _Number(lambda m: m.hour, 2),
    "k": _Number(lambda m: m.hour, 2, " "),
    "I": _Number(lambda m: m.hour % 12 or 12, 2),
    "l": _Number(lambda m: m.hour % 12 or 12, 2, " "),
    "M": _Number(lambda m: m.minute, 2),
    "S": _Number(lambda m: m.second, 2),
    "f": _Number(lambda m: m.nanosecond // 1000, 6, fixed=True),
    "s": _Number(lambda m: m.seconds, 0, " "),
    "j": _Number(lambda m: m.yearday + 1, 3),
    "w": _Number(lambda m: m.weekday, 0),
    "u": _Number(lambda m: m.weekday or 7, 0),
    "U": _Number(_sunday_week, 2),
    "W": _Number(_monday_week, 2),
    "V": _Number(lambda m: iso_week(m)[1], 2),
}

_WORDS: dict[str, Callable[[Moment], str]] = {
    "B": lambda m: MONTHS[m.month - 1],
    "b": lambda m: MONTHS[m.month - 1][:3],
    "h": lambda m: MONTHS[m.month - 1][:3],
    "A": lambda m: WEEKDAYS[m.weekday],
    "a": lambda m: WEEKDAYS[m.weekday][:3],
    "p": lambda m: "AM" if m.hour < 12 else "PM",
    "P": lambda m: "am" if m.hour < 12 else "pm",
    "Z": lambda _m: "UTC",
    "t": lambda _m: "\t",
    "n": lambda _m: "\n",
    "%": lambda _m: "%",
}


def formatted(m: Moment, layout: str) -> str:
    """The time as layout says; what is no directive stays as it is written."""

    def show(match: re.Match[str]) -> str:
        flags, digits, colons, letter = match.groups()
        width = min(int(digits or 0), 1024)
        pad = _padding(flags, digits)
        if letter == "z":
            return _offset(["00", ":00", ":00:00", ""][len(colons)], width, pad)
        if colons or not letter:
            return match.group() if pad == "" else match.group().rjust(width)
        if letter in COMPOSED:
            text = formatted(m, COMPOSED[letter])
            return text.upper() if "^" in flags else text
        if letter in _NUMBERS:
            return _number(_NUMBERS[letter], m, width, pad)
        if letter in _WORDS:
            return _word(_WORDS[letter](m), flags, width, pad)
        return match.group() if pad == "" else match.group().rjust(width)

    return _DIRECTIVE.sub(show, layout)


def _padding(flags: str, digits: str) -> str | None:
    """None: as usual; "" for none at all."""
    marks = [f for f in flags if f in "-_0"]
    if not marks:
        return None
    last = marks[-1]
    return " " if last == "_" or (last == "-" and digits) else "0" if last == "0" else ""


def _offset(minutes: str, width: int, pad: str | None) -> str:
    """UTC's distance from UTC, whose hours are padded like any number."""
    if pad in (None, "0"):
        return "+" + f"00{minutes}".rjust(width - 1, "0")
    return f"+0{minutes}".rjust(max(width, 3 + len(minutes))) if pad else f"+0{minutes}"


def _number(kind: _Number, m: Moment, width: int, pad: str | None) -> str:
    value = kind.value(m)
    if pad == "":
        return str(value)
    size = (width or kind.width) if kind.fixed else max(width, kind.width)
    fill = kind.pad if pad is None else pad
    return str(value).zfill(size) if fill == "0" else str(value).rjust(size)


def _word(text: str, flags: str, width: int, pad: str | None) -> str:
    if "#" in flags:
        text = text.lower() if text.isupper() else text.upper()
    elif "^" in flags:
        text = text.upper()
    return text if pad == "" else text.rjust(width, pad or " ")
