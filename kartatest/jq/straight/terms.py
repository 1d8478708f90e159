"""Nodes with exactly one output, and conditions."""

from __future__ import annotations

from functools import partial
from typing import Any

from kartatest.jq import ast as jq
from kartatest.jq.builtins.core import from_entries, greatest, least, length
from kartatest.jq.code import MISSING, guarded
from kartatest.jq.operators import ARITHMETIC, COMPARISONS, add_all, index, whole
from kartatest.jq.straight.shape import ONE, outputs
from kartatest.jq.straight.writer import Atom, Names, Writer, is_name
from kartatest.jq.values import SAFE, values_of

_CONSTANTS = {"null": "None", "true": "True", "false": "False"}
_VALUES: dict[str, Any] = {
    "add": add_all,
    "from_entries": from_entries,
    "length": length,
    "max": greatest,
    "min": least,
}
"""Functions of the input alone."""

_HALF = 2**52
_ROOT = 2**26
"""Below these, sums and products of integers are whole numbers that a 64-bit float holds too."""


def one(w: Writer, node: jq.Node, v: Atom, names: Names) -> Atom:
    """Writes a node that has exactly one output on the input v."""
    match node:
        case jq.Identity():
            return v
        case jq.Variable(name=name) if name in names.variables:
            return names.variables[name]
        case jq.Literal():
            return _literal(w, node)
        case jq.Index(target=target, key=jq.Literal(value=str() as key)):
            return w.member(one(w, target, v, names), key, node.span)
        case jq.Pipe(left=jq.Array(body=jq.Comma() as pair), right=jq.Call(name="min" | "max", args=()) as call) if (
            outputs(w, pair.left, names) == ONE == outputs(w, pair.right, names)
        ):
            return _bound(w, call, (pair.left, pair.right), v, names)
        case jq.Pipe(left=left, right=right):
            return one(w, right, one(w, left, v, names), names)
        case jq.Bind(source=source, patterns=(jq.VariablePattern(name=name),), body=body):
            return one(w, body, v, names.bind(name, one(w, source, v, names)))
        case jq.If():
            return _if(w, node, v, names)
        case jq.Array(body=jq.Node() as body):
            return _array(w, body, v, names)
        case jq.Object(entries=entries) if entries and all(_is_plain(w, e, names) for e in entries):
            return _object(w, entries, v, names)
        case jq.Binary(op="//"):
            return _alternative(w, node, v, names)
        case jq.Binary(op="and" | "or"):
            return _logic(w, node, v, names)
        case jq.Binary(op=op) if op in COMPARISONS:
            return w.put(truth(w, node, v, names))
        case jq.Binary(op="+" | "-" | "*"):
            return _arithmetic(w, node, v, names)
        case jq.Call():
            return _call(w, node, v, names)
        case _:
            return _closure(w, node, v, names)


def truth(w: Writer, node: jq.Node, v: Atom, names: Names) -> str:
    """Writes what a condition with one output needs, and gives the Python expression that is true where it holds."""
    match node:
        case jq.Binary(op=op) if op in COMPARISONS:
            return _comparison(w, node, v, names)
        case jq.Pipe(left=left, right=jq.Call(name="not", args=())):
            return f"not ({truth(w, left, v, names)})"
        case _:
            return w.true(one(w, node, v, names))


def _literal(w: Writer, node: jq.Literal) -> Atom:
    value = node.value
    if type(value) is str or (type(value) is int and value <= SAFE):
        return repr(value)
    return w.helper(whole(value) if type(value) is int else value)


def _closure(w: Writer, node: jq.Node, v: Atom, names: Names) -> Atom:
    code = w.code(node, names)
    return w.helper(code.const) if code.const is not MISSING else w.put(f"{w.helper(code.one)}({v}, {names.env})")


def _if(w: Writer, node: jq.If, v: Atom, names: Names) -> Atom:
    test, found = truth(w, node.condition, v, names), w.fresh()
    with w.block(f"if {test}:"):
        w.line(f"{found} = {one(w, node.consequence, v, names)}")
    with w.block("else:"):
        w.line(f"{found} = {v if node.alternative is None else one(w, node.alternative, v, names)}")
    return found


