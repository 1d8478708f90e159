"""`as`, with patterns and their alternatives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from kartatest.jq import ast as jq
from kartatest.jq.code import BreakSignal, Code, Env, Place, Scope, lookup, optional, single, stream
from kartatest.jq.emit.core import emit, emits
from kartatest.jq.errors import JqRunError
from kartatest.jq.operators import index
from kartatest.jq.values import fail, preview
from kartatest.source import Json
from kartatest.value import value

Binder: TypeAlias = Callable[[Json, Env], Iterator[Env]]


@value
class Bound:
    """A source with its patterns: the scope behind them, and the environments they give."""

    scope: Scope
    envs: Callable[[Json, Env], Iterator[Env]]
    places: Callable[[Json, Place, Env], Iterator[tuple[Env, Place]]]


@emits(jq.Bind)
def _bind(node: jq.Bind, scope: Scope) -> Code:
    source = emit(node.source, scope)
    if len(node.patterns) == 1:
        pattern = node.patterns[0]
        if isinstance(pattern, jq.VariablePattern):
            return _plain(source, emit(node.body, scope.bind("var", pattern.name)))
        binder, inside = _binder(pattern, scope)
        return _destructured(source, [binder], emit(node.body, inside))
    binders, inside = _alternatives(node.patterns, scope)
    return _destructured(source, binders, emit(node.body, inside))


def _plain(source: Code, body: Code) -> Code:
    """`source as $x | body`"""

    def many(v: Json, env: Env) -> Iterator[Json]:
        for x in source.many(v, env):
            yield from body.many(v, (x, env))

    def trail(v: Json, place: Place, env: Env) -> Iterator[tuple[Json, Place]]:
        for x in source.many(v, env):
            yield from body.trail(v, place, (x, env))

    read, run, run_maybe = source.one, body.one, body.maybe
    if read is not None and run is not None:
        return single(lambda v, env: run(v, (read(v, env), env)), trail)
    if read is not None and run_maybe is not None:
        return optional(lambda v, env: run_maybe(v, (read(v, env), env)), trail)
    return stream(many, trail)


def _destructured(source: Code, binders: Sequence[Binder], body: Code) -> Code:
    """Each source value through the first pattern; an error there or in the body tries the next one."""

    def many(v: Json, env: Env) -> Iterator[Json]:
        for x in source.many(v, env):
            for binder in binders:
                try:
                    for inner in binder(x, env):
                        yield from body.many(v, inner)
                    break
                except (JqRunError, BreakSignal):
                    if binder is binders[-1]:
                        raise

    def trail(v: Json, place: Place, env: Env) -> Iterator[tuple[Json, Place]]:
        for x in source.many(v, env):
            for binder in binders:
                try:
                    for inner in binder(x, env):
                        yield from body.trail(v, place, inner)
                    break
                except (JqRunError, BreakSignal):
                    if binder is binders[-1]:
                        raise

    return stream(many, trail)


def patterned(source: jq.Ast, patterns: tuple[jq.Pattern, ...], scope: Scope) -> Bound:
    """The source and pattern of reduce and foreach."""
    code = emit(source, scope)
    if len(patterns) == 1:
        binder, inside = _binder(patterns[0], scope)
    else:
        binders, inside = _alternatives(patterns, scope)

        def binder(x: Json, env: Env) -> Iterator[Env]:
            for attempt in binders:
                try:
                    yield from attempt(x, env)
                    return
                except JqRunError:
                    if attempt is binders[-1]:
                        raise

    def envs(v: Json, env: Env) -> Iterator[Env]:
        for x in code.many(v, env):
            yield from binder(x, env)

    def places(v: Json, place: Place, env: Env) -> Iterator[tuple[Env, Place]]:
        for x, there in code.trail(v, place, env):
            for inner in binder(x, env):
                yield inner, there

    if len(patterns) == 1 and isinstance(patterns[0], jq.VariablePattern):
        return Bound(inside, lambda v, env: ((x, env) for x in code.many(v, env)), places)
    return Bound(inside, envs, places)


def _alternatives(patterns: Sequence[jq.Pattern], scope: Scope) -> tuple[list[Binder], Scope]:
    """Binders that all end in the same scope: every name of every pattern, null where the pattern lacks it."""
    names: list[str] = []
    for pattern in patterns:
        names += [n.name for n in jq.walk(pattern) if isinstance(n, jq.VariablePattern) and n.name not in names]
    shared = scope
    for name in names:
        shared = shared.bind("var", name)
    binders = []
    for pattern in patterns:
        binder, inside = _binder(pattern, scope)
        readers: list[Callable[[Env], Json] | None] = []
        for name in names:
            found = inside.find(("var",), name)
            own = found is not None and found.level > scope.level
            readers.append(lookup(inside.level - found.level) if own and found is not None else None)
        binders.append(_levelled(binder, readers))
    return binders, shared


def _levelled(binder: Binder, readers: Sequence[Callable[[Env], Json] | None]) -> Binder:
    def bind(x: Json, env: Env) -> Iterator[Env]:
        for inner in binder(x, env):
            after = env
            for read in readers:
                after = (None if read is None else read(inner), after)
            yield after

    return bind


def _binder(pattern: jq.Pattern, scope: Scope) -> tuple[Binder, Scope]:
    if isinstance(pattern, jq.VariablePattern):
        return (lambda x, env: iter(((x, env),))), scope.bind("var", pattern.name)
    if isinstance(pattern, jq.ArrayPattern):
        return _array_binder(pattern, scope)
    return _object_binder(pattern, scope)


def _array_binder(pattern: jq.ArrayPattern, scope: Scope) -> tuple[Binder, Scope]:
    binders = []
    for item in pattern.items:
        binder, scope = _binder(item, scope)
        binders.append(binder)

    def bind(x: Json, env: Env, at: int = 0) -> Iterator[Env]:
        if at == len(binders):
            yield env
            return
        if x is not None and not isinstance(x, list):
            raise fail(f"cannot take {preview(x)} apart as an array", pattern.span)
        item = x[at] if x is not None and at < len(x) else None
        for inner in binders[at](item, env):
            yield from bind(x, inner, at + 1)

    return bind, scope


def _object_binder(pattern: jq.ObjectPattern, scope: Scope) -> tuple[Binder, Scope]:
    meter = scope.meter
    steps: list[tuple[str | Code, bool, Binder | None]] = []
    for entry in pattern.entries:
        key: str | Code
        names = isinstance(entry.key, jq.VariablePattern)
        if isinstance(entry.key, jq.VariablePattern):
            key = entry.key.name
            scope = scope.bind("var", key)
        else:
            code = emit(entry.key, scope)
            key = code.const if isinstance(code.const, str) else code
        binder = None
        if entry.value is not None:
            binder, scope = _binder(entry.value, scope)
        steps.append((key, names, binder))

    def bind(x: Json, env: Env, at: int = 0) -> Iterator[Env]:
        if at == len(steps):
            yield env
            return
        key, names, binder = steps[at]
        keys = iter((key,)) if isinstance(key, str) else key.many(x, env)  # on the object taken apart, not on `.`
        for k in keys:
            try:
                found = index(meter, x, k)
            except JqRunError as e:
                e.span = e.span or pattern.span
                raise
            named = (found, env) if names else env
            for inner in binder(found, named) if binder is not None else iter((named,)):
                yield from bind(x, inner, at + 1)

    return bind, scope
