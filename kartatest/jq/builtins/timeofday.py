"""Days and seconds in the proleptic Gregorian calendar, for any year."""

from __future__ import annotations

from kartatest.value import value


@value
class Moment:
    """A time in UTC. seconds count from 1970; month and day from 1, weekday from Sunday 0, yearday from 0."""

    seconds: int
    nanosecond: int
    year: int
    month: int
    day: int
    hour: int
    minute: int
    second: int
    weekday: int
    yearday: int


def days_of(year: int, month: int, day: int) -> int:
    """Days since 1970-01-01; months and days out of range carry over."""
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    shifted = year - (month < 3)
    era, of_era = divmod(shifted, 400)
    of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468


def seconds_of(year: int, month: int, day: int, hour: int, minute: int, second: int) -> int:
    """Seconds since 1970; every field may be out of range."""
    return ((days_of(year, month, day) * 24 + hour) * 60 + minute) * 60 + second


def moment(seconds: int, nanosecond: int = 0) -> Moment:
    """The fields of a time."""
    days, rest = divmod(seconds, 86400)
    era, of_era = divmod(days + 719468, 146097)
    year_of_era = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
    of_year = of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted = (5 * of_year + 2) // 153
    day = of_year - (153 * shifted + 2) // 5 + 1
    month = shifted + 3 if shifted < 10 else shifted - 9
    year = year_of_era + era * 400 + (month < 3)
    hour, rest = divmod(rest, 3600)
    minute, second = divmod(rest, 60)
    yearday = days - days_of(year, 1, 1)
    return Moment(seconds, nanosecond, year, month, day, hour, minute, second, (days + 4) % 7, yearday)


def iso_week(m: Moment) -> tuple[int, int]:
    """ISO year and week: weeks begin on Monday, the first one holds the year's first Thursday."""
    thursday = moment(m.seconds + (4 - (m.weekday or 7)) * 86400)
    return thursday.year, thursday.yearday // 7 + 1
