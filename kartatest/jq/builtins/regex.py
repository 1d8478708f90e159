"""Regular expressions by RE2: test, match, capture, scan, split, sub. Matching takes linear time.

Flags are g, i and m (where `.` also matches a line break), as in gojq 0.12.19; any other is an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import accumulate
from typing import Any

from kartatest.jq.budget import Meter
from kartatest.jq.builtins.registry import control, function
from kartatest.jq.code import Code, Env, stream
from kartatest.jq.errors import JqBudgetError, JqRunError
from kartatest.jq.operators import add
from kartatest.jq.values import fail, preview
from kartatest.source import Json, Span

_MOST_TEXT = 10_000
_MEMORY = 4 * 2**20
_MOST_STATE = 64 * 2**20
_TOO_LARGE = 30_000
_LOCAL = re.compile(r"[^*+{]*|[^*+{|()]*[*+]")
"""Expressions that look no further than their own length behind the end of a match."""


@lru_cache(maxsize=64)
def _compiled(text: str, flags: str) -> tuple[Any, tuple[str | None, ...]]:
    """The program and the names of its groups. Raises JqRunError."""
    import re2

    if unknown := sorted(set(flags) - set("gim")):
        raise fail(f"there is no flag {unknown[0]} for regular expressions, only g, i and m")
    if len(text) > _MOST_TEXT:
        raise fail(f"a regular expression of {len(text)} characters is too long")
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MEMORY
    options.dot_nl = "m" in flags
    options.case_sensitive = "i" not in flags
    try:
        program = re2.compile(text.encode("utf-8", "replace"), options=options)
    except re2.error as e:
        reason = e.args[0].decode("utf-8", "replace") if e.args and isinstance(e.args[0], bytes) else str(e)
        raise fail(f"{text!r} is no regular expression: {reason}") from None
    names: list[str | None] = [None] * (program.groups + 1)
    for name, group in program.groupindex.items():
        names[group] = name.decode("utf-8")
    return program, tuple(names)


def _ready(meter: Meter, text: str, flags: str) -> tuple[Any, tuple[str | None, ...]]:
    """_compiled(), counted once in a run, kept from earlier or not."""
    seen = meter.patterns = set() if meter.patterns is None else meter.patterns
    new = (text, flags) not in seen
    if new:
        meter.spend(8 + len(text) // 16)
    try:
        program, names = _compiled(text, flags)
    except JqRunError as e:
        if "too large" in e.message:
            meter.spend(_TOO_LARGE)
        raise
    if new:
        meter.spend(program.programsize // 8)
        seen.add((text, flags))
    if program.programsize * len(names) * 16 > _MOST_STATE:
        raise JqBudgetError(f"a regular expression with {len(names) - 1} groups takes too much memory")
    return program, names


def _spend_search(meter: Meter, program: Any, size: int) -> None:
    """Count a search of so many bytes: each may be looked at by each part of the program, for each group."""
    meter.spend(size * (program.programsize + 8) * (3 + program.groups) // 1024)


def _arguments(v: Json, expression: Json, flags: Json) -> tuple[str, str, str]:
    if not isinstance(v, str):
        raise fail(f"a regular expression looks into strings, not {preview(v)}")
    if not isinstance(expression, str):
        raise fail(f"a regular expression is a string, not {preview(expression)}")
    if flags is not None and not isinstance(flags, str):
        raise fail(f"flags are a string, not {preview(flags)}")
    return v, expression, flags or ""


def _spans(meter: Meter, program: Any, data: bytes, *, everywhere: bool) -> Iterator[list[tuple[int, int]]]:
    """Matches as byte ranges; an empty one right behind another match does not count (Go's regexp)."""
    at, previous = 0, -1
    local = _LOCAL.fullmatch(program.pattern.decode("utf-8")) is not None
    _spend_search(meter, program, len(data))
    while at <= len(data):
        if at:
            _spend_search(meter, program, program.programsize if local else len(data) - at)
        found = program.search(data, at)
        if found is None:
            return
        spans = [found.span(i) for i in range(program.groups + 1)]
        start, end = spans[0]
        if end > at:
            yield spans
            at = end
        else:
            if start != previous:
                yield spans
            at += 1
            while at < len(data) and data[at] & 0xC0 == 0x80:
                at += 1
        if not everywhere:
            return
        previous = end


def _offsets(text: str, data: bytes) -> Callable[[int], int]:
    """The function from bytes to characters."""
    if len(text) == len(data):
        return lambda at: at
    table = [0, *accumulate(int(b & 0xC0 != 0x80) for b in data)]
    return lambda at: table[at]


def matches(meter: Meter, v: Json, expression: Json, flags: Json) -> list[dict[str, Json]]:
    """The objects that `match` gives."""
    text, pattern, letters = _arguments(v, expression, flags)
    meter.spend(1 + len(text) // 32)
    program, names = _ready(meter, pattern, letters)
    data = text.encode("utf-8", "replace")
    place = _offsets(text, data)
    found: list[dict[str, Json]] = []
    for spans in _spans(meter, program, data, everywhere="g" in letters):
        meter.spend(3 + len(spans))
        meter.words(32 * len(spans))
        captures: list[Json] = [_part(text, place, span, names[i]) for i, span in enumerate(spans) if i]
        whole = _part(text, place, spans[0], None)
        del whole["name"]
        found.append({**whole, "captures": captures})
    return found


def _part(text: str, place: Callable[[int], int], span: tuple[int, int], name: str | None) -> dict[str, Json]:
    if span[0] < 0:
        return {"name": name, "offset": -1, "length": 0, "string": None}
    start, end = place(span[0]), place(span[1])
    return {"name": name, "offset": start, "length": end - start, "string": text[start:end]}


def _test(meter: Meter, v: Json, expression: Json, flags: Json) -> bool:
    text, pattern, letters = _arguments(v, expression, flags)
    meter.spend(1 + len(text) // 32)
    program, _ = _ready(meter, pattern, letters)
    data = text.encode("utf-8", "replace")
    _spend_search(meter, program, len(data))
    return program.search(data) is not None


@function("test", 1)
def _test_plain(meter: Meter, v: Json, expression: Json) -> bool:
    return _test(meter, v, expression, None)


@function("test", 2, first_outer=True)
def _test_flags(meter: Meter, v: Json, expression: Json, flags: Json) -> bool:
    return _test(meter, v, expression, flags)


def _captured(match: dict[str, Json]) -> dict[str, Json]:
    return {c["name"]: c["string"] for c in match["captures"] if c["name"] is not None}


def _scanned(match: dict[str, Json]) -> Json:
    return [c["string"] for c in match["captures"]] if match["captures"] else match["string"]


def _with_g(meter: Meter, flags: Json) -> Json:
    return add(meter, flags, "g")


def _streaming(name: str, show: Callable[[dict[str, Json]], Json], *, everywhere: bool) -> None:
    """Adds name/1 and name/2: show of each match."""

    def many(meter: Meter, span: Span, expression: Code, flags: Code | None, v: Json, env: Env) -> Iterator[Json]:
        for e in expression.many(v, env):
            for f in flags.many(v, env) if flags is not None else (None,):
                try:
                    found = matches(meter, v, e, _with_g(meter, f) if everywhere else f)
                except JqRunError as error:
                    error.span = error.span or span
                    raise
                yield from map(show, found)

    @control(name, 1)
    def _alone(meter: Meter, span: Span, expression: Code) -> Code:
        return stream(lambda v, env: many(meter, span, expression, None, v, env))

    @control(name, 2)
    def _flagged(meter: Meter, span: Span, expression: Code, flags: Code) -> Code:
        return stream(lambda v, env: many(meter, span, expression, flags, v, env))


_streaming("match", lambda m: m, everywhere=False)
_streaming("capture", _captured, everywhere=False)
_streaming("scan", _scanned, everywhere=True)


def _pieces(meter: Meter, v: Json, expression: Json, flags: Json) -> list[Json]:
    parts: list[Json] = []
    at = 0
    for match in matches(meter, v, expression, _with_g(meter, flags)):
        parts.append(v[at : match["offset"]])
        at = match["offset"] + match["length"]
    parts.append(v[at:])
    return parts


@control("splits", 1)
def _splits(meter: Meter, span: Span, expression: Code) -> Code:
    return stream(lambda v, env: (x for e in expression.many(v, env) for x in _pieces(meter, v, e, None)))


@control("splits", 2)
def _splits_flags(meter: Meter, span: Span, expression: Code, flags: Code) -> Code:
    def many(v: Json, env: Env) -> Iterator[Json]:
        for e in expression.many(v, env):
            for f in flags.many(v, env):
                yield from _pieces(meter, v, e, f)

    return stream(many)


@control("split", 2)
def _split(meter: Meter, span: Span, expression: Code, flags: Code) -> Code:
    def many(v: Json, env: Env) -> Iterator[Json]:
        for e in expression.many(v, env):
            for f in flags.many(v, env):
                yield _pieces(meter, v, e, f)

    return stream(many)


def _substitution(name: str, *, everywhere: bool) -> None:
    """Adds sub or gsub: one result for each output of the replacement, which sees the named groups."""

    def results(meter: Meter, v: Json, e: Json, f: Json, replacement: Code, env: Env) -> Iterator[Json]:
        rows: list[Json] = []
        at = 0
        for match in matches(meter, v, e, _with_g(meter, f) if everywhere else f):
            before = v[at : match["offset"]]
            for i, new in enumerate(replacement.many(_captured(match), env)):
                piece = add(meter, before, new)
                if i == len(rows):
                    rows.append(None)
                rows[i] = add(meter, rows[i], piece)
            at = match["offset"] + match["length"]
        if not rows:
            yield v
        for row in rows:
            yield add(meter, row, v[at:])

    def many(meter: Meter, span: Span, args: tuple[Code, ...], v: Json, env: Env) -> Iterator[Json]:
        for e in args[0].many(v, env):
            for f in args[2].many(v, env) if len(args) == 3 else (None,):
                try:
                    yield from results(meter, v, e, f, args[1], env)
                except JqRunError as error:
                    error.span = error.span or span
                    raise

    @control(name, 2)
    def _alone(meter: Meter, span: Span, *args: Code) -> Code:
        return stream(lambda v, env: many(meter, span, args, v, env))

    @control(name, 3)
    def _flagged(meter: Meter, span: Span, *args: Code) -> Code:
        return stream(lambda v, env: many(meter, span, args, v, env))


_substitution("sub", everywhere=False)
_substitution("gsub", everywhere=True)
