"""Arithmetic, comparisons and logic on abstract values (jq manual; gojq 0.12.19 where engines differ)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from kartatest.infer import lattice as la
from kartatest.infer.counts import ONE, Count
from kartatest.infer.events import Compared
from kartatest.infer.lattice import (
    ALL,
    ARRAY,
    BOOLEAN,
    FALSE,
    NEVER,
    NOTHING,
    NULL,
    NUMBER,
    OBJECT,
    STRING,
    TRUE,
    Kind,
    Value,
)
from kartatest.infer.state import Env, Out
from kartatest.jq import ast as jq

if TYPE_CHECKING:
    from kartatest.infer.interpret import Interpreter

COMPARISONS: Final = frozenset({"==", "!=", "<", "<=", ">", ">="})


def binary(interp: Interpreter, node: jq.Binary, value: Value, env: Env) -> Out:
    """All binary operators but `//`."""
    if node.op in ("and", "or"):
        return _logic(interp, node, value, env)
    left, right = interp.run(node.left, value, env), interp.run(node.right, value, env)
    count = left.count * right.count
    if left.value.never or right.value.never:
        return Out(NEVER, count)
    if node.op in COMPARISONS:
        interp.note(Compared(node, node.op, left.value, right.value))
        return Out(compared(node.op, left.value, right.value), count)
    return Out(arithmetic(interp, node, node.op, left.value, right.value), count)


def compared(op: str, left: Value, right: Value) -> Value:
    """The results that a comparison can have."""
    if op in ("==", "!="):
        equal = possibly_equal(left, right)
        if not equal:
            return la.of_kinds(FALSE if op == "==" else TRUE)
        if left.kinds == right.kinds == NULL:
            return la.of_kinds(TRUE if op == "==" else FALSE)
    return la.of_kinds(BOOLEAN)


def possibly_equal(left: Value, right: Value) -> bool:
    """Whether some value of the one equals some value of the other."""
    shared = left.kinds & right.kinds
    if shared & ~(STRING | NUMBER):
        return True
    if not shared:
        return False
    if left.consts is None or right.consts is None:
        return True
    common = {c for c in left.consts if c in right.consts}
    texts, numbers = any(isinstance(c, str) for c in common), any(not isinstance(c, str) for c in common)
    return bool((shared & STRING and texts) or (shared & NUMBER and numbers))


def _logic(interp: Interpreter, node: jq.Binary, value: Value, env: Env) -> Out:
    from kartatest.infer.refine import refined

    left = interp.run(node.left, value, env)
    falsy, truthy = left.value.kinds & (NULL | FALSE), left.value.kinds & ~(NULL | FALSE)
    goes_on = truthy if node.op == "and" else falsy
    stops = falsy if node.op == "and" else truthy
    results, count = NOTHING, None
    if stops:
        results |= FALSE if node.op == "and" else TRUE
        count = ONE
    if goes_on:
        under = env.having(refined(interp, node.left, value, env, node.op == "and"))
        right = interp.run(node.right, value, under)
        if right.value.kinds & (NULL | FALSE):
            results |= FALSE
        if right.value.kinds & ~(NULL | FALSE):
            results |= TRUE
        count = right.count if count is None else count | right.count
    return Out(la.of_kinds(results), left.count * (count or Count(0, 0)))


_ADDS: Final[Mapping[tuple[Kind, Kind], Kind]] = {(k, k): k for k in (NUMBER, STRING, ARRAY, OBJECT)}
_TABLES: Final[Mapping[str, Mapping[tuple[Kind, Kind], Kind]]] = {
    "+": _ADDS,
    "-": {(NUMBER, NUMBER): NUMBER, (ARRAY, ARRAY): ARRAY},
    "*": {
        (NUMBER, NUMBER): NUMBER,
        (STRING, NUMBER): STRING | NULL,
        (NUMBER, STRING): STRING | NULL,
        (OBJECT, OBJECT): OBJECT,
    },
    "/": {(NUMBER, NUMBER): NUMBER, (STRING, STRING): ARRAY},
    "%": {(NUMBER, NUMBER): NUMBER},
}
_KINDS: Final = (NULL, FALSE, TRUE, NUMBER, STRING, ARRAY, OBJECT)
_VERBS: Final = {"+": "added", "-": "subtracted", "*": "multiplied", "/": "divided", "%": "divided"}


def arithmetic(interp: Interpreter, node: jq.Node, op: str, left: Value, right: Value) -> Value:
    """The results of an operation; failures are noted for the operand that no partner goes with."""
    table = _TABLES[op]
    results, bad = NOTHING, False
    for one in _KINDS:
        for other in _KINDS:
            if not (one & left.kinds and other & right.kinds):
                continue
            found = table.get((one, other))
            if found is None and op == "+" and NULL in (one, other):
                found = one | other if one == other else (one | other) & ~NULL
            if found is None:
                bad = True
            else:
                results |= found
    if bad:
        _blame(interp, node, op, left, right)
    if op in ("/", "%") and right.may(NUMBER) and left.may(NUMBER) and _may_be_zero(right, op):
        interp.fail(node, "is divided by, and may be 0", right, NUMBER)
    whole = op in ("+", "-", "*", "%") and all(v.whole or not v.may(NUMBER) for v in (left, right))
    return _shaped(op, left, right, results, whole=whole)


def _blame(interp: Interpreter, node: jq.Node, op: str, left: Value, right: Value) -> None:
    """Note the failure at the operand that can be what the operator never takes, or else at both."""
    table = _TABLES[op]
    blamed = False
    for value, other, first in ((left, right, True), (right, left, False)):
        never = NOTHING
        for kind in _KINDS:
            if not kind & value.kinds:
                continue
            partners = [k for k in _KINDS if k & other.kinds]
            fits = [
                k for k in partners if ((kind, k) if first else (k, kind)) in table or (op == "+" and NULL in (kind, k))
            ]
            if not fits:
                never |= kind
        if never:
            blamed = True
            interp.fail(node, f"cannot be {_VERBS[op]}", value, never)
    if not blamed:
        interp.fail(node, f"cannot be {_VERBS[op]} with some of what stands on the other side", left, ALL)


def _may_be_zero(value: Value, op: str) -> bool:
    if value.consts is not None:
        return any(not isinstance(c, str) and (c == 0 or (op == "%" and abs(c) < 1)) for c in value.consts)
    type_ = value.type
    return not (type_ is not None and type_.minimum is not None and type_.minimum >= 1)


def _shaped(op: str, left: Value, right: Value, results: Kind, *, whole: bool) -> Value:
    """A value of those kinds, with what is known of its entries."""
    found = [la.of_kinds(results & ~(ARRAY | OBJECT), whole=whole)]
    if results & ARRAY:
        found.append(_arrays(op, left, right))
    if results & OBJECT:
        found.append(_objects(op, left, right))
    return la.join(*found)


def _arrays(op: str, left: Value, right: Value) -> Value:
    if op == "/":
        return la.array(la.of_kinds(STRING))
    one = la.item_of(left.only(ARRAY), 0) if left.may(ARRAY) else NEVER
    other = la.item_of(right.only(ARRAY), 0) if right.may(ARRAY) else NEVER
    if op == "-":
        return la.array(la.detached(one))
    (low, high), (more, most) = la.lengths(left), la.lengths(right)
    least = (0 if left.may(NULL) else low) + (0 if right.may(NULL) else more)
    return la.array(la.join(la.detached(one), la.detached(other)), least, None if None in (high, most) else high + most)  # type: ignore[operator]


def _objects(op: str, left: Value, right: Value) -> Value:
    shapes = [*left.objects, *right.objects]
    if op == "+" and len(left.objects) == len(right.objects) == 1 and left.kinds == right.kinds == OBJECT:
        one, other = shapes
        if isinstance(one, la.Record) and isinstance(other, la.Record) and _closed(one) and _closed(other):
            return la.record({**one.fields, **other.fields}, None, {*one.fields, *other.fields})
    if not right.may(OBJECT) and op == "+":
        return left.only(OBJECT)
    if not left.may(OBJECT) and op == "+":
        return right.only(OBJECT)
    return la.of_kinds(OBJECT)


def _closed(shape: la.Record) -> bool:
    """Whether it has exactly its fields, in every case."""
    return shape.rest is None and shape.sure == shape.fields.keys()
