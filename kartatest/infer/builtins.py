"""Builtins that take programs as arguments, or that look into their input."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeAlias

from kartatest.infer import lattice as la
from kartatest.infer.counts import MANY, NONE, ONE, PERHAPS, Count
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
from kartatest.infer.paths import entries, step
from kartatest.infer.place import new_each, new_root
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


def _join_texts(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
    made = interp.run(node.args[0], value, env)
    sound = interp.need(node, value, ARRAY, "is given to `join`")
    if sound.never:
        return NO_OUT
    interp.need(node, la.item_of(sound, new_each()), SCALAR, "is an entry of `join`")
    interp.need(node.args[0], made.value, STRING, "is given to `join`")
    return Out(la.of_kinds(STRING), made.count)


def _flatten(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
    sound = interp.need(node, value, ARRAY | OBJECT, "is given to `flatten`")
    item, _ = entries(interp, node, sound, guarded=True)
    for _round in range(3):
        if not item.may(ARRAY):
            return Out(la.array(la.detached(item)))
        inner = la.item_of(item.only(ARRAY), new_each())
        item = la.join(item.without(ARRAY), inner)
    return Out(la.of_kinds(ARRAY))


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
    interp.run(node.args[0], value, env)
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


def _index_by(interp: Interpreter, node: jq.Call, value: Value, env: Env) -> Out:
    two = len(node.args) == 2
    item = interp.run(node.args[0], value, env).value if two else _entries(interp, node, value)[0]
    interp.run(node.args[-1], _placed(item), env)
    return Out(la.record({}, la.detached(item)))


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
    ("join", 1): _join_texts,
    ("flatten", 0): _flatten,
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
    ("INDEX", 1): _index_by,
    ("INDEX", 2): _index_by,
}
