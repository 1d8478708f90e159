"""Functions that take programs: select, map, first, limit, any, recurse and their like."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from kartatest.jq import ast as jq
from kartatest.jq.budget import Meter
from kartatest.jq.builtins.core import from_entries
from kartatest.jq.builtins.registry import control
from kartatest.jq.code import NOTHING, Code, Env, Place, Scope, constant, optional, single, stream
from kartatest.jq.emit.core import emit
from kartatest.jq.emit.flow import piped
from kartatest.jq.emit.paths import keyed
from kartatest.jq.operators import compared, index, same
from kartatest.jq.values import fail, is_number, preview, text_of, to_float, values_of
from kartatest.source import Json, Span


def selecting(test: Code) -> Code:
    """`select(test)`: the input once for each true output of test."""

    def many(v: Json, env: Env) -> Iterator[Json]:
        for c in test.many(v, env):
            if c is not None and c is not False:
                yield v

    def trail(v: Json, place: Place, env: Env) -> Iterator[tuple[Json, Place]]:
        for c in test.many(v, env):
            if c is not None and c is not False:
                yield v, place

    one = test.one
    if one is None:
        return stream(many, trail)

    def maybe(v: Json, env: Env) -> Json:
        c = one(v, env)
        return NOTHING if c is None or c is False else v

    return optional(maybe, trail)


@control("select", 1)
def _select(_meter: Meter, _span: Span, test: Code) -> Code:
    return selecting(test)


@control("map", 1)
def _map(meter: Meter, span: Span, change: Code) -> Code:
    one, collect, keep, spend = change.one, change.collect, meter.keep, meter.spend
    if one is not None:

        def mapped(v: Json, env: Env) -> Json:
            values = v if type(v) is list else values_of(v, span)
            spend(len(values))
            return keep([one(x, env) for x in values])

        return single(mapped)

    def gathered(v: Json, env: Env) -> Json:
        values = v if type(v) is list else values_of(v, span)
        spend(len(values))
        return keep([y for x in values for y in collect(x, env)])

    return single(gathered)


def _first_of(change: Code, v: Json, env: Env) -> Json:
    return change.maybe(v, env) if change.maybe is not None else next(change.many(v, env), NOTHING)


def _mapped_values(v: Json, change: Code, env: Env, meter: Meter, span: Span) -> Json:
    """`map_values`: the first output for each value; where there is none, the value goes."""
    if v == {}:
        return v
    if isinstance(v, dict):
        meter.spend(len(v))
        meter.words(8 * len(v))
        pairs = [(k, _first_of(change, v[k], env)) for k in sorted(v)]
        return {k: x for k, x in pairs if x is not NOTHING}
    values = values_of(v, span)
    meter.spend(len(values))
    return meter.keep([x for y in values if (x := _first_of(change, y, env)) is not NOTHING])


@control("map_values", 1)
def _map_values(meter: Meter, span: Span, change: Code) -> Code:
    return single(lambda v, env: _mapped_values(v, change, env, meter, span))


@control("with_entries", 1)
def _with_entries(meter: Meter, span: Span, change: Code) -> Code:
    collect = change.collect

    def one(v: Json, env: Env) -> Json:
        if not isinstance(v, (dict, list)):
            raise fail(f"{preview(v)} has no entries", span)
        meter.spend(len(v))
        pairs = enumerate(v) if isinstance(v, list) else ((k, v[k]) for k in sorted(v))
        return from_entries(meter, [y for k, x in pairs for y in collect({"key": k, "value": x}, env)])

    return single(one)


@control("first", 1)
def _first(_meter: Meter, _span: Span, values: Code) -> Code:
    def trail(v: Json, place: Place, env: Env) -> Iterator[tuple[Json, Place]]:
        for pair in values.trail(v, place, env):
            yield pair
            return

    many = values.many
    if values.one is not None:
        return single(values.one, trail)
    return optional(values.maybe or (lambda v, env: next(many(v, env), NOTHING)), trail)


@control("last", 1)
def _last(_meter: Meter, _span: Span, values: Code) -> Code:
    def maybe(v: Json, env: Env) -> Json:
        x = NOTHING
        for x in values.many(v, env):  # noqa: B007
            pass
        return x

    return optional(maybe)  # in gojq 0.12.19 what last(f) gives has no path


_Take: TypeAlias = Callable[[float, Callable[[], Iterator[Any]]], Iterator[Any]]


def _counted(name: str, negative: str) -> Callable[[_Take], _Take]:
    """A function($n; program) whose first argument comes first; take(n, run) chooses among the outputs of run()."""

    def register(take: _Take) -> _Take:
        def make(meter: Meter, span: Span, count: Code, values: Code) -> Code:
            def taken(n: Json, run: Callable[[], Iterator[Any]]) -> Iterator[Any]:
                if compared(meter, n, 0) < 0:
                    raise fail(negative, span)
                if is_number(n):
                    yield from take(to_float(n), run)
                elif next(run(), NOTHING) is not NOTHING:  # without anything to count gojq does not look at it
                    raise fail(f"a count is a number, not {preview(n)}", span)

            def many(v: Json, env: Env) -> Iterator[Json]:
                for n in count.many(v, env):
                    yield from taken(n, lambda: values.many(v, env))

            def trail(v: Json, place: Place, env: Env) -> Iterator[tuple[Json, Place]]:
                for n in count.many(v, env):
                    yield from taken(n, lambda: values.trail(v, place, env))

            return stream(many, trail)

        control(name, 2)(make)
        return take

    return register


@_counted("limit", "limit takes no negative count")
def _limit(n: float, run: Callable[[], Iterator[Any]]) -> Iterator[Any]:
    if n > 0:
        for x in run():
            n -= 1
            yield x
            if n <= 0:
                return


@_counted("skip", "skip takes no negative count")
def _skip(n: float, run: Callable[[], Iterator[Any]]) -> Iterator[Any]:
    for x in run():
        n -= 1
        if n < 0:
            yield x


@_counted("nth", "nth takes no negative index")
def _nth(n: float, run: Callable[[], Iterator[Any]]) -> Iterator[Any]:
    for x in _skip(n, run):
        yield x
        return


def _member(name: str, arity: int, key: int) -> None:
    def make(meter: Meter, span: Span, *args: Code) -> Code:
        here = emit(jq.Identity(span=span), Scope(meter))
        return keyed(here, args[0] if args else constant(key), span, meter)

    control(name, arity)(make)


_member("first", 0, 0)
_member("last", 0, -1)
_member("nth", 1, 0)


@control("isempty", 1)
def _isempty(_meter: Meter, _span: Span, values: Code) -> Code:
    return single(lambda v, env: next(values.many(v, env), NOTHING) is NOTHING)


def _quantified(name: str, wanted: bool) -> None:
    """any and all: wanted is the truth that decides."""

    def run(meter: Meter, generate: Any, test: Code | None, v: Json, env: Env) -> bool:
        for x in generate:
            meter.spend(1)
            if test is None:
                if (x is not None and x is not False) is wanted:
                    return wanted
                continue
            for c in test.many(x, env):
                if (c is not None and c is not False) is wanted:
                    return wanted
        return not wanted

    @control(name)
    def _plain(meter: Meter, span: Span) -> Code:
        return single(lambda v, env: run(meter, values_of(v, span), None, v, env))

    @control(name, 1)
    def _tested(meter: Meter, span: Span, test: Code) -> Code:
        return single(lambda v, env: run(meter, values_of(v, span), test, v, env))

    @control(name, 2)
    def _generated(meter: Meter, span: Span, values: Code, test: Code) -> Code:
        return single(lambda v, env: run(meter, values.many(v, env), test, v, env))


_quantified("any", True)
_quantified("all", False)


@control("IN", 1)
def _in(meter: Meter, _span: Span, values: Code) -> Code:
    return single(lambda v, env: any(same(meter, x, v) for x in values.many(v, env)))


@control("IN", 2)
def _in_of(meter: Meter, _span: Span, source: Code, values: Code) -> Code:
    def one(v: Json, env: Env) -> Json:
        return any(same(meter, x, y) for y in values.many(v, env) for x in source.many(v, env))

    return single(one)


def _indexed(meter: Meter, rows: Iterator[Json], key: Code, env: Env, span: Span) -> Json:
    made: dict[str, Json] = {}
    for row in rows:
        meter.spend(1)
        meter.words(8)
        for k in key.many(row, env):
            made[text_of(k, meter)] = row
    return made


@control("INDEX", 1)
def _index(meter: Meter, span: Span, key: Code) -> Code:
    return single(lambda v, env: _indexed(meter, iter(values_of(v, span)), key, env, span))


@control("INDEX", 2)
def _index_of(meter: Meter, span: Span, rows: Code, key: Code) -> Code:
    return single(lambda v, env: _indexed(meter, rows.many(v, env), key, env, span))


def _joined(table: Code, rows: Code, key: Code, meter: Meter) -> Code:
    """Each row in an array, with all that the table holds under the row's keys."""

    def many(v: Json, env: Env) -> Iterator[Json]:
        for found in table.many(v, env):
            for row in rows.many(v, env):
                meter.spend(1)
                yield meter.keep([row, *(index(meter, found, k) for k in key.many(row, env))])

    return stream(many)


@control("JOIN", 2)
def _join(meter: Meter, span: Span, table: Code, key: Code) -> Code:
    rows = emit(jq.Iterate(jq.Identity(span=span), span=span), Scope(meter))

    def many(v: Json, env: Env) -> Iterator[Json]:
        for found in table.many(v, env):
            yield list(_joined(constant(found), rows, key, meter).many(v, env))

    return stream(many)


@control("JOIN", 3)
def _join_stream(meter: Meter, _span: Span, table: Code, rows: Code, key: Code) -> Code:
    return _joined(table, rows, key, meter)


@control("JOIN", 4)
def _join_changed(meter: Meter, _span: Span, table: Code, rows: Code, key: Code, change: Code) -> Code:
    return piped(_joined(table, rows, key, meter), change)
