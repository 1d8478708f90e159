"""Calls: functions that the expression defines, and builtins by the tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kartatest.infer import lattice as la
from kartatest.infer.counts import MANY, ONE, PERHAPS
from kartatest.infer.patterned import PATTERNED, compiles
from kartatest.infer.place import new_root
from kartatest.infer.scalars import ARGUMENT, SIMPLE
from kartatest.infer.state import NO_OUT, Closure, Env, Out
from kartatest.jq import ast as jq

if TYPE_CHECKING:
    from kartatest.infer.interpret import Interpreter
    from kartatest.infer.lattice import Value

MOST_NESTED = 3
"""How often a function may be inside itself before it counts as unknown."""


def call(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
    """What a call gives."""
    closure = env.functions.get((node.name, len(node.args)))
    if closure is not None:
        return _defined(interp, closure, node, value, env)
    if value.place is None:
        value = value.at(new_root())
    if not node.args and node.name in SIMPLE:
        return _simple(interp, node, value)
    if (node.name, len(node.args)) in ARGUMENT:
        return _on_arguments(interp, node, value, env)
    from kartatest.infer.builtins import BUILTINS

    run = BUILTINS.get((node.name, len(node.args)))
    if run is not None:
        return run(interp, node, value, env)
    for arg in node.args:
        interp.quiet(arg, value, env)
    return interp.give_up()


def _defined(interp: Interpreter, closure: Closure, node: jq.Call, value: Value, env: Env) -> Out:
    if sum(one is closure or one.body is closure.body for one in interp.stack) >= MOST_NESTED:
        return interp.give_up()
    inner = closure.env.having(env.facts)
    if closure.recursive:
        inner = inner.defining(closure)
    total = ONE
    for name, arg in zip(closure.params, node.args, strict=True):
        plain = name.removeprefix("$")
        inner = inner.defining(Closure(plain, (), arg, env, recursive=False))
        if name.startswith("$"):
            made = interp.run(arg, value, env)
            if made.value.never:
                return NO_OUT
            total *= made.count
            held = made.value if made.value.place is not None else made.value.at(new_root())
            inner = inner.binding({plain: held})
    interp.stack.append(closure)
    try:
        made = interp.run(closure.body, value, inner)
    finally:
        interp.stack.pop()
    return Out(made.value, total * made.count, made.facts)


def _simple(interp: Interpreter, node: jq.Call, value: Value) -> Out:
    rule = SIMPLE[node.name]
    sound = interp.need(node, value, rule.takes, f"is given to `{node.name}`")
    if sound.never:
        return NO_OUT
    if rule.strict and sound.may(rule.strict):
        interp.fail(node, rule.why or f"may be no value that `{node.name}` can read", sound, rule.strict)
    if callable(rule.gives):
        return Out(rule.gives(sound))
    return Out(la.of_kinds(rule.gives, whole=rule.whole))


def _on_arguments(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
    rule = ARGUMENT[node.name, len(node.args)]
    sound = interp.need(node, value, rule.takes, f"is given to `{node.name}`")
    total = ONE
    given = []
    for arg in node.args:
        made = interp.run(arg, value, env)
        given.append(made.value)
        total *= made.count
        interp.need(arg, made.value, rule.argument, f"is given to `{node.name}`")
    if sound.never:
        return NO_OUT
    if rule.unsure and not (node.name in PATTERNED and compiles(given)):
        interp.failures += 1
        interp.complete = False
    many = {"many": MANY, "perhaps": PERHAPS}.get(rule.count, ONE)
    gives = rule.gives(sound) if callable(rule.gives) else la.of_kinds(rule.gives, whole=rule.whole)
    return Out(gives, total * many)
