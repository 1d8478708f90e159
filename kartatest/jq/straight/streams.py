"""Nodes with any number of outputs: loops, filters, choices. `each` is the door to all nodes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kartatest.jq import ast as jq
from kartatest.jq.budget import Meter
from kartatest.jq.straight.shape import MANY, ONE, outputs
from kartatest.jq.straight.terms import one, truth
from kartatest.jq.straight.writer import Atom, Names, Sink, Writer
from kartatest.jq.values import values_of
from kartatest.source import Json, Span


def each(w: Writer, node: jq.Node, v: Atom, names: Names, sink: Sink) -> None:
    """Writes node on the input v; sink writes what happens with each output, in order. A sink may be called twice."""
    if outputs(w, node, names) == ONE:
        sink(one(w, node, v, names))
        return
    match node:
        case jq.Pipe(left=left, right=right):
            each(w, left, v, names, lambda x: each(w, right, x, names, sink))
        case jq.Comma(left=left, right=right):
            w.spend(1)
            each(w, left, v, names, sink)
            each(w, right, v, names, sink)
        case jq.If(condition=condition, consequence=yes, alternative=no):
            each(w, condition, v, names, lambda c: _choose(w, w.true(c), (yes, no), v, names, sink))
        case jq.Iterate(target=target):
            each(w, target, v, names, lambda x: _loop(w, items(w.meter, node.span), x, sink))
        case jq.Try(body=jq.Iterate(target=target) as body, handler=None) if node.step or target == jq.Identity():
            each(w, target, v, names, lambda x: _loop(w, lenient_items(w.meter, body.span), x, sink))
        case jq.Index(target=target, key=jq.Literal(value=str() as key)):
            each(w, target, v, names, lambda x: sink(w.member(x, key, node.span)))
        case jq.Call(name="empty", args=()):
            pass
        case jq.Call(name="select", args=(test,)):
            _select(w, test, v, names, sink)
        case jq.Binary(op="//", left=left, right=right) if outputs(w, left, names) != MANY:
            found = w.put("None")
            each(w, left, v, names, lambda x: w.line(f"{found} = {x}"))
            with w.block(f"if {w.true(found)}:"):
                sink(found)
            with w.block("else:"):
                each(w, right, v, names, sink)
        case jq.Bind(source=source, patterns=(jq.VariablePattern(name=name),), body=body):
            each(w, source, v, names, lambda x: each(w, body, v, names.bind(name, x), sink))
        case _:
            _closures(w, node, v, names, sink)


def _choose(w: Writer, test: str, ways: tuple[jq.Node, jq.Node | None], v: Atom, names: Names, sink: Sink) -> None:
    yes, no = ways
    with w.block(f"if {test}:"):
        each(w, yes, v, names, sink)
    with w.block("else:"):
        if no is None:
            sink(v)
        else:
            each(w, no, v, names, sink)


def _loop(w: Writer, values: Callable[[Json], list[Json]], x: Atom, sink: Sink) -> None:
    item = w.fresh()
    with w.block(f"for {item} in {w.helper(values)}({x}):"):
        sink(item)


def _select(w: Writer, test: jq.Node, v: Atom, names: Names, sink: Sink) -> None:
    def kept(condition: str) -> None:
        with w.block(f"if {condition}:"):
            sink(v)

    if outputs(w, test, names) == ONE:
        kept(truth(w, test, v, names))
    else:
        each(w, test, v, names, lambda c: kept(w.true(c)))


def _closures(w: Writer, node: jq.Node, v: Atom, names: Names, sink: Sink) -> None:
    code, item = w.code(node, names), w.fresh()
    with w.block(f"for {item} in {w.helper(code.many)}({v}, {names.env}):"):
        sink(item)


def items(meter: Meter, span: Span) -> Callable[[Json], list[Json]]:
    """What `.[]` runs over, counted."""

    def counted(value: Json) -> list[Json]:
        found = value if type(value) is list else values_of(value, span)
        meter.steps -= len(found) + 1
        if meter.steps < 0:
            meter.out_of_steps()
        return found

    return counted


def lenient_items(meter: Meter, span: Span) -> Callable[[Json], Any]:
    """What `.[]?` runs over, counted; nothing where that cannot be iterated over."""
    counted = items(meter, span)
    return lambda value: counted(value) if isinstance(value, (list, dict)) else ()
