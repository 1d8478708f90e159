"""Builtins that take programs as arguments, or that look into their input."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeAlias

from kartatest.infer import lattice as la
from kartatest.infer.counts import MANY, NONE, ONE, PERHAPS, Count
from kartatest.infer.gathering import GATHERING
from kartatest.infer.lattice import (
    ALL,
    ARRAY,
    BOOLEAN,
    FALSE,
    NULL,
    NUMBER,
    OBJECT,
    SCALAR,
    STRING,
    TRUE,
    UNKNOWN,
    Kind,
    Value,
)
from kartatest.infer.paths import step
from kartatest.infer.patterned import compiles
from kartatest.infer.place import new_root
from kartatest.infer.state import NO_OUT, Env, Out
from kartatest.jq import ast as jq

if TYPE_CHECKING:
    from kartatest.infer.interpret import Interpreter

Builtin: TypeAlias = Callable[["Interpreter", jq.Call, Value, Env], Out]


def _select(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
    from kartatest.infer.refine import refined

    (condition,) = node.args
    made = interp.run(condition, value, env)
    if not made.value.may(ALL & ~(NULL | FALSE)):
        return NO_OUT
    facts = refined(interp, condition, value, env, True)
    kept = env.having(facts).narrowed(value)
    sure = not made.value.may(NULL | FALSE)
    return Out(kept, made.count if sure else made.count.perhaps(), facts)


def _kind_filter(kinds: Kind) -> Builtin:
    def run(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
        kept = value.only(kinds)
        if kept.never:
            return NO_OUT
        from kartatest.infer.state import fact

        return Out(kept, ONE if kept.kinds == value.kinds else PERHAPS, fact(value.place, kinds))

    return run


def _first(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
    made = interp.run(node.args[0], value, env)
    over = () if made.count.low > 0 else None
    count = NONE if made.count.high == 0 else Count(min(1, made.count.low), 1, over)
    return Out(made.value, count, made.facts if made.count.high == 1 else {})


def _limit(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
    number, made = interp.run(node.args[0], value, env), interp.run(node.args[1], value, env)
    interp.need(node.args[0], number.value, NUMBER, f"is given to `{node.name}`")
    bounds = [c for c in number.value.consts or () if not isinstance(c, str)]
    if node.name == "limit" and len(bounds) == 1 and bounds[0] >= 0:
        bound = int(bounds[0])
        high = bound if made.count.high is None else min(bound, made.count.high)
        return Out(made.value, Count(min(bound, made.count.low), high))
    if not bounds or min(bounds) < 0:
        interp.failures += 1
        interp.complete = False
    return Out(made.value, PERHAPS if node.name == "nth" else MANY)


def _nth_entry(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
    made = interp.run(node.args[0], value, env)
    index = jq.Index(jq.Identity(), node.args[0], span=node.span)
    interp.keep(index)
    return Out(step(interp, index, value, made.value), made.count)


def _empty(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
    return NO_OUT


def _error(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
    for arg in node.args:
        interp.run(arg, value, env)
    interp.fail(node, "raises an error", value, ALL)
    return NO_OUT


def _has(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
    key = interp.run(node.args[0], value, env)
    needed = NULL | (OBJECT if key.value.may(STRING) else Kind(0)) | (ARRAY if key.value.may(NUMBER) else Kind(0))
    sound = interp.need(node, value, needed, "is asked whether it has a field")
    names = [c for c in key.value.consts or () if isinstance(c, str)]
    if len(names) == 1 and sound.may(OBJECT) and not la.field_of(sound.only(OBJECT), names[0]).known:
        index = jq.Index(jq.Identity(), node.args[0], span=node.span)
        interp.keep(index)
        step(interp, index, sound, key.value)
    return Out(la.of_kinds(BOOLEAN), key.count)


def _getpath(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
    (path,) = node.args
    steps = _constant_steps(path)
    if steps is None:
        interp.run(path, value, env)
        return interp.give_up()
    target = value
    for key in steps:
        index = jq.Index(jq.Identity(span=path.span), key, span=path.span)
        interp.keep(index)
        target = step(interp, index, target, interp.run(key, value, env).value)
    return Out(target)


def _constant_steps(node: jq.Ast) -> list[jq.Literal] | None:
    if not isinstance(node, jq.Array) or node.body is None:
        return None
    found: list[jq.Literal] = []
    rest: list[jq.Ast] = [node.body]
    while rest:
        part = rest.pop()
        if isinstance(part, jq.Comma):
            rest += [part.right, part.left]
        elif isinstance(part, jq.Literal):
            found.append(part)
        else:
            return None
    return found


def _in(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
    for arg in node.args:
        interp.run(arg, value, env)
    return Out(la.of_kinds(BOOLEAN))


def _gsub(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
    sound = interp.need(node, value, STRING, f"is given to `{node.name}`")
    given = [interp.run(arg, value, env).value for arg in (node.args[0], *node.args[2:])]
    if not compiles(given):
        interp.failures += 1
        interp.complete = False
    made = interp.run(node.args[1], la.of_kinds(OBJECT).at(new_root()), env)
    interp.need(node.args[1], made.value, STRING, f"is given to `{node.name}`")
    return NO_OUT if sound.never else Out(la.of_kinds(STRING), made.count)


def _range(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
    whole = True
    for arg in node.args:
        made = interp.run(arg, value, env).value
        interp.need(arg, made, NUMBER, "is given to `range`")
        whole = whole and made.whole
    return Out(la.of_kinds(NUMBER, whole=whole), MANY)


def _gives(value: Value, count: Count = ONE) -> Builtin:
    def run(interp: Interpreter, node: jq.Call, given: Value, env: Env) -> Out:
        return Out(value, count)

    return run


def _is_empty(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
    made = interp.run(node.args[0], value, env)
    kinds = FALSE if made.count.low > 0 else TRUE if made.count.high == 0 else BOOLEAN
    return Out(la.of_kinds(kinds))


def _path(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
    made = interp.run(node.args[0], value, env)
    interp.failures += 1
    interp.complete = False
    return Out(la.array(la.of_kinds(STRING | NUMBER | OBJECT)), replace(made.count, over=None))


BUILTINS: Final[Mapping[tuple[str, int], Builtin]] = {
    **GATHERING,
    ("select", 1): _select,
    ("values", 0): _kind_filter(ALL & ~NULL),
    ("nulls", 0): _kind_filter(NULL),
    ("booleans", 0): _kind_filter(BOOLEAN),
    ("numbers", 0): _kind_filter(NUMBER),
    ("strings", 0): _kind_filter(STRING),
    ("arrays", 0): _kind_filter(ARRAY),
    ("objects", 0): _kind_filter(OBJECT),
    ("iterables", 0): _kind_filter(ARRAY | OBJECT),
    ("scalars", 0): _kind_filter(SCALAR),
    ("first", 1): _first,
    ("last", 1): _first,
    ("limit", 2): _limit,
    ("skip", 2): _limit,
    ("nth", 2): _limit,
    ("nth", 1): _nth_entry,
    ("empty", 0): _empty,
    ("error", 0): _error,
    ("error", 1): _error,
    ("has", 1): _has,
    ("in", 1): _in,
    ("IN", 1): _in,
    ("IN", 2): _in,
    ("getpath", 1): _getpath,
    ("sub", 2): _gsub,
    ("gsub", 2): _gsub,
    ("sub", 3): _gsub,
    ("gsub", 3): _gsub,
    ("range", 1): _range,
    ("range", 2): _range,
    ("range", 3): _range,
    ("isempty", 1): _is_empty,
    ("path", 1): _path,
    ("paths", 0): _gives(la.of_kinds(ARRAY), MANY),
    ("recurse", 0): _gives(UNKNOWN, Count(1, None)),
}
