"""Literals, texts, arrays and objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from kartatest.infer import lattice as la
from kartatest.infer.counts import ONE, Count
from kartatest.infer.lattice import ARRAY, NEVER, STRING, UNKNOWN, Value
from kartatest.infer.paths import step
from kartatest.infer.state import Env, Out
from kartatest.jq import ast as jq
from kartatest.jq.ast import Node

if TYPE_CHECKING:
    from kartatest.infer.interpret import Interpreter


def _identity(interp: Interpreter, node: jq.Identity, value: Value, env: Env) -> Out:
    return Out(env.narrowed(value))


def _recurse(interp: Interpreter, node: jq.Recurse, value: Value, env: Env) -> Out:
    return Out(UNKNOWN, Count(1, None))


def _literal(interp: Interpreter, node: jq.Literal, value: Value, env: Env) -> Out:
    return Out(la.constant(node.value))


def _string(interp: Interpreter, node: jq.String, value: Value, env: Env) -> Out:
    total = ONE
    for part in node.parts:
        if isinstance(part, Node):
            total *= interp.run(part, value, env).count
    if node.format in ("@csv", "@tsv", "@sh", "@base64d", "@urid"):
        interp.failures += 1
        interp.complete = False
    return Out(la.of_kinds(STRING), total)


def _format(interp: Interpreter, node: jq.Format, value: Value, env: Env) -> Out:
    if node.name in ("@csv", "@tsv"):
        interp.need(node, value, ARRAY, f"is given to `{node.name}`")
    if node.name in ("@csv", "@tsv", "@sh", "@base64d", "@urid"):
        interp.failures += 1
        interp.complete = False
    return Out(la.of_kinds(STRING))


def _array(interp: Interpreter, node: jq.Array, value: Value, env: Env) -> Out:
    if node.body is None:
        return Out(la.array(NEVER, 0, 0))
    made = interp.run(node.body, value, env)
    return Out(la.array(made.value, made.count.low, made.count.high, made.count.over or None))


def _object(interp: Interpreter, node: jq.Object, value: Value, env: Env) -> Out:
    total = ONE
    fields: dict[str, Value] = {}
    rest: Value | None = None
    for entry in node.entries:
        names, held, count = _entry(interp, entry, value, env)
        total *= count
        if names is not None and len(names) == 1:
            fields[names[0]] = held
        else:
            rest = held if rest is None else la.join(rest, held)
    if rest is not None:
        return Out(la.record({}, la.join(rest, *fields.values())), total)
    return Out(la.record(fields, None, fields), total)


def _entry(interp: Interpreter, entry: jq.Entry, value: Value, env: Env) -> tuple[list[str] | None, Value, Count]:
    key = entry.key
    if isinstance(key, jq.Variable):
        return [key.name], interp.run(key, value, env).value, ONE
    made = interp.run(key, value, env)
    interp.need(key, made.value, STRING, "is no name of a field")
    names = [str(c) for c in made.value.consts] if made.value.consts is not None else None
    if entry.value is not None:
        held = interp.run(entry.value, value, env)
        return names, held.value, made.count * held.count
    short = jq.Index(jq.Identity(span=key.span), key, span=key.span)
    interp.keep(short)
    return names, step(interp, short, env.narrowed(value), made.value), made.count


HANDLERS: Final[Mapping[type, Callable[..., Out]]] = {
    jq.Identity: _identity,
    jq.Recurse: _recurse,
    jq.Literal: _literal,
    jq.String: _string,
    jq.Format: _format,
    jq.Array: _array,
    jq.Object: _object,
}
"""By node type: (interpreter, node, input, scope) -> what it gives."""
