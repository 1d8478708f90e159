"""What a condition that held, or did not hold, makes sure of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kartatest.infer import lattice as la
from kartatest.infer.lattice import ALL, ARRAY, BOOLEAN, FALSE, KINDS, NULL, NUMBER, OBJECT, STRING, TRUE, Kind, Value
from kartatest.infer.place import Place
from kartatest.infer.state import NO_FACTS, Env, Facts, both, fact
from kartatest.jq import ast as jq
from kartatest.jq.ast import Ast

if TYPE_CHECKING:
    from kartatest.infer.interpret import Interpreter

_SWAPPED: Final = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_TYPES: Final = {"null": NULL, "boolean": BOOLEAN, "number": NUMBER, "string": STRING, "array": ARRAY, "object": OBJECT}


def refined(interp: Interpreter, node: Ast, value: Value, env: Env, holds: bool) -> Facts:
    """Facts that are true where a condition on value held (or did not)."""
    match node:
        case jq.Binary(op="and" | "or" as op, left=left, right=right):
            if (op == "and") is holds:
                first = refined(interp, left, value, env, holds)
                return both(first, refined(interp, right, value, env.having(first), holds))
            return NO_FACTS
        case jq.Binary(op=op) if op in _SWAPPED:
            first = _compared(interp, node.left, op, node.right, value, env, holds)
            return both(first, _compared(interp, node.right, _SWAPPED[op], node.left, value, env, holds))
        case jq.Pipe(left=left, right=jq.Call(name="not", args=())):
            return refined(interp, left, value, env, not holds)
        case jq.Pipe(left=left, right=jq.Call(name="has", args=(jq.Literal(value=str() as name),))):
            return _has(interp, left, name, value, env, holds)
        case jq.Call(name="has", args=(jq.Literal(value=str() as name),)):
            return _has(interp, jq.Identity(), name, value, env, holds)
        case jq.Pipe(left=left, right=jq.Binary() as right):
            there = interp.quiet(left, value, env)
            return refined(interp, right, there, env, holds) if there.place is not None and _single(left) else NO_FACTS
        case jq.Call(name="not", args=()):
            return fact(value.place, (NULL | FALSE) if holds else ALL & ~(NULL | FALSE))
        case _:
            return fact(_place(interp, node, value, env), ALL & ~(NULL | FALSE) if holds else NULL | FALSE)


def _compared(interp: Interpreter, left: Ast, op: str, right: Ast, value: Value, env: Env, holds: bool) -> Facts:
    """What `left op right` says of left, where right is a constant."""
    other = _constant(right)
    if other is None:
        return NO_FACTS
    if isinstance(left, jq.Pipe) and left.right == jq.Call("type") and op in ("==", "!="):
        return _type(interp, left.left, other, (op == "==") is holds, value, env)
    if left == jq.Call("type") and op in ("==", "!="):
        return _type(interp, jq.Identity(), other, (op == "==") is holds, value, env)
    if isinstance(left, jq.Binary) and left.op == "//":
        default = _constant(left.right)
        if default is not None and _result(op, default, other) is (not holds):
            return fact(_place(interp, left.left, value, env), ALL & ~(NULL | FALSE))
        return NO_FACTS
    if isinstance(left, jq.Pipe) and left.right == jq.Call("length"):
        if _result(op, la.constant(0), other) is (not holds):
            of_empty = left.left.left if isinstance(left.left, jq.Binary) and left.left.op == "//" else left.left
            return fact(_place(interp, of_empty, value, env), ALL & ~NULL)
        return NO_FACTS
    kinds = la.NOTHING
    for kind in KINDS:
        result = _of_kind(op, kind, other)
        if result is None or result is holds:
            kinds |= kind
    return fact(_place(interp, left, value, env), kinds) if kinds != ALL else NO_FACTS


def _type(interp: Interpreter, of: Ast, name: Value, is_it: bool, value: Value, env: Env) -> Facts:
    kinds = _TYPES.get(next((str(c) for c in name.consts or ()), ""), Kind(0))
    return fact(_place(interp, of, value, env), kinds if is_it else ALL & ~kinds)


def _has(interp: Interpreter, of: Ast, name: str, value: Value, env: Env, holds: bool) -> Facts:
    if not holds:
        return NO_FACTS
    holder = interp.quiet(of, value, env)
    if holder.place is None or not _single(of) or not holder.may(OBJECT):
        return NO_FACTS
    kid = la.field_of(holder.only(OBJECT), name).value
    stored_null = kid.type is None or kid.type.nullable or kid.type.base.value == "any"
    return fact(holder.place, OBJECT) if stored_null else fact(kid.place, ALL & ~NULL)


def _place(interp: Interpreter, node: Ast, value: Value, env: Env) -> Place | None:
    """Where the one result of a plain term stands."""
    return interp.quiet(node, value, env).place if _single(node) else None


def _single(node: Ast) -> bool:
    """Whether a term names one place: no iteration, no function."""
    match node:
        case jq.Identity() | jq.Variable():
            return True
        case jq.Index(target=target, key=jq.Literal()) | jq.Index(target=target, key=jq.Variable()):
            return _single(target)
        case jq.Try(body=body, handler=None):
            return _single(body)
        case jq.Pipe(left=left, right=right):
            return _single(left) and _single(right)
        case _:
            return False


def _constant(node: Ast) -> Value | None:
    match node:
        case jq.Literal(value=constant):
            return la.constant(constant)
        case jq.Call(name="null", args=()):
            return la.NULL_VALUE
        case jq.Call(name="true", args=()):
            return la.of_kinds(TRUE)
        case jq.Call(name="false", args=()):
            return la.of_kinds(FALSE)
        case jq.Array(body=None):
            return la.array(la.NEVER, 0, 0)
        case jq.Object(entries=()):
            return la.record({})
        case _:
            return None


def _result(op: str, left: Value, right: Value) -> bool | None:
    """What comparing two constants gives; None when it is not known."""
    if left.consts and right.consts and left.kinds == right.kinds:
        one, other = next(iter(left.consts)), next(iter(right.consts))
        return {
            "==": one == other,
            "!=": one != other,
            "<": one < other,  # type: ignore[operator]  # both are texts, or both numbers
            "<=": one <= other,  # type: ignore[operator]
            ">": one > other,  # type: ignore[operator]
            ">=": one >= other,  # type: ignore[operator]
        }[op]
    return _of_kind(op, left.kinds, right)


def _of_kind(op: str, kind: Kind, right: Value) -> bool | None:
    """What comparing any value of a kind with a constant gives: types are ordered null, false, true, number, ..."""
    if kind == right.kinds:
        if kind in (NULL, FALSE, TRUE):
            return op in ("==", "<=", ">=")
        return None
    return {"==": False, "!=": True}.get(op, (kind < right.kinds) is (op in ("<", "<=")))
