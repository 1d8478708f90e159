"""Names: functions of the program and of the language, closures as parameters, variables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kartatest.jq import ast as jq
from kartatest.jq.code import Code, Env, Place, Scope, drop, lookup, single, stream
from kartatest.jq.emit.core import emit, emits
from kartatest.jq.errors import JqCompileError
from kartatest.source import Json


@emits(jq.Variable)
def _variable(node: jq.Variable, scope: Scope) -> Code:
    found = scope.find(("var",), node.name)
    if found is None:
        raise JqCompileError(f"there is no variable ${node.name}", node.span)
    read = lookup(scope.level - found.level)
    return single(lambda _v, env: read(env))


@emits(jq.Define)
def _define(node: jq.Define, scope: Scope) -> Code:
    function = node.function
    inside = outside = scope.define(function.name, function.params)
    for param in function.params:
        inside = inside.bind("param", param.removeprefix("$"))
    for param in function.params:
        if param.startswith("$"):
            inside = inside.bind("var", param[1:])
    outside.body.append(emit(function.body, inside))
    return emit(node.rest, outside)


@emits(jq.Module)
def _module(node: jq.Module, scope: Scope) -> Code:
    if node.imports:
        raise JqCompileError("definitions cannot import modules", node.imports[0].span)
    return emit(node.body, scope)


@emits(jq.Call)
def _call(node: jq.Call, scope: Scope) -> Code:
    from kartatest.jq import builtins

    found = scope.find(("function", "param"), node.name, len(node.args))
    args = [emit(a, scope) for a in node.args]
    if found is not None:
        return _closure(found, scope) if found.kind == "param" else _own(found, args, scope)
    maker = builtins.find(node.name, len(node.args))
    if maker is None:
        raise JqCompileError(f"there is no function {node.name}/{len(node.args)}", node.name_span)
    return maker(args, scope.meter, node.span)


def _closure(found: Scope, scope: Scope) -> Code:
    read = lookup(scope.level - found.level)
    meter = scope.meter

    def many(v: Json, env: Env) -> Iterator[Json]:
        meter.spend(1)
        code, outer = read(env)
        return code.many(v, outer)  # type: ignore[no-any-return]

    def trail(v: Json, place: Place, env: Env) -> Iterator[tuple[Json, Place]]:
        meter.spend(1)
        code, outer = read(env)
        return code.trail(v, place, outer)  # type: ignore[no-any-return]

    return stream(many, trail)


def _own(found: Scope, args: Sequence[Code], scope: Scope) -> Code:
    links, body, meter = scope.level - found.level, found.body, scope.meter
    valued = [a for a, p in zip(args, found.params, strict=True) if p.startswith("$")]

    def choices(v: Json, env: Env, frame: Env, at: int) -> Iterator[Env]:
        if at == len(valued):
            yield frame
            return
        for x in valued[at].many(v, env):
            yield from choices(v, env, (x, frame), at + 1)

    def frames(v: Json, env: Env) -> Iterator[Env]:
        frame = drop(env, links)
        for arg in args:
            frame = ((arg, env), frame)
        return choices(v, env, frame, 0)

    def many(v: Json, env: Env) -> Iterator[Json]:
        for frame in frames(v, env):
            meter.enter()
            try:
                yield from body[0].many(v, frame)
            finally:
                meter.leave()

    def trail(v: Json, place: Place, env: Env) -> Iterator[tuple[Json, Place]]:
        for frame in frames(v, env):
            meter.enter()
            try:
                yield from body[0].trail(v, place, frame)
            finally:
                meter.leave()

    return stream(many, trail)