def _array(w: Writer, body: jq.Node, v: Atom, names: Names) -> Atom:
    from kartatest.jq.straight.streams import each

    parts = _parts(body)
    if all(outputs(w, part, names) == ONE for part in parts):
        if len(parts) > 1:
            w.spend(len(parts) - 1)
        found = w.put(f"[{', '.join([one(w, part, v, names) for part in parts])}]")
        w.build(8 * len(parts))
        return found
    found = w.put("[]")
    each(w, body, v, names, lambda x: w.line(f"{found}.append({x})"))
    w.build(f"8 * len({found})")
    return found


def _bound(w: Writer, call: jq.Call, pair: tuple[jq.Node, jq.Node], v: Atom, names: Names) -> Atom:
    """`[a, b] | min`, which is how counts are bounded: without the array where both are whole numbers."""
    w.spend(1)
    x, y = [one(w, part, v, names) for part in pair]
    w.build(16)
    found, pick = w.fresh(), w.helper(guarded(partial(_VALUES[call.name], w.meter), call.span))
    with w.block(f"if {_within(x, y, SAFE)}:"):
        w.spend(3)
        w.line(f"{found} = {x} if {x} {'<' if call.name == 'min' else '>'} {y} else {y}")
    with w.block("else:"):
        w.line(f"{found} = {pick}([{x}, {y}])")
    return found


def _parts(body: jq.Node) -> list[jq.Node]:
    return [*_parts(body.left), *_parts(body.right)] if isinstance(body, jq.Comma) else [body]


def _is_plain(w: Writer, entry: jq.Entry, names: Names) -> bool:
    named = isinstance(entry.key, jq.Literal) and isinstance(entry.key.value, str)
    return named and (entry.value is None or outputs(w, entry.value, names) == ONE)


def _object(w: Writer, entries: tuple[jq.Entry, ...], v: Atom, names: Names) -> Atom:
    w.build(8 * (8 + 8 * len(entries)))
    made = []
    for entry in entries:
        assert isinstance(entry.key, jq.Literal)
        key = entry.key.value
        if entry.value is not None:
            value = one(w, entry.value, v, names)
        else:
            read, value = w.helper(partial(index, w.meter)), w.named(v)
            value = w.put(f"{value}.get({key!r}) if type({value}) is dict else {read}({value}, {key!r})")
        made.append(f"{key!r}: {value}")
    return w.put("{" + ", ".join(made) + "}")


def _alternative(w: Writer, node: jq.Binary, v: Atom, names: Names) -> Atom:
    from kartatest.jq.straight.streams import each

    if outputs(w, node.left, names) == ONE:
        found = w.put(one(w, node.left, v, names))
    else:
        found = w.put("None")
        each(w, node.left, v, names, lambda x: w.line(f"{found} = {x}"))
    with w.block(f"if {found} is None or {found} is False:"):
        w.line(f"{found} = {one(w, node.right, v, names)}")
    return found


def _logic(w: Writer, node: jq.Binary, v: Atom, names: Names) -> Atom:
    found = w.put(truth(w, node.left, v, names))
    with w.block(f"if {'not ' if node.op == 'or' else ''}{found}:"):
        w.line(f"{found} = {truth(w, node.right, v, names)}")
    return found


def _comparison(w: Writer, node: jq.Binary, v: Atom, names: Names) -> str:
    wanted = _scalar(node.right)
    if node.op in ("==", "!=") and wanted is not None:
        return _equality(w.named(one(w, node.left, v, names)), node.op, wanted)
    y = one(w, node.right, v, names)  # gojq looks at the right side first
    x = one(w, node.left, v, names)
    compare = w.helper(guarded(partial(COMPARISONS[node.op], w.meter), node.span))
    if node.op in ("==", "!="):
        return f"{compare}({x}, {y})"
    return f"{x} {node.op} {y} if {_within(x, y, SAFE)} else {compare}({x}, {y})"


def _scalar(node: jq.Node) -> Atom | None:
    """The literal of a string, a small whole number, null, true or false."""
    match node:
        case jq.Literal(value=value) if type(value) is str or (type(value) is int and value < SAFE):
            return repr(value)
        case jq.Call(name=name, args=()):
            return _CONSTANTS.get(name)
        case _:
            return None


