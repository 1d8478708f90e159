"""Expressions as places to write: which ones an expression names in an object, and whether writing there is safe."""

from __future__ import annotations

from functools import lru_cache

from kartatest.definition.model import Expr
from kartatest.edit.model import ABSENT
from kartatest.edit.values import at_place
from kartatest.jq import ast as jq
from kartatest.jq.ast import Ast
from kartatest.jq.compile import Program
from kartatest.jq.errors import JqError
from kartatest.jq.shape import constant_key, operand_of
from kartatest.source import DocPath, Json, dotted


class Refused(Exception):  # noqa: N818 - a signal within this package, it ends as a reason of an EditError
    """Why an expression cannot be written through. always: whatever the object."""

    def __init__(self, reason: str, *, always: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.always = always


def shown(at: DocPath) -> str:
    """A place as jq text, in quotes for messages: `.spec.jobs[0].name`."""
    text = dotted(at)
    return f"`{text if text.startswith('[') else '.' + text}`"


@lru_cache(maxsize=1024)
def compiled(text: str) -> Program:
    """The program of an expression. Raises Refused for what is none."""
    from kartatest.jq.compile import compile as compile_text

    if not text.strip():
        raise Refused("the path is empty", always=True)
    try:
        return compile_text(text)
    except JqError as error:
        raise Refused(f"`{text}` is no expression: {error.message}", always=True) from None


def places(expr: Expr, obj: Json) -> list[DocPath]:
    """The places that the expression names in obj, in its order; the last steps of one may not exist yet.

    Raises Refused for anything but keys, indices, `[]`, `?`, pipes, commas and `select` (Q27, semantics 5.4).
    """
    program = compiled(expr.text)
    why = _no_path(program.tree)
    if why is not None:
        raise Refused(f"`{expr.text}` cannot be written through: {why}", always=True)
    return _run(program, expr.text, obj)


def settled(expr: Expr, obj: Json) -> tuple[list[DocPath], bool]:
    """places() of a path that may fall back with `//`, and whether a side after the first is what is read.

    Each side must be a path by itself. Only for reading what is there: where it falls back, another part may own the
    place (Q27).
    """
    program = compiled(expr.text)
    sides = list(operand_of(program.tree))
    if len(sides) == 1 or any(_no_path(side) for side in sides):
        return places(expr, obj), False
    found: list[DocPath] = []
    for number, side in enumerate(sides):
        found = _run(_side(side), expr.text, obj)
        values = [at_place(obj, path) for path in found]
        if any(v is not ABSENT and v is not None and v is not False for v in values):
            return found, number > 0
    return found, True


def _side(tree: Ast) -> Program:
    from kartatest.jq.compile import compile as compile_text

    return compile_text(tree)


def _run(program: Program, text: str, obj: Json) -> list[DocPath]:
    try:
        found = program.paths(obj)
    except JqError as error:
        raise Refused(f"`{text}` names no place in this object: {error.message}") from None
    return [_counted(obj, path) for path in found]


def _counted(obj: Json, path: tuple[Json, ...]) -> DocPath:
    """The path with indices counted from the start."""
    if not any(isinstance(step, int) and step < 0 for step in path):
        return path
    counted: DocPath = ()
    for step in path:
        if isinstance(step, int) and step < 0:
            items = at_place(obj, counted)
            step += len(items) if isinstance(items, list) else 0
        counted = (*counted, step)
    return counted


def _no_path(tree: Ast) -> str | None:
    """Why a program is not a plain path; None when it is one."""
    match tree:
        case jq.Identity():
            return None
        case jq.Index(target=target, key=key):
            return _no_path(target) if constant_key(key) is not None else "it computes a key"
        case jq.Iterate(target=target) | jq.Try(body=target, handler=None):
            return _no_path(target)
        case jq.Pipe(left=left, right=right) | jq.Comma(left=left, right=right):
            return _no_path(left) or _no_path(right)
        case jq.Call(name="select", args=(_,)):
            return None
        case jq.Binary(op="//"):
            return "with `//` a write lands on whichever side is set"
        case jq.Slice():
            return "it takes a slice of a list"
        case jq.Call(name=name):
            return f"`{name}` is no step of a path"
        case _:
            return "it is no plain path"


def check(obj: Json, path: DocPath) -> None:
    """Raises Refused where a write would make up an entry of a list, or go through a value of another type (Q53).

    A chain of objects that is missing is no hindrance: it is made.
    """
    if not path:
        raise Refused("this would replace the whole object")
    at, inside = obj, True
    for depth, step in enumerate(path):
        if isinstance(step, int):
            if not inside or not isinstance(at, list):
                kind = "is absent" if not inside or at is None else "is no list"
                raise Refused(f"{shown(path[:depth])} {kind}, so it has no entry to write to")
            if not 0 <= step < len(at):
                raise Refused(f"{shown(path[:depth])} has no entry {step}")
            at = at[step]
            if at is None and depth < len(path) - 1:
                raise Refused(f"{shown(path[: depth + 1])} is null")
        elif inside and at is not None:
            if not isinstance(at, dict):
                raise Refused(f"{shown(path[:depth])} is no object, so {step!r} cannot be written in it")
            inside = step in at
            at = at.get(step)
        else:
            inside = False
