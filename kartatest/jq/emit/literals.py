"""Values a program writes down: literals, strings, arrays, objects, arithmetic and comparisons."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from kartatest.jq import ast as jq
from kartatest.jq.budget import Meter
from kartatest.jq.code import (
    MISSING,
    NOTHING,
    Code,
    Env,
    One,
    Place,
    Scope,
    cartesian,
    constant,
    optional,
    single,
    stream,
)
from kartatest.jq.emit.core import emit, emits
from kartatest.jq.errors import JqRunError
from kartatest.jq.operators import ARITHMETIC, COMPARISONS, add, index, negate, whole
from kartatest.jq.values import SAFE, Exact, fail, is_number, preview
from kartatest.source import Json, Span


@emits(jq.Literal)
def _literal(node: jq.Literal, _scope: Scope) -> Code:
    value = node.value
    if type(value) is not int:
        return constant(value)

    def trail(_v: Json, place: Place, _env: Env) -> Iterator[tuple[Json, Place]]:
        yield Exact(value), place  # gojq tells its own whole numbers from those of the input, which are floats

    return constant(whole(value), trail)


@emits(jq.String)
def _string(node: jq.String, scope: Scope) -> Code:
    from kartatest.jq.builtins.formats import format_function

    meter = scope.meter
    show = format_function(node.format or "@text", meter)
    if len(node.parts) == 1 and isinstance(node.parts[0], str):
        return constant(node.parts[0])
    inner = [emit(p, scope) for p in node.parts if not isinstance(p, str)]
    texts = [p if isinstance(p, str) else None for p in node.parts]

    def join(_v: Json, *values: Json) -> str:
        rest = iter(values)
        return meter.text("".join(show(next(rest)) if t is None else t for t in texts))

    return cartesian(join, inner, node.span)


@emits(jq.Format)
def _format(node: jq.Format, scope: Scope) -> Code:
    from kartatest.jq.builtins.formats import format_function

    return cartesian(format_function(node.name, scope.meter), [], node.span)


@emits(jq.Array)
def _array(node: jq.Array, scope: Scope) -> Code:
    if node.body is None:
        return constant([])
    body = emit(node.body, scope)
    collect, inner, keep = body.collect, body.trail, scope.meter.keep

    def one(v: Json, env: Env) -> Json:
        return keep(collect(v, env))

    def trail(v: Json, place: Place, env: Env) -> Iterator[tuple[Json, Place]]:
        yield keep([x for x, _ in inner(v, place, env)]), place

    return single(one, trail)


@emits(jq.Object)
def _object(node: jq.Object, scope: Scope) -> Code:
    if not node.entries:
        return constant({})
    pairs: list[tuple[Code, Code | None]] = []
    for entry in node.entries:
        key = emit(entry.key, scope)
        if isinstance(entry.key, jq.Variable) and entry.value is None:
            pairs.append((constant(entry.key.name), key))
        else:
            pairs.append((key, None if entry.value is None else emit(entry.value, scope)))
    if all(k.one and (x is None or x.one) for k, x in pairs):
        return single(_one_object(pairs, scope.meter, node.span), _object_trail(pairs, scope.meter, node.span))

    def many(v: Json, env: Env) -> Iterator[Json]:
        yield from _objects(pairs, scope.meter, node.span, v, env, 0, ())

    return stream(many, _object_trail(pairs, scope.meter, node.span))


_Pairs = list[tuple[Code, "Code | None"]]


def _key(key: Json, span: Span) -> str:
    if not isinstance(key, str):
        raise fail(f"an object's keys are strings, not {preview(key)}", span)
    return key


def _one_object(pairs: _Pairs, meter: Meter, span: Span) -> One:
    if all(isinstance(k.const, str) for k, _ in pairs):
        size = 8 + 8 * len(pairs)
        fixed = [(k.const, None if x is None else x.one) for k, x in pairs]

        def plain(v: Json, env: Env) -> Json:
            meter.words(size)
            return {k: index(meter, v, k) if one is None else one(v, env) for k, one in fixed}

        return plain
    ones: list[tuple[Any, Any]] = [(k.one, None if x is None else x.one) for k, x in pairs]

    def computed(v: Json, env: Env) -> Json:
        meter.words(8 + 8 * len(pairs))
        made: dict[str, Json] = {}
        for read_key, one in ones:
            key = read_key(v, env)
            value = index(meter, v, key) if one is None else one(v, env)
            made[_key(key, span)] = value
        return made

    return computed


def _objects(
    pairs: _Pairs, meter: Meter, span: Span, v: Json, env: Env, at: int, done: tuple[tuple[Json, Json], ...]
) -> Iterator[Json]:
    if at == len(pairs):
        meter.words(8 + 8 * len(pairs))
        yield {_key(k, span): x for k, x in done}
        return
    key_code, value_code = pairs[at]
    for key in key_code.many(v, env):
        values = iter((index(meter, v, key),)) if value_code is None else value_code.many(v, env)
        for value in values:
            yield from _objects(pairs, meter, span, v, env, at + 1, (*done, (key, value)))


def _object_trail(pairs: _Pairs, meter: Meter, span: Span) -> Any:
    def trails(
        v: Json, place: Place, env: Env, at: int, done: tuple[tuple[Json, Json], ...]
    ) -> Iterator[tuple[Json, Place]]:
        if at == len(pairs):
            yield {_key(k, span): x for k, x in done}, place
            return
        key_code, value_code = pairs[at]
        for key, there in key_code.trail(v, place, env):
            found = iter(((index(meter, v, key), there),)) if value_code is None else value_code.trail(v, there, env)
            for value, after in found:
                yield from trails(v, after, env, at + 1, (*done, (key, value)))

    def trail(v: Json, place: Place, env: Env) -> Iterator[tuple[Json, Place]]:
        return trails(v, place, env, 0, ())

    return trail


@emits(jq.Negate)
def _negate(node: jq.Negate, scope: Scope) -> Code:
    body = emit(node.body, scope)
    if body.const is not MISSING and is_number(body.const):
        return constant(negate(body.const))
    one, many, inner, span = body.one, body.many, body.trail, node.span

    def minus(value: Json) -> Json:
        try:
            return negate(value)
        except JqRunError as e:
            e.span = span
            raise

    def trail(v: Json, place: Place, env: Env) -> Iterator[tuple[Json, Place]]:
        for x, there in inner(v, place, env):
            yield minus(x), there

    if one is not None:
        return single(lambda v, env: minus(one(v, env)), trail)
    return stream(lambda v, env: map(minus, many(v, env)), trail)


@emits(jq.Binary)
def _binary(node: jq.Binary, scope: Scope) -> Code:
    if node.op in ("and", "or"):
        return _logic(node, scope)
    if node.op == "//":
        return _alternative(node, scope)
    left, right = emit(node.left, scope), emit(node.right, scope)
    meter = scope.meter
    if node.op in COMPARISONS:
        test = _literal_test(node.op, left, right)
        if test is not None:
            return test
        compare = COMPARISONS[node.op]
        return cartesian(lambda _v, x, y: compare(meter, x, y), [left, right], node.span)
    compute = ARITHMETIC[node.op]
    if is_number(left.const) and is_number(right.const):
        try:
            return constant(_folded(node.op, left.const, right.const, meter))
        except JqRunError:
            pass
    if node.op == "+":
        return cartesian(lambda _v, x, y: add(meter, x, y), [left, right], node.span)
    return cartesian(lambda _v, x, y: compute(meter, x, y), [left, right], node.span)


def _folded(op: str, left: int | float, right: int | float, meter: Meter) -> Json:
    """Two numbers of the program: whole ones are computed exactly, as gojq does with its own."""
    if isinstance(left, int) and isinstance(right, int) and op in "+-*":
        return whole({"+": left + right, "-": left - right, "*": left * right}[op])
    return ARITHMETIC[op](meter, left, right)


def _literal_test(op: str, left: Code, right: Code) -> Code | None:
    """`==` and `!=` with a constant scalar on the right, the most common tests of all."""
    read, wanted = left.one, right.const
    if read is None or op not in ("==", "!=") or wanted is MISSING:
        return None
    matches: Callable[[Json], bool]
    if isinstance(wanted, str):
        matches = lambda x: x == wanted  # noqa: E731
    elif wanted is None or isinstance(wanted, bool):
        matches = lambda x: x is wanted  # noqa: E731
    elif type(wanted) is int and -SAFE < wanted < SAFE:
        matches = lambda x: x == wanted and type(x) is not bool  # noqa: E731
    else:
        return None

    def trail(v: Json, place: Place, env: Env) -> Iterator[tuple[Json, Place]]:
        for x, there in left.trail(v, place, env):
            yield matches(x) is (op == "=="), there

    if op == "==":
        if isinstance(wanted, str):
            return single(lambda v, env: read(v, env) == wanted, trail)
        return single(lambda v, env: matches(read(v, env)), trail)
    return single(lambda v, env: not matches(read(v, env)), trail)


def _logic(node: jq.Binary, scope: Scope) -> Code:
    left, right = emit(node.left, scope), emit(node.right, scope)
    decided = node.op == "or"  # the left truth that leaves the right side out
    first, second = left.one, right.one
    if first is not None and second is not None:

        def one(v: Json, env: Env) -> Json:
            x = first(v, env)
            if (x is not None and x is not False) is decided:
                return decided
            y = second(v, env)
            return y is not None and y is not False

        return single(one)

    def many(v: Json, env: Env) -> Iterator[Json]:
        for x in left.many(v, env):
            if (x is not None and x is not False) is decided:
                yield decided
            else:
                for y in right.many(v, env):
                    yield y is not None and y is not False

    return stream(many)


def _alternative(node: jq.Binary, scope: Scope) -> Code:
    left, right = emit(node.left, scope), emit(node.right, scope)

    def many(v: Json, env: Env) -> Iterator[Json]:
        found = False
        for x in left.many(v, env):
            if x is not None and x is not False:
                found = True
                yield x
        if not found:
            yield from right.many(v, env)

    def trail(v: Json, place: Place, env: Env) -> Iterator[tuple[Json, Place]]:
        found = False
        for x, there in left.trail(v, place, env):
            if x is not None and x is not False:
                found = True
                yield x, there
        if not found:
            yield from right.trail(v, place, env)

    first, second = left.maybe, right.maybe
    if first is None or second is None:
        return stream(many, trail)

    def maybe(v: Json, env: Env) -> Json:
        x = first(v, env)
        return second(v, env) if x is None or x is False or x is NOTHING else x

    if right.one is None:
        return optional(maybe, trail)
    if right.const is not MISSING:
        default = right.const

        def literal(v: Json, env: Env) -> Json:
            x = first(v, env)
            return default if x is None or x is False or x is NOTHING else x

        return single(literal, trail)
    return single(maybe, trail)