def _equality(x: Atom, op: str, wanted: Atom) -> str:
    if wanted in _CONSTANTS.values():
        return f"{x} {'is' if op == '==' else 'is not'} {wanted}"
    if wanted[0].isdigit():
        return f"({x} == {wanted} and type({x}) is not bool) is {op == '=='}"
    return f"{x} {op} {wanted}"


def _within(x: Atom, y: Atom, bound: int) -> str:
    """The test that both are ints no further from zero than bound; a literal is looked at here."""
    if any(not is_name(a) and not (a.isdigit() and int(a) <= bound) for a in (x, y)):
        return "False"
    return " and ".join([f"type({a}) is int and -{bound} <= {a} <= {bound}" for a in (x, y) if is_name(a)]) or "True"


def _arithmetic(w: Writer, node: jq.Binary, v: Atom, names: Names) -> Atom:
    y = one(w, node.right, v, names)
    x = one(w, node.left, v, names)
    if not w.is_made_here(x) and not w.is_made_here(y):
        return _closure(w, node, v, names)  # two constants, which count as the program's own numbers
    compute = w.helper(guarded(partial(ARITHMETIC[node.op], w.meter), node.span))
    near = _within(x, y, _ROOT if node.op == "*" else _HALF)
    return w.put(f"{x} {node.op} {y} if {near} else {compute}({x}, {y})")


def _call(w: Writer, node: jq.Call, v: Atom, names: Names) -> Atom:
    match node:
        case jq.Call(name=name, args=()) if name in _CONSTANTS:
            return _CONSTANTS[name]
        case jq.Call(name="not", args=()):
            return w.put(f"not ({w.true(v)})")
        case jq.Call(name=name, args=()) if name in _VALUES:
            return w.put(f"{w.helper(guarded(partial(_VALUES[name], w.meter), node.span))}({v})")
        case jq.Call(name="map", args=(change,)):
            return _map(w, node, change, v, names)
        case jq.Call(name="any" | "all", args=(source, test)) if _is_one_loop(w, source, test, names):
            return _quantified(w, node.name == "any", source, test, v, names)
        case _:
            return _closure(w, node, v, names)


def _map(w: Writer, node: jq.Call, change: jq.Node, v: Atom, names: Names) -> Atom:
    from kartatest.jq.straight.streams import each

    v = w.named(v)
    values = w.put(f"{v} if type({v}) is list else {w.helper(partial(values_of, span=node.span))}({v})")
    w.spend(f"len({values})")
    found, item = w.put("[]"), w.fresh()
    with w.block(f"for {item} in {values}:"):
        each(w, change, item, names, lambda x: w.line(f"{found}.append({x})"))
    w.build(f"8 * len({found})")
    return found


def _is_one_loop(w: Writer, source: jq.Node, test: jq.Node, names: Names) -> bool:
    """Whether `any(source; test)` can be left by one `break`."""
    return outputs(w, test, names) == ONE and _loops(w, source, names) == 1


def _loops(w: Writer, node: jq.Node, names: Names) -> int:
    """How many loops are around an output of node; many for what is not looked into."""
    match node:
        case _ if outputs(w, node, names) == ONE:
            return 0
        case jq.Iterate(target=target) | jq.Try(body=jq.Iterate(target=target), handler=None):
            return 1 + _loops(w, target, names)
        case jq.Pipe(left=left, right=right):
            return _loops(w, left, names) + _loops(w, right, names)
        case jq.Call(name="select", args=(test,)):
            return _loops(w, test, names)
        case _:
            return 9


def _quantified(w: Writer, wanted: bool, source: jq.Node, test: jq.Node, v: Atom, names: Names) -> Atom:
    from kartatest.jq.straight.streams import each

    found = w.put(str(not wanted))

    def tested(x: Atom) -> None:
        w.spend(1)
        condition = truth(w, test, x, names)
        with w.block(f"if {condition}:" if wanted else f"if not ({condition}):"):
            w.line(f"{found} = {wanted}")
            w.line("break")

    each(w, source, v, names, tested)
    return found
