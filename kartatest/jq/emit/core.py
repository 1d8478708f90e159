"""The table from kinds of nodes to what compiles them, and the recording of what a run reaches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar

from kartatest.jq.ast import Node
from kartatest.jq.code import MISSING, Code, Env, One, Place, Scope
from kartatest.source import Json, Span

Emitter: TypeAlias = Callable[[Any, Scope], Code]
_E = TypeVar("_E", bound=Emitter)

TABLE: dict[type[Node], Emitter] = {}


def emits(kind: type[Node]) -> Callable[[_E], _E]:
    """Registers the function that compiles nodes of this kind."""

    def register(function: _E) -> _E:
        TABLE[kind] = function
        return function

    return register


def emit(node: Node, scope: Scope) -> Code:
    """The code of a node whose names are looked up in scope. Raises JqCompileError."""
    code = TABLE[type(node)](node, scope)
    return code if scope.hits is None else _recorded(code, node.span, scope.hits)


def _recorded(code: Code, span: Span, hits: set[Span]) -> Code:
    """code that adds span to hits whenever it runs; nothing may look through it and skip it."""
    many, trail = code.many, code.trail

    def recorded(one: Any) -> One | None:
        if one is None:
            return None

        def run(v: Json, env: Env) -> Json:
            hits.add(span)
            return one(v, env)

        return run

    def recorded_many(v: Json, env: Env) -> Iterator[Json]:
        hits.add(span)
        return many(v, env)

    def recorded_trail(v: Json, place: Place, env: Env) -> Iterator[tuple[Json, Place]]:
        hits.add(span)
        return trail(v, place, env)

    def collect(v: Json, env: Env) -> list[Json]:
        hits.add(span)
        return code.collect(v, env)

    return replace(
        code,
        many=recorded_many,
        trail=recorded_trail,
        one=recorded(code.one),
        maybe=recorded(code.maybe),
        collect=collect,
        keys=None,
        const=MISSING,
    )
