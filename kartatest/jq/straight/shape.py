"""How many outputs a node has, as far as it decides how it is written."""

from __future__ import annotations

from kartatest.jq import ast as jq
from kartatest.jq.straight.writer import Names, Writer

ONE, PERHAPS, MANY = 1, 0, 2
"""Exactly one, at most one, any number."""


def outputs(w: Writer, node: jq.Node, names: Names) -> int:
    """ONE, PERHAPS or MANY; the closures are asked about what is not written out."""
    found = w.counts.get(id(node))
    if found is None:
        found = w.counts[id(node)] = _counted(w, node, names)
    return found


def _counted(w: Writer, node: jq.Node, names: Names) -> int:
    match node:
        case jq.Identity() | jq.Literal() | jq.Variable() | jq.Array():
            return ONE
        case jq.Index(target=target, key=jq.Literal(value=str())):
            return outputs(w, target, names)
        case jq.Pipe(left=left, right=right):
            return _both(outputs(w, left, names), outputs(w, right, names))
        case jq.If(condition=condition, consequence=yes, alternative=no):
            if outputs(w, condition, names) != ONE:
                return MANY
            return _either(outputs(w, yes, names), ONE if no is None else outputs(w, no, names))
        case jq.Binary(op="//", left=left, right=right):
            return MANY if outputs(w, left, names) == MANY else outputs(w, right, names)
        case jq.Binary(left=left, right=right):
            return ONE if outputs(w, left, names) == ONE == outputs(w, right, names) else MANY
        case jq.Iterate() | jq.Comma() | jq.Try(body=jq.Iterate()):
            return MANY
        case jq.Call(name="select", args=(test,)):
            return PERHAPS if outputs(w, test, names) == ONE else MANY
        case jq.Bind(source=source, patterns=(jq.VariablePattern(name=name),), body=body):
            return _both(outputs(w, source, names), outputs(w, body, names.bind(name, "None")))
        case _:
            code = w.code(node, names)
            return ONE if code.one is not None else PERHAPS if code.maybe is not None else MANY


def _both(first: int, second: int) -> int:
    return MANY if MANY in (first, second) else first and second


def _either(first: int, second: int) -> int:
    return MANY if MANY in (first, second) else ONE if first == ONE == second else PERHAPS
