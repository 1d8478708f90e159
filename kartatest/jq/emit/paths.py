"""Steps into values: `.`, `..`, `.a`, `[k]`, `[a:b]`, `[]`, and `?`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from kartatest.jq import ast as jq
from kartatest.jq.budget import Meter
from kartatest.jq.code import NOTHING, Code, Env, One, Place, Scope, constant, further, intact, optional, single, stream
from kartatest.jq.emit.core import emit, emits
from kartatest.jq.errors import JqRunError
from kartatest.jq.operators import index, slice_of
from kartatest.jq.values import fail, preview, values_of
from kartatest.source import Json, Span


@emits(jq.Identity)
def _identity(_node: jq.Identity, _scope: Scope) -> Code:
    def trail(v: Json, place: Place, _env: Env) -> Iterator[tuple[Json, Place]]:
        yield v, place

    return single(lambda v, _env: v, trail, keys=())


@emits(jq.Recurse)
def _recurse(_node: jq.Recurse, scope: Scope) -> Code:
    meter = scope.meter

    def many(v: Json, _env: Env) -> Iterator[Json]:
        stack = [v]
        while stack:
            x = stack.pop()
            meter.steps -= 1
            if meter.steps < 0:
                meter.out_of_steps()
            yield x
            if isinstance(x, (list, dict)):
                stack.extend(reversed(values_of(x)))

    def trail(v: Json, place: Place, _env: Env) -> Iterator[tuple[Json, Place]]:
        stack = [(v, place)]
        while stack:
            x, there = stack.pop()
            meter.spend(1)
            yield x, there
            if isinstance(x, (list, dict)):
                here = intact(x, there, meter)
                depth = len(here[0] or ())
                meter.spend(depth // 8)
                meter.words(depth)
                stack.extend([(y, further(here, k, y)) for k, y in reversed(items_of(x))])

    return stream(many, trail)


def items_of(value: Json) -> list[tuple[Json, Json]]:
    """Keys and values of an array or object, in the order of `.[]`."""
    return list(enumerate(value)) if isinstance(value, list) else [(k, value[k]) for k in sorted(value)]


@emits(jq.Index)
def _index(node: jq.Index, scope: Scope) -> Code:
    target = emit(node.target, scope)
    key = emit(node.key, scope)
    if isinstance(key.const, str) and target.one is not None:
        return _member(target, key.const, node.span, scope.meter)
    return keyed(target, key, node.span, scope.meter)


def _step(k: Json, span: Span, meter: Meter) -> Any:
    def step(v: Json) -> Json:
        try:
            return index(meter, v, k)
        except JqRunError as e:
            e.span = span
            raise

    return step


def _member(target: Code, key: str, span: Span, meter: Meter) -> Code:
    """`.a` after something with one output; chains of them become one loop."""
    inner, read = target.trail, target.one
    step = _step(key, span, meter)

    def trail(v: Json, place: Place, env: Env) -> Iterator[tuple[Json, Place]]:
        for x, there in inner(v, place, env):
            found = step(x)
            yield found, further(intact(x, there, meter, span), key, found)

    if target.keys is not None:
        return _chain((*target.keys, key), target, span, trail)
    assert read is not None

    def one(v: Json, env: Env) -> Json:
        x = read(v, env)
        return x.get(key) if type(x) is dict else step(x)

    return single(one, trail)


def _chain(keys: tuple[str, ...], target: Code, span: Span, trail: Any) -> Code:
    inner = target.one
    assert inner is not None
    last = keys[-1]
    if len(keys) == 1:

        def first(v: Json, _env: Env) -> Json:
            if type(v) is dict:
                return v.get(last)
            if v is None:
                return None
            return _lost(v, last, span)

        return single(first, trail, keys=keys)

    def one(v: Json, env: Env) -> Json:
        x = v
        for k in keys:
            if type(x) is dict:
                x = x.get(k)
            elif x is None:
                return None
            else:
                return _lost(inner(v, env), last, span)  # inner fails first when the fault is before the last key
        return x

    return single(one, trail, keys=keys)


def _lost(value: Json, key: str, span: Span) -> Json:
    if isinstance(value, dict):  # a subclass of dict
        return value.get(key)
    raise fail(f'cannot read "{key}" of {preview(value)}', span)


def keyed(target: Code, key: Code, span: Span, meter: Meter) -> Code:
    """`target[key]`: for each key, each target (gojq evaluates the key first, outside paths)."""

    def read(v: Json, k: Json) -> Json:
        try:
            return index(meter, v, k)
        except JqRunError as e:
            e.span = e.span or span
            raise

    def many(v: Json, env: Env) -> Iterator[Json]:
        for k in key.many(v, env):
            for x in target.many(v, env):
                yield read(x, k)

    def trail(v: Json, place: Place, env: Env) -> Iterator[tuple[Json, Place]]:
        for k in key.many(v, env):
            for x, there in target.trail(v, place, env):
                found = read(x, k)
                yield found, further(intact(x, there, meter, span), k, found)

    key_one, target_one = key.one, target.one
    if key_one is None or target_one is None:
        return stream(many, trail)

    def one(v: Json, env: Env) -> Json:
        k = key_one(v, env)
        return read(target_one(v, env), k)

    return single(one, trail)


@emits(jq.Slice)
def _slice(node: jq.Slice, scope: Scope) -> Code:
    target = emit(node.target, scope)
    start = constant(None) if node.start is None else emit(node.start, scope)
    stop = constant(None) if node.stop is None else emit(node.stop, scope)
    meter, span = scope.meter, node.span

    def cut(x: Json, a: Json, b: Json) -> Json:
        try:
            return slice_of(meter, x, a, b)
        except JqRunError as e:
            e.span = span
            raise

    def trail(v: Json, place: Place, env: Env) -> Iterator[tuple[Json, Place]]:
        for a in start.many(v, env):
            for b in stop.many(v, env):
                for x, there in target.trail(v, place, env):
                    found = cut(x, a, b)
                    yield found, further(intact(x, there, meter, span), {"start": a, "end": b}, found)

    def many(v: Json, env: Env) -> Iterator[Json]:
        for a in start.many(v, env):
            for b in stop.many(v, env):
                for x in target.many(v, env):
                    yield cut(x, a, b)

    first, last, read = start.one, stop.one, target.one
    if first is None or last is None or read is None:
        return stream(many, trail)

    def one(v: Json, env: Env) -> Json:
        a = first(v, env)
        b = last(v, env)
        return cut(read(v, env), a, b)

    return single(one, trail)


@emits(jq.Iterate)
def _iterate(node: jq.Iterate, scope: Scope) -> Code:
    return each(emit(node.target, scope), node.span, scope.meter, lenient=False)


def each(target: Code, span: Span, meter: Meter, *, lenient: bool) -> Code:
    """`target[]`; lenient leaves out what cannot be iterated over."""
    read, targets = target.one, target.many

    def items(x: Json) -> list[Json]:
        if lenient and not isinstance(x, (list, dict)):
            return []
        found = values_of(x, span)
        meter.steps -= len(found) + 1
        if meter.steps < 0:
            meter.out_of_steps()
        return found

    def trail(v: Json, place: Place, env: Env) -> Iterator[tuple[Json, Place]]:
        for x, there in target.trail(v, place, env):
            if lenient and not isinstance(x, (list, dict)):
                continue
            items(x)
            try:
                here = intact(x, there, meter, span)
            except JqRunError:
                if lenient:
                    continue
                raise
            for k, found in items_of(x):
                yield found, further(here, k, found)

    if read is not None:

        def collect(v: Json, env: Env) -> list[Json]:
            return items(read(v, env))

        return stream(lambda v, env: iter(items(read(v, env))), trail, collect, at_once=True)

    def many(v: Json, env: Env) -> Iterator[Json]:
        for x in targets(v, env):
            yield from items(x)

    return stream(many, trail)


@emits(jq.Try)
def _try(node: jq.Try, scope: Scope) -> Code:
    guarded = node.body
    if node.handler is None and isinstance(guarded, jq.Iterate) and (node.step or guarded.target == jq.Identity()):
        return each(emit(guarded.target, scope), guarded.span, scope.meter, lenient=True)
    if node.step and isinstance(guarded, (jq.Index, jq.Slice)):
        step = replace(guarded, target=jq.Identity(span=guarded.target.span))
        return emit(jq.Pipe(guarded.target, replace(node, body=step, step=False), span=node.span), scope)
    body = emit(guarded, scope)
    return attempt(body, None if node.handler is None else emit(node.handler, scope))


def attempt(body: Code, handler: Code | None) -> Code:
    """`try body catch handler`: outputs before the error stay."""

    def many(v: Json, env: Env) -> Iterator[Json]:
        try:
            yield from body.many(v, env)
        except JqRunError as e:
            error = e
        else:
            return
        if handler is not None:
            yield from handler.many(error.value, env)

    def trail(v: Json, place: Place, env: Env) -> Iterator[tuple[Json, Place]]:
        try:
            yield from body.trail(v, place, env)
        except JqRunError as e:
            error = e
        else:
            return
        if handler is not None:
            yield from handler.trail(error.value, place, env)

    read = body.maybe
    if read is None or (handler is not None and handler.maybe is None):
        return stream(many, trail)
    rescue: One = (lambda _v, _env: NOTHING) if handler is None or handler.maybe is None else handler.maybe

    def maybe(v: Json, env: Env) -> Json:
        try:
            return read(v, env)
        except JqRunError as e:
            error = e
        return rescue(error.value, env)

    if body.one is not None and handler is not None and handler.one is not None:
        return single(maybe, trail)
    return optional(maybe, trail)
