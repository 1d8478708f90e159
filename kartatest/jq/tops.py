"""Which fields of its input a program can depend on, so that what it gave on one object holds for another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kartatest.jq import ast as jq
from kartatest.jq.ast import Ast, Node, children, walk
from kartatest.jq.functions import ALLOWED, DENIED

_OF_ARGUMENTS: Final = frozenset(
    {("null", 0), ("true", 0), ("false", 0), ("empty", 0), ("error", 1), ("first", 1), ("last", 1), ("isempty", 1)}
    | {("any", 2), ("all", 2), ("limit", 2), ("IN", 2), ("range", 1), ("range", 2), ("range", 3)}
)
"""Builtins that read nothing of their input but by their arguments."""


class _WholeError(Exception):
    """The input is used as it is."""


def tops(tree: Ast) -> frozenset[str] | None:
    """The names of the fields without which the results cannot change; None when that cannot be told.

    Two objects with equal values under these names, or without them, give equal results. It may name too many.
    """
    found: set[str] = set()
    waiting: list[Node] = [tree]
    try:
        own = frozenset(_own(tree))
        while waiting:
            waiting += _read(waiting.pop(), found, own)
    except _WholeError:
        return None
    return frozenset(found)


def _own(tree: Ast) -> Iterator[tuple[str, int]]:
    """The functions that the program defines, and the parameters that can be called, as name and arity."""
    for node in walk(tree):
        if isinstance(node, jq.Function):
            for key in ((node.name, len(node.params)), *((name.removeprefix("$"), 0) for name in node.params)):
                if key[0] in ALLOWED or key[0] in DENIED:  # a call may mean either
                    raise _WholeError
                yield key


def _read(node: Node, found: set[str], own: frozenset[tuple[str, int]]) -> list[Node]:
    """Puts what a node reads of the input into found; gives the parts of it that may see the input as well.

    What stands behind a `|` does not: it sees results. A function's body counts as if the function were called here.
    """
    match node:
        case jq.Index(jq.Identity(), jq.Literal(str(name))):
            found.add(name)
            return []
        case jq.Pipe(left=left):
            return [left]
        case jq.Entry(key=jq.Literal(str(name)), value=None):
            found.add(name)
            return []
        case jq.Entry(key=jq.Variable(), value=None):
            return []
        case jq.Entry(value=None) | jq.Identity() | jq.Recurse() | jq.Format() | jq.Assign() | jq.Module():
            raise _WholeError
        case jq.If(alternative=None):
            raise _WholeError
        case jq.Call(name=name, args=args):
            if (name, len(args)) not in own | _OF_ARGUMENTS:
                raise _WholeError
            return list(args)
    return list(children(node))
