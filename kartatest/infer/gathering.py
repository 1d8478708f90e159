"""Builtins that go over the entries of a list or map, and gather something of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeAlias

from kartatest.infer import lattice as la
from kartatest.infer.counts import NONE, Count
from kartatest.infer.lattice import (
    ARRAY,
    BOOLEAN,
    NUMBER,
    OBJECT,
    SCALAR,
    STRING,
    Value,
)
from kartatest.infer.paths import entries
from kartatest.infer.place import new_each, new_root
from kartatest.infer.state import NO_OUT, Env, Out
from kartatest.jq import ast as jq

if TYPE_CHECKING:
    from kartatest.infer.interpret import Interpreter

Builtin: TypeAlias = Callable[["Interpreter", jq.Call, Value, Env], Out]


def _entries(interp: Interpreter, node: jq.Call, value: Value) -> tuple[Value, Count]:
    """The values that a function goes over."""
    return entries(interp, node, value, guarded=False, span=node.span)


def _map(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
    item, count = _entries(interp, node, value)
    if value.kinds & ~(ARRAY | OBJECT) == value.kinds:
        return NO_OUT
    made = interp.run(node.args[0], _placed(item), env)
    each = NONE if item.never else count * made.count
    return Out(la.array(made.value, each.low, each.high, each.over or None))


def _placed(value: Value) -> Value:
    return value if value.place is not None or value.never else value.at(new_root())


def _map_values(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
    item, count = _entries(interp, node, value)
    made = interp.run(node.args[0], _placed(item), env)
    parts = []
    if value.may(ARRAY):
        sure = made.count.low >= 1
        parts.append(la.array(la.detached(made.value), count.low if sure else 0, count.high))
    if value.may(OBJECT):
        parts.append(la.record({}, la.detached(made.value)))
    return Out(la.join(*parts))


def _test_entries(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
    """any(f), all(f)."""
    item, _ = _entries(interp, node, value)
    if not value.may(ARRAY | OBJECT):
        return NO_OUT
    interp.run(node.args[0], _placed(item), env)
    return Out(la.of_kinds(BOOLEAN))


def _test_stream(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
    """any(g; f), all(g; f)."""
    made = interp.run(node.args[0], value, env)
    interp.run(node.args[1], _placed(made.value), env.having(made.facts))
    return Out(la.of_kinds(BOOLEAN))


def _to_entries(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
    sound = interp.need(node, value, ARRAY | OBJECT, f"is given to `{node.name}`")
    if sound.never:
        return NO_OUT
    held, count = entries(interp, node, sound, guarded=True)
    keys = [la.names_of(sound)] if sound.may(OBJECT) else []
    keys += [la.of_kinds(NUMBER, whole=True)] if sound.may(ARRAY) else []
    entry = la.record({"key": la.join(*keys), "value": held}, None, ("key", "value"))
    return Out(la.array(entry, count.low, count.high, count.over))


def _from_entries(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
    sound = interp.need(node, value, ARRAY | OBJECT, "is given to `from_entries`")
    item, _ = entries(interp, node, sound, guarded=True)
    if item.never:
        return Out(la.record({})) if not sound.never else NO_OUT
    objects = interp.need(node, item, OBJECT, "is an entry of `from_entries`")
    held = [la.field_of(objects, name) for name in ("value", "v", "Value", "V")]
    values = [found.value for found in held if found.known]
    return Out(la.record({}, la.detached(la.join(*values, la.NULL_VALUE) if values else la.NULL_VALUE)))


def _with_entries(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
    opened = _to_entries(interp, node, value, env)
    if opened.value.never:
        return NO_OUT
    item = la.item_of(opened.value, new_each())
    if item.never:
        return Out(la.record({}))
    made = interp.run(node.args[0], _placed(item), env)
    if made.value.never:
        return Out(la.record({}))
    return _from_entries(interp, node, la.array(made.value), env)


def _add(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
    item, count = _entries(interp, node, value)
    if not value.may(ARRAY | OBJECT):
        return NO_OUT
    return Out(_sum(interp, node, item, count))


def _add_stream(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
    made = interp.run(node.args[0], value, env)
    return Out(_sum(interp, node, made.value, made.count))


def _sum(interp: Interpreter, node: jq.Call, item: Value, count: Count) -> Value:
    from kartatest.infer.operators import arithmetic

    if item.never:
        return la.NULL_VALUE
    total = replace(la.detached(item), origin=None, type=None)
    if count.several:
        for turn in range(8):
            grown = la.join(total, la.detached(arithmetic(interp, node, "+", total, la.detached(item))))
            if la.same(grown, total):
                break
            total = grown if turn < 2 else la.widened(grown)
    return total if count.low > 0 else la.join(total, la.NULL_VALUE)


def _by(keep: str) -> Builtin:
    """sort_by and its like: keep says what comes of the entries."""

    def run(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
        sound = interp.need(node, value, ARRAY, f"is given to `{node.name}`")
        if sound.never:
            return NO_OUT
        item = la.item_of(sound, new_each())
        interp.run(node.args[0], _placed(item), env)
        low, high = la.lengths(sound)
        entry = la.detached(item)
        if keep == "one":
            return Out(entry if low > 0 else la.join(entry, la.NULL_VALUE))
        if keep == "groups":
            return Out(la.array(la.array(entry, 1, high), min(1, low), high))
        return Out(la.array(entry, low if keep == "all" else min(1, low), high))

    return run


def _flatten(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
    sound = interp.need(node, value, ARRAY | OBJECT, "is given to `flatten`")
    item, _ = entries(interp, node, sound, guarded=True)
    for _round in range(3):
        if not item.may(ARRAY):
            return Out(la.array(la.detached(item)))
        inner = la.item_of(item.only(ARRAY), new_each())
        item = la.join(item.without(ARRAY), inner)
    return Out(la.of_kinds(ARRAY))


def _index_by(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
    two = len(node.args) == 2
    item = interp.run(node.args[0], value, env).value if two else _entries(interp, node, value)[0]
    interp.run(node.args[-1], _placed(item), env)
    return Out(la.record({}, la.detached(item)))


def _join_texts(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
    made = interp.run(node.args[0], value, env)
    sound = interp.need(node, value, ARRAY, "is given to `join`")
    if sound.never:
        return NO_OUT
    interp.need(node, la.item_of(sound, new_each()), SCALAR, "is an entry of `join`")
    interp.need(node.args[0], made.value, STRING, "is given to `join`")
    return Out(la.of_kinds(STRING), made.count)


GATHERING: Final[Mapping[tuple[str, int], Builtin]] = {
    ("map", 1): _map,
    ("map_values", 1): _map_values,
    ("any", 1): _test_entries,
    ("all", 1): _test_entries,
    ("any", 2): _test_stream,
    ("all", 2): _test_stream,
    ("to_entries", 0): _to_entries,
    ("from_entries", 0): _from_entries,
    ("with_entries", 1): _with_entries,
    ("add", 0): _add,
    ("add", 1): _add_stream,
    ("sort_by", 1): _by("all"),
    ("unique_by", 1): _by("some"),
    ("group_by", 1): _by("groups"),
    ("min_by", 1): _by("one"),
    ("max_by", 1): _by("one"),
    ("join", 1): _join_texts,
    ("flatten", 0): _flatten,
    ("INDEX", 1): _index_by,
    ("INDEX", 2): _index_by,
}
