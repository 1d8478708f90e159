"""Facts about syntax trees that need no object: which paths a program reads, what its results surely are.

Everything here answers "unknown" rather than guess: an empty set of paths, None for a plain path or a type.
Where each step looks is in `jq.places`, how many results there are in `jq.count`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal as OneOf
from typing import TypeAlias

from kartatest.jq import ast as jq
from kartatest.jq.ast import Ast, Node, children
from kartatest.jq.values import number_text
from kartatest.source import Json


def words(text: str) -> frozenset[str]:
    """A set of names written as one text, parted by blanks."""
    return frozenset(text.split())


Path: TypeAlias = tuple[str | int | None, ...]
"""Steps from the input of a program: a key, an index, or None for every element."""

Paths: TypeAlias = frozenset[Path]

NO_PATHS: Paths = frozenset()


COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
LOGIC = frozenset({"and", "or"})
ARITHMETIC = frozenset({"+", "-", "*", "/", "%"})

BOOLEAN_CALLS = words(
    "true false not any all test has in inside contains startswith endswith isnan isinfinite isnormal isvalid toboolean"
)
_STRING_CALLS = words("tostring tojson ascii_downcase ascii_upcase join type todate implode trim")
_NUMBER_CALLS = words("length tonumber floor ceil round sqrt now utf8bytelength fromdate")
_ARRAY_CALLS = words("map keys to_entries sort sort_by group_by unique unique_by split explode indices")

Type: TypeAlias = OneOf["null", "boolean", "number", "string", "array", "object"]


def plain_path(tree: Ast) -> Path | None:
    """The one path that a program of `.field`, `["key"]`, `[n]`, `[]` and `?`, joined by `|`, stands for; else None."""
    match tree:
        case jq.Identity():
            return ()
        case jq.Index(target=target, key=key):
            base, step = plain_path(target), constant_key(key)
            return None if base is None or step is None else (*base, step)
        case jq.Iterate(target=target):
            base = plain_path(target)
            return None if base is None else (*base, None)
        case jq.Try(body=body, handler=None):
            return plain_path(body)
        case jq.Pipe(left=left, right=right):
            first, second = plain_path(left), plain_path(right)
            return None if first is None or second is None else first + second
        case _:
            return None


def constant_key(key: Ast) -> str | int | None:
    """The key or index that an index expression always has; None when it is computed."""
    match key:
        case jq.Literal(value=str() as name):
            return name
        case jq.Literal(value=int() as number):
            return number
        case jq.Negate(body=jq.Literal(value=int() as number)):
            return -number
        case _:
            return None


def writable(tree: Ast) -> bool:
    """Whether consumers can write through it in every object: only `.field`, `["key"]`, `[]`, `?` (semantics 5.4)."""
    match tree:
        case jq.Identity():
            return True
        case jq.Index(target=target, key=jq.Literal(value=str())):
            return writable(target)
        case jq.Iterate(target=target) | jq.Try(body=target, handler=None):
            return writable(target)
        case _:
            return False


def path_text(path: Sequence[Json]) -> str:
    """A path as jq text: `.spec.jobs[]["a-b"]`; `.` for the empty one.

    Beside the steps of Path it writes those that a run gives: any number, and a slice as an object with start and end.
    """
    text = ""
    for step in path:
        if step is None:
            text += "[]"
        elif isinstance(step, dict):
            text += f"[{_bound(step.get('start'))}:{_bound(step.get('end'))}]"
        elif not isinstance(step, str):
            text += f"[{_bound(step)}]"
        elif re.fullmatch(r"[A-Za-z_]\w*", step, re.ASCII):
            text += f".{step}"
        else:
            escaped = step.replace("\\", "\\\\").replace('"', '\\"')
            text += f'["{escaped}"]'
    return text if text.startswith(".") else "." + text


def _bound(number: int | float | None) -> str:
    if number is None:
        return ""
    return number_text(number) if number == number else "nan"


def iteration_prefixes(path: Path) -> tuple[Path, ...]:
    """The collections a path runs over, outermost first: `.a[].b[].c` runs over `.a` and `.a[].b`."""
    return tuple(path[:i] for i, step in enumerate(path) if step is None)


def operand_of(tree: Ast) -> Iterator[Ast]:
    """The alternatives of a `//` chain in order, or the tree itself."""
    return _operands(tree, "//")


def _operands(tree: Ast, op: jq.BinaryOp) -> Iterator[Ast]:
    if isinstance(tree, jq.Binary) and tree.op == op:
        yield from _operands(tree.left, op)
        yield from _operands(tree.right, op)
    else:
        yield tree


def result_type(tree: Ast) -> Type | None:
    """The type that every result of the program has, whatever the input; None when it can vary or is unknown."""
    match tree:
        case jq.Literal(value=str()) | jq.String() | jq.Format():
            return "string"
        case jq.Literal() | jq.Negate():
            return "number"
        case jq.Array():
            return "array"
        case jq.Object():
            return "object"
        case jq.Binary(op=op) if op in COMPARISONS or op in LOGIC:
            return "boolean"
        case jq.Binary(op="//", left=left, right=right) | jq.Comma(left=left, right=right):
            return _shared(left, right)
        case jq.If(consequence=left, alternative=jq.Node() as right):
            return _shared(left, right)
        case jq.Pipe(right=right) | jq.Bind(body=right) | jq.Label(body=right):
            return result_type(right)
        case jq.Try(body=body, handler=None):
            return result_type(body)
        case jq.Call(name=name):
            return _call_type(name, tree.args)
        case _:
            return None


def _shared(left: Ast, right: Ast) -> Type | None:
    one = result_type(left)
    return one if one is not None and one == result_type(right) else None


def _call_type(name: str, args: tuple[Ast, ...]) -> Type | None:
    if name == "null" and not args:
        return "null"
    if name in {"first", "last"} and len(args) == 1:
        return result_type(args[0])
    groups: tuple[tuple[frozenset[str], Type], ...] = (
        (BOOLEAN_CALLS, "boolean"),
        (_STRING_CALLS, "string"),
        (_NUMBER_CALLS, "number"),
        (_ARRAY_CALLS, "array"),
    )
    return next((kind for names, kind in groups if name in names), None)


def parents(tree: Node) -> dict[int, Node]:
    """For every node inside tree, by id(), the node that directly holds it."""
    return {id(child): node for node in jq.walk(tree) for child in children(node)}


def calls(tree: Node) -> Iterator[jq.Call]:
    """Every call in the program, in the order of the text."""
    return (node for node in jq.walk(tree) if isinstance(node, jq.Call))


def is_keyed_select(tree: Node) -> bool:
    """Whether it is `select(.type == "x" ...)` or `select(.name == "x" ...)`: at most one element of a keyed list."""
    if not (isinstance(tree, jq.Call) and tree.name == "select" and len(tree.args) == 1):
        return False
    return any(_tests_key(part) for part in conjuncts(tree.args[0]))


def conjuncts(tree: Ast) -> Iterator[Ast]:
    """The parts of an `and` chain, or the tree itself."""
    return _operands(tree, "and")


def _tests_key(tree: Ast) -> bool:
    match tree:
        case jq.Binary(op="==", left=left, right=right):
            for one, other in ((left, right), (right, left)):
                path = plain_path(one)
                if path in {("type",), ("name",)} and isinstance(other, jq.Literal | jq.Variable):
                    return True
    return False


def possible_texts(tree: Ast) -> frozenset[str] | None:
    """All texts that a program's results can be, as `tostring` makes them; None when they cannot be listed."""
    match tree:
        case jq.Literal(value=str() as text):
            return frozenset({text})
        case jq.Literal(value=int() as number):
            return frozenset({str(number)})
        case jq.Call(name="true" | "false" | "null" as name, args=()):
            return frozenset({name})
        case jq.Call(name="empty", args=()):
            return frozenset()
        case jq.Comma(left=left, right=right) | jq.Binary(op="//", left=left, right=right):
            return _either(left, right)
        case jq.If(consequence=left, alternative=jq.Node() as right):
            return _either(left, right)
        case jq.Pipe(right=jq.Call(name="tostring" | "select" | "first" | "last")):
            return possible_texts(tree.left) if tree.right == jq.Call("tostring") else None
        case jq.Pipe(right=right) | jq.Bind(body=right):
            return possible_texts(right)
        case _:
            return frozenset({"true", "false"}) if result_type(tree) == "boolean" else None


def _either(left: Ast, right: Ast) -> frozenset[str] | None:
    one, other = possible_texts(left), possible_texts(right)
    return None if one is None or other is None else one | other
