"""What the variables of a destructuring pattern can be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kartatest.infer import lattice as la
from kartatest.infer.lattice import ARRAY, NULL, UNKNOWN, Value
from kartatest.infer.paths import step as _step
from kartatest.infer.place import new_root
from kartatest.jq import ast as jq
from kartatest.jq.ast import Pattern

if TYPE_CHECKING:
    from kartatest.infer.interpret import Interpreter
    from kartatest.infer.state import Env


def bound(
    interp: Interpreter, patterns: tuple[Pattern, ...], source: Value, value: Value, env: Env
) -> dict[str, Value]:
    """The variables of patterns when source is taken apart by one of them; null where another one binds them."""
    if len(patterns) == 1 and isinstance(patterns[0], jq.VariablePattern):
        there = source if source.place is not None else source.at(new_root())
        return {patterns[0].name: there}
    made: dict[str, Value] = {}
    for pattern in patterns:
        for name, held in _parts(interp, pattern, source, value, env):
            made[name] = la.join(made[name], held) if name in made else held
    if len(patterns) > 1:
        interp.complete = False
        return {name: la.join(held, la.NULL_VALUE) for name, held in made.items()}
    return made


def _parts(interp: Interpreter, pattern: Pattern, source: Value, value: Value, env: Env) -> Iterator[tuple[str, Value]]:
    match pattern:
        case jq.VariablePattern(name=name):
            yield name, source
        case jq.ArrayPattern(items=items):
            source = interp.need(pattern, source, NULL | ARRAY, "is taken apart as an array")
            for number, item in enumerate(items):
                step = jq.Index(jq.Identity(), jq.Literal(number), span=item.span)
                yield from _parts(interp, item, _taken(interp, step, source, la.constant(number)), value, env)
        case jq.ObjectPattern(entries=entries):
            for entry in entries:
                key = entry.key
                if isinstance(key, jq.VariablePattern):
                    step = jq.Index(jq.Identity(), jq.Literal(key.name), span=entry.span)
                    held = _taken(interp, step, source, la.constant(key.name))
                    yield key.name, held
                else:
                    step = jq.Index(jq.Identity(), key, span=key.span)
                    held = _taken(interp, step, source, interp.run(key, value, env).value)
                if entry.value is not None:
                    yield from _parts(interp, entry.value, held, value, env)
        case _:
            yield from ()


def _taken(interp: Interpreter, step: jq.Index, source: Value, key: Value) -> Value:
    interp.keep(step)
    if source.never:
        return UNKNOWN
    return _step(interp, step, source, key)
