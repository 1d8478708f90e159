"""How values flow: `|`, `,`, `if`, `label` and `break`, `reduce`, `foreach`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from kartatest.jq import ast as jq
from kartatest.jq.code import (
    NOTHING,
    BreakSignal,
    Code,
    Env,
    Place,
    Scope,
    lookup,
    optional,
    single,
    stream,
)
from kartatest.jq.emit.bind import patterned
from kartatest.jq.emit.core import emit, emits
from kartatest.jq.errors import JqCompileError
from kartatest.source import Json


@emits(jq.Pipe)
def _pipe(node: jq.Pipe, scope: Scope) -> Code:
    return piped(emit(node.left, scope), emit(node.right, scope))


def piped(left: Code, right: Code) -> Code:
    """`left | right`"""
    outer, inner = left.trail, right.trail

    def trail(v: Json, place: Place, env: Env) -> Iterator[tuple[Json, Place]]:
        for x, there in outer(v, place, env):
            yield from inner(x, there, env)

    first, second = left.one, right.one
    if first is not None and second is not None:
        return single(lambda v, env: second(first(v, env), env), trail)
    first_maybe, second_maybe = left.maybe, right.maybe
    if first_maybe is not None and second_maybe is not None:

        def maybe(v: Json, env: Env) -> Json:
            x = first_maybe(v, env)
            return NOTHING if x is NOTHING else second_maybe(x, env)

        return optional(maybe, trail)
    if first is not None:
        rest, rest_all = right.many, right.collect
        return stream(
            lambda v, env: rest(first(v, env), env),
            trail,
            lambda v, env: rest_all(first(v, env), env),
            at_once=right.at_once,
        )
    return _streamed(left, right, trail)


def _streamed(left: Code, right: Code, trail: object) -> Code:
    lefts, rights, all_rights = left.many, right.many, right.collect
    gathered: Callable[[Json, Env], Iterable[Json]] = left.collect if left.at_once else lefts
    second, second_maybe = right.one, right.maybe
    if second is not None:
        return stream(
            lambda v, env: (second(x, env) for x in lefts(v, env)),
            trail,  # type: ignore[arg-type]
            lambda v, env: [second(x, env) for x in gathered(v, env)],
        )
    if second_maybe is not None:
        return stream(
            lambda v, env: (y for x in lefts(v, env) if (y := second_maybe(x, env)) is not NOTHING),
            trail,  # type: ignore[arg-type]
            lambda v, env: [y for x in gathered(v, env) if (y := second_maybe(x, env)) is not NOTHING],
        )

    def many(v: Json, env: Env) -> Iterator[Json]:
        for x in lefts(v, env):
            yield from rights(x, env)

    return stream(many, trail, lambda v, env: [y for x in gathered(v, env) for y in all_rights(x, env)])  # type: ignore[arg-type]


@emits(jq.Comma)
def _comma(node: jq.Comma, scope: Scope) -> Code:
    left, right = emit(node.left, scope), emit(node.right, scope)
    meter = scope.meter

    def many(v: Json, env: Env) -> Iterator[Json]:
        meter.spend(1)
        yield from left.many(v, env)
        yield from right.many(v, env)

    def collect(v: Json, env: Env) -> list[Json]:
        meter.spend(1)
        return left.collect(v, env) + right.collect(v, env)

    def trail(v: Json, place: Place, env: Env) -> Iterator[tuple[Json, Place]]:
        meter.spend(1)
        yield from left.trail(v, place, env)
        yield from right.trail(v, place, env)

    return stream(many, trail, collect)


@emits(jq.If)
def _if(node: jq.If, scope: Scope) -> Code:
    condition, yes = emit(node.condition, scope), emit(node.consequence, scope)
    no = emit(node.alternative or jq.Identity(span=node.span), scope if node.alternative else scope.quiet())
    return chosen(condition, yes, no)


def chosen(condition: Code, yes: Code, no: Code) -> Code:
    """`if condition then yes else no end`, once for each output of condition."""

    def many(v: Json, env: Env) -> Iterator[Json]:
        for c in condition.many(v, env):
            yield from (no if c is None or c is False else yes).many(v, env)

    def trail(v: Json, place: Place, env: Env) -> Iterator[tuple[Json, Place]]:
        for c in condition.many(v, env):
            yield from (no if c is None or c is False else yes).trail(v, place, env)

    test = condition.one
    yes_one, no_one, yes_maybe, no_maybe = yes.one, no.one, yes.maybe, no.maybe
    if test is not None and yes_one is not None and no_one is not None:

        def one(v: Json, env: Env) -> Json:
            c = test(v, env)
            return no_one(v, env) if c is None or c is False else yes_one(v, env)

        return single(one, trail)
    if test is not None and yes_maybe is not None and no_maybe is not None:

        def maybe(v: Json, env: Env) -> Json:
            c = test(v, env)
            return no_maybe(v, env) if c is None or c is False else yes_maybe(v, env)

        return optional(maybe, trail)
    return stream(many, trail)


@emits(jq.Label)
def _label(node: jq.Label, scope: Scope) -> Code:
    body = emit(node.body, scope.bind("label", node.name))

    def many(v: Json, env: Env) -> Iterator[Json]:
        mark = object()
        try:
            yield from body.many(v, (mark, env))
        except BreakSignal as signal:
            if signal.label is not mark:
                raise

    def trail(v: Json, place: Place, env: Env) -> Iterator[tuple[Json, Place]]:
        mark = object()
        try:
            yield from body.trail(v, place, (mark, env))
        except BreakSignal as signal:
            if signal.label is not mark:
                raise

    return stream(many, trail)


@emits(jq.Break)
def _break(node: jq.Break, scope: Scope) -> Code:
    found = scope.find(("label",), node.name)
    if found is None:
        raise JqCompileError(f"there is no label ${node.name} to break to", node.span)
    read = lookup(scope.level - found.level)

    def maybe(_v: Json, env: Env) -> Json:
        raise BreakSignal(read(env))

    return optional(maybe)


@emits(jq.Reduce)
def _reduce(node: jq.Reduce, scope: Scope) -> Code:
    init = emit(node.init, scope)
    bound = patterned(node.source, node.patterns, scope)
    update = emit(node.update, bound.scope)
    meter = scope.meter

    def fold(v: Json, env: Env, state: Json) -> Json:
        for inner in bound.envs(v, env):
            meter.spend(1)
            for state in update.many(state, inner):  # noqa: B007, B020 - the last one is kept
                pass
        return state

    def many(v: Json, env: Env) -> Iterator[Json]:
        for start in init.many(v, env):
            yield fold(v, env, start)

    def trail(v: Json, place: Place, env: Env) -> Iterator[tuple[Json, Place]]:
        for state, there in init.trail(v, place, env):
            for inner, after in bound.places(v, there, env):
                meter.spend(1)
                for state, _ in update.trail(state, after, inner):  # noqa: B007, B020
                    pass
            yield state, there

    first = init.one
    if first is not None:
        return single(lambda v, env: fold(v, env, first(v, env)), trail)
    return stream(many, trail)


@emits(jq.Foreach)
def _foreach(node: jq.Foreach, scope: Scope) -> Code:
    init = emit(node.init, scope)
    bound = patterned(node.source, node.patterns, scope)
    update = emit(node.update, bound.scope)
    extract = None if node.extract is None else emit(node.extract, bound.scope)
    meter = scope.meter

    def many(v: Json, env: Env) -> Iterator[Json]:
        for state in init.many(v, env):
            for inner in bound.envs(v, env):
                meter.spend(1)
                for state in update.many(state, inner):  # noqa: B020
                    if extract is None:
                        yield state
                    else:
                        yield from extract.many(state, inner)

    def trail(v: Json, place: Place, env: Env) -> Iterator[tuple[Json, Place]]:
        for state, there in init.trail(v, place, env):
            for inner, after in bound.places(v, there, env):
                meter.spend(1)
                for state, last in update.trail(state, after, inner):  # noqa: B020
                    if extract is None:
                        yield state, last
                    else:
                        yield from extract.trail(state, last, inner)

    return stream(many, trail)
