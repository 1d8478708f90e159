"""Functions of times, always in UTC: seconds since 1970, broken-down arrays and text."""

from __future__ import annotations

import math

from kartatest.jq.budget import Meter
from kartatest.jq.builtins.registry import function
from kartatest.jq.builtins.strftime import formatted
from kartatest.jq.builtins.strptime import parsed
from kartatest.jq.builtins.timeofday import Moment, moment, seconds_of
from kartatest.jq.values import fail, is_number, normal, preview, to_float, to_int
from kartatest.source import Json

_ISO = "%Y-%m-%dT%H:%M:%SZ"
_ISO_ZONE = "%Y-%m-%dT%H:%M:%S%z"


def _broken_down(seconds: float) -> list[Json]:
    """Year, month from 0, day, hour, minute, second with fraction, weekday from Sunday, day of the year from 0."""
    if not math.isfinite(seconds) or abs(seconds) > 2**47:
        raise fail(f"{preview(seconds)} seconds are out of range")
    m = moment(math.trunc(seconds), int((seconds - math.floor(seconds)) * 1e9))
    return [m.year, m.month - 1, m.day, m.hour, m.minute, normal(m.second + m.nanosecond / 1e9), m.weekday, m.yearday]


def _moment(value: Json) -> Moment:
    """The time a broken-down array stands for; fields out of range carry over, absent ones are zero."""
    if not isinstance(value, list) or not all(is_number(x) for x in value[:8]):
        raise fail(f"a time is an array of numbers, not {preview(value)}")
    fields = [to_int(x) for x in value[:6]]
    if any(abs(x) > 2**40 for x in fields):
        raise fail(f"{preview(value)} is out of range")
    year, month, day, hour, minute, second = [*fields, *[0] * (6 - len(fields))]
    exact = to_float(value[5]) if len(value) > 5 else 0.0
    return moment(seconds_of(year, month + 1, day, hour, minute, second), int((exact - math.floor(exact)) * 1e9))


@function("gmtime")
def _gmtime(_meter: Meter, v: Json) -> Json:
    if not is_number(v):
        raise fail(f"gmtime takes seconds, not {preview(v)}")
    return _broken_down(to_float(v))


@function("mktime")
def _mktime(_meter: Meter, v: Json) -> Json:
    m = _moment(v)
    return normal(float(m.seconds) + m.nanosecond / 1e9)


def strftime(meter: Meter, v: Json, layout: Json) -> Json:
    """`strftime(layout)` of seconds or a broken-down array."""
    value = _broken_down(to_float(v)) if is_number(v) else v
    if not isinstance(layout, str):
        raise fail(f"a time layout is a string, not {preview(layout)}")
    meter.spend(4 + len(layout) + max(0, len(layout) - 1000))  # a long one may be all `%c`
    return meter.text(formatted(_moment(value), layout))


def strptime(meter: Meter, v: Json, layout: Json) -> Json:
    """`strptime(layout)` as a broken-down array."""
    if not isinstance(v, str) or not isinstance(layout, str):
        raise fail(f"strptime reads strings, not {preview(v)}")
    meter.spend(8 + len(layout))
    seconds, nanosecond = parsed(v, layout)
    return _broken_down(float(seconds) + nanosecond / 1e9)


function("strftime", 1)(strftime)
function("strptime", 1)(strptime)


def _to_date(meter: Meter, v: Json) -> Json:
    return strftime(meter, v, _ISO)


def _from_date(meter: Meter, v: Json) -> Json:
    return _mktime(meter, strptime(meter, v, _ISO_ZONE))


for _name in ("todate", "todateiso8601"):
    function(_name)(_to_date)
for _name in ("fromdate", "fromdateiso8601"):
    function(_name)(_from_date)
