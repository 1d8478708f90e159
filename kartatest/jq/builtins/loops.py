"""Functions that go on: range, recurse, walk, and the unbounded ones that a definition may not call."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from kartatest.jq import ast as jq
from kartatest.jq.budget import Meter
from kartatest.jq.builtins.control import selecting
from kartatest.jq.builtins.registry import control
from kartatest.jq.code import NOTHING, Code, Env, Place, Scope, constant, stream
from kartatest.jq.emit.core import emit
from kartatest.jq.emit.flow import piped
from kartatest.jq.operators import add, compared
from kartatest.jq.values import SAFE, fail, is_number, preview
from kartatest.source import Json, Span


@control("range", 1)
def _range_to(meter: Meter, span: Span, stop: Code) -> Code:
    return _range(meter, span, constant(0), stop, constant(1))


@control("range", 2)
def _range_between(meter: Meter, span: Span, start: Code, stop: Code) -> Code:
    return _range(meter, span, start, stop, constant(1))


def _count(meter: Meter, first: int, last: int) -> Iterator[Json]:
    for at in range(first, last):
        meter.steps -= 1
        if meter.steps < 0:
            meter.out_of_steps()
        yield at


@control("range", 3)
def _range(meter: Meter, span: Span, start: Code, stop: Code, step: Code) -> Code:
    def many(v: Json, env: Env) -> Iterator[Json]:
        for first in start.many(v, env):
            for last in stop.many(v, env):
                for by in step.many(v, env):
                    for x in (first, last, by):
                        if not is_number(x):
                            raise fail(f"a range goes from number to number, not {preview(x)}", span)
                    if by == 1 and type(first) is int and abs(first) <= SAFE and abs(last) <= SAFE:
                        yield from _count(meter, first, math.ceil(last))
                        continue
                    at = first
                    while compared(meter, by, 0) * compared(meter, at, last) < 0:
                        meter.spend(1)
                        yield at
                        at = add(meter, at, by)

    return stream(many)


def _descend(meter: Meter, below: Any, first: Any) -> Iterator[Any]:
    """first and all that below leads to, each before what is below it."""
    meter.spend(1)
    yield first
    stack = [below(first)]
    while stack:
        x = next(stack[-1], NOTHING)
        if x is NOTHING:
            stack.pop()
            continue
        meter.spend(1)
        meter.words(8)
        yield x
        stack.append(below(x))


@control("recurse", 1)
def recursing(meter: Meter, _span: Span, step: Code) -> Code:
    """`recurse(step)`"""

    def trail(v: Json, place: Place, env: Env) -> Iterator[tuple[Json, Place]]:
        return _descend(meter, lambda pair: step.trail(pair[0], pair[1], env), (v, place))

    return stream(lambda v, env: _descend(meter, lambda x: step.many(x, env), v), trail)


@control("recurse", 2)
def _recurse_while(meter: Meter, span: Span, step: Code, test: Code) -> Code:
    return recursing(meter, span, piped(step, selecting(test)))


@control("recurse")
def _recurse(meter: Meter, span: Span) -> Code:
    return emit(jq.Recurse(span=span), Scope(meter))


@control("repeat", 1)
def _repeat(meter: Meter, span: Span, step: Code) -> Code:
    # gojq: each output of step once, and again and again on the same input
    def many(v: Json, env: Env) -> Iterator[Json]:
        while True:
            meter.spend(1)
            yield from step.many(v, env)

    return stream(many)


@control("while", 2)
def _while(meter: Meter, span: Span, test: Code, step: Code) -> Code:
    tested = selecting(test)
    return piped(tested, recursing(meter, span, piped(step, tested)))


@control("until", 2)
def _until(meter: Meter, _span: Span, test: Code, step: Code) -> Code:
    def many(v: Json, env: Env) -> Iterator[Json]:
        stack = [iter((v,))]
        while stack:
            x = next(stack[-1], NOTHING)
            if x is NOTHING:
                stack.pop()
                continue
            meter.spend(1)
            for c in test.many(x, env):
                if c is not None and c is not False:
                    yield x
                else:
                    stack.append(step.many(x, env))

    return stream(many)


@control("walk", 1)
def _walk(meter: Meter, span: Span, change: Code) -> Code:
    def inner(v: Json, env: Env) -> Json:
        if isinstance(v, list):
            return meter.keep([y for x in v for y in many(x, env)])
        if isinstance(v, dict) and v:
            found = [(k, next(many(v[k], env), NOTHING)) for k in sorted(v)]
            meter.words(8 * len(found))
            return {k: x for k, x in found if x is not NOTHING}
        return v

    def many(v: Json, env: Env) -> Iterator[Json]:
        meter.spend(1)
        yield from change.many(inner(v, env), env)

    return stream(many)
