"""Text to times, by the letters of strptime (gojq 0.12.19): case is ignored, fields out of range are errors."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from kartatest.jq.builtins.strftime import COMPOSED, MONTHS, WEEKDAYS
from kartatest.jq.builtins.timeofday import days_of, moment, seconds_of
from kartatest.jq.values import fail, preview

_OFFSET = re.compile(r"Z|([+-])([01][0-9]|2[0-3])(?::?([0-5][0-9])(?::?([0-5][0-9]))?)?")
_BLANKS = re.compile(r"[ \t\n\v\f\r]+")
_DIGITS = {n: re.compile(rf"[0-9]{{1,{n}}}") for n in (1, 2, 3, 4, 6, 19)}
_ZONE = re.compile(r"UTC|GMT|[A-Z]{3}|[A-Z]{3}T|[A-Z]{3}ST")


@dataclass
class _Reader:
    """A text being read, and what was found so far."""

    text: str
    layout: str
    at: int = 0
    offset: int = 0
    found: dict[str, int] = field(default_factory=dict)

    def refuse(self) -> Exception:
        return fail(f"{preview(self.text)} is no time like {self.layout}")

    def number(self, digits: int, low: int, high: int) -> int:
        match = _DIGITS[digits].match(self.text, self.at)
        if match is None or not low <= int(match.group()) <= high:
            raise self.refuse()
        self.at = match.end()
        return int(match.group())

    def sign(self) -> int:
        if self.text.startswith("-", self.at):
            self.at += 1
            return -1
        return 1

    def word(self, words: list[str]) -> int:
        for i, word in enumerate(words):
            if self.text[self.at : self.at + len(word)].lower() == word.lower():
                self.at += len(word)
                return i
        raise self.refuse()

    def literal(self, text: str) -> None:
        if not self.text.startswith(text, self.at):
            raise self.refuse()
        self.at += len(text)

    def blank(self) -> None:
        self.at += self.text.startswith(" ", self.at)

    def pattern(self, pattern: re.Pattern[str]) -> re.Match[str]:
        match = pattern.match(self.text, self.at)
        if match is None:
            raise self.refuse()
        self.at = match.end()
        return match


def parsed(text: str, layout: str) -> tuple[int, int]:
    """Seconds since 1970 and nanoseconds. Raises JqRunError when text does not follow layout to its end."""
    reader = _Reader(text, layout)
    _follow(reader, layout)
    if reader.at < len(text):
        raise reader.refuse()
    return _seconds(reader), reader.found.get("nanosecond", 0)


def _follow(reader: _Reader, layout: str) -> None:
    i = 0
    while i < len(layout):
        letter = layout[i]
        i += 1
        if letter != "%":
            reader.literal(letter)
            continue
        while layout.startswith(":", i) and ":" in layout[i : i + 1]:
            i += 1  # %:z and its like read the same offsets
            if not layout[i:].lstrip(":").startswith("z"):
                raise reader.refuse()
        letter = layout[i : i + 1]
        i += 1
        if letter in COMPOSED and letter:
            _follow(reader, COMPOSED[letter])
        elif letter in _READ and letter:
            _READ[letter](reader)
        else:
            raise reader.refuse()


def _store(name: str, read: Callable[[_Reader], int]) -> Callable[[_Reader], None]:
    def run(reader: _Reader) -> None:
        reader.found[name] = read(reader)

    return run


def _year(reader: _Reader) -> int:
    return reader.sign() * reader.number(4, 0, 9999)


def _short_year(reader: _Reader) -> int:
    year = reader.number(2, 0, 99)
    return year + (2000 if year < 69 else 1900)


def _spaced(digits: int, low: int, high: int) -> Callable[[_Reader], int]:
    def run(reader: _Reader) -> int:
        reader.blank()
        return reader.number(digits, low, high)

    return run


def _iso(read: Callable[[_Reader], int]) -> Callable[[_Reader], None]:
    def run(reader: _Reader) -> None:
        reader.found["year"] = read(reader)
        reader.found["iso"] = 1

    return run


def _fraction(reader: _Reader) -> int:
    start = reader.at
    value = reader.number(6, 0, 999_999)
    digits = reader.at - start
    return int(f"{value:0{digits}}".ljust(9, "0"))


def _whitespace(reader: _Reader) -> None:
    reader.pattern(_BLANKS)


def _unix(reader: _Reader) -> None:
    m = moment(reader.sign() * reader.number(19, 0, 2**63))
    for name in ("year", "month", "day", "hour", "minute", "second"):
        reader.found[name] = getattr(m, name)


def _zone(reader: _Reader) -> None:
    reader.pattern(_ZONE)


def _zone_offset(reader: _Reader) -> None:
    match = reader.pattern(_OFFSET)
    sign, hours, minutes, seconds = match.groups()
    total = (int(hours or 0) * 60 + int(minutes or 0)) * 60 + int(seconds or 0)
    reader.offset = -total if sign == "-" else total


def _hour12(reader: _Reader) -> int:
    return reader.number(2, 1, 12) % 12


def _week(kind: str, low: int) -> Callable[[_Reader], None]:
    def run(reader: _Reader) -> None:
        reader.found["week"] = reader.number(2, low, 53)
        reader.found["week_kind"] = "UWV".index(kind)

    return run


_READ: dict[str, Callable[[_Reader], None]] = {
    "Y": _store("year", _year),
    "G": _iso(_year),
    "y": _store("year", _short_year),
    "g": _iso(_short_year),
    "C": _store("century", lambda r: r.number(2, 0, 99)),
    "m": _store("month", lambda r: r.number(2, 1, 12)),
    "B": _store("month", lambda r: r.word(MONTHS) + 1),
    "b": _store("month", lambda r: r.word([m[:3] for m in MONTHS]) + 1),
    "h": _store("month", lambda r: r.word([m[:3] for m in MONTHS]) + 1),
    "A": _store("weekday", lambda r: r.word(WEEKDAYS) + 1),
    "a": _store("weekday", lambda r: r.word([d[:3] for d in WEEKDAYS]) + 1),
    "w": _store("weekday", lambda r: r.number(1, 0, 6) + 1),
    "u": _store("weekday", lambda r: r.number(1, 1, 7) % 7 + 1),
    "U": _week("U", 0),
    "W": _week("W", 0),
    "V": _week("V", 1),
    "d": _store("day", lambda r: r.number(2, 1, 31)),
    "e": _store("day", _spaced(2, 1, 31)),
    "j": _store("yearday", lambda r: r.number(3, 1, 366)),
    "H": _store("hour", lambda r: r.number(2, 0, 23)),
    "k": _store("hour", _spaced(2, 0, 23)),
    "I": _store("hour", _hour12),
    "l": _store("hour", lambda r: _spaced(2, 1, 12)(r) % 12),
    "p": _store("pm", lambda r: r.word(["AM", "PM"])),
    "P": _store("pm", lambda r: r.word(["AM", "PM"])),
    "M": _store("minute", lambda r: r.number(2, 0, 59)),
    "S": _store("second", lambda r: r.number(2, 0, 60)),
    "s": _unix,
    "f": _store("nanosecond", _fraction),
    "Z": _zone,
    "z": _zone_offset,
    "t": _whitespace,
    "n": _whitespace,
    "%": lambda r: r.literal("%"),
}


def _seconds(reader: _Reader) -> int:
    found = reader.found
    year, month, day = found.get("year", 1900), found.get("month", 1), found.get("day", 0)
    if "century" in found:
        year = found["century"] * 100 + year % 100
    if not day:
        month, day = _day_by_week(reader, year, month)
    hour = found.get("hour", 0) + 12 * found.get("pm", 0)
    return seconds_of(year, month, day, hour, found.get("minute", 0), found.get("second", 0)) - reader.offset


def _day_by_week(reader: _Reader, year: int, month: int) -> tuple[int, int]:
    """Month and day from the day of the year or from week and weekday; the first of the month without them."""
    found = reader.found
    if found.get("yearday"):
        if "iso" in found:
            raise reader.refuse()
        return 1, found["yearday"]
    kind = found.get("week_kind")
    if kind is None:
        return month, 1
    if (kind == 2) is not ("iso" in found):
        raise reader.refuse()
    start = (0, 1, 4)[kind]  # Sunday, Monday, Thursday: what the year's first week must hold
    week, weekday = found["week"], found.get("weekday", (1, 2, 2)[kind])
    if kind and weekday == 1:
        week += 1
    before = days_of(year, 1, -start)
    weekday_before = (before + 4) % 7
    return 1, before + week * 7 - weekday_before + weekday - 1 - days_of(year, 1, 1) + 1
