"""Facts about syntax trees that need no object: which paths a program reads, what its results surely are.

Everything here answers "unknown" rather than guess: an empty set of paths, None for a plain path or a type.
How many results a program has is in `jq.count`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Literal as OneOf
from typing import TypeAlias, cast

from kartatest.jq import ast as jq
from kartatest.jq.ast import Ast, Node, children


def words(text: str) -> frozenset[str]:
    """A set of names written as one text, parted by blanks."""
    return frozenset(text.split())


Path: TypeAlias = tuple[str | int | None, ...]
"""Steps from the input of a program: a key, an index, or None for every element."""

Paths: TypeAlias = frozenset[Path]

NO_PATHS: Paths = frozenset()


class _Mark(Enum):
    LIST = "the elements below it, gathered in a list"


_Steps: TypeAlias = tuple[str | int | _Mark | None, ...]
_Found: TypeAlias = frozenset[_Steps]
_NOTHING: _Found = frozenset()

COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
LOGIC = frozenset({"and", "or"})
ARITHMETIC = frozenset({"+", "-", "*", "/", "%"})

_SAME_LIST = frozenset({"sort", "reverse", "unique"})
_SAME_LIST_BY = frozenset({"sort_by", "unique_by"})
_ONE_OF = frozenset({"first", "last", "min", "max"})
_ONE_OF_BY = frozenset({"min_by", "max_by"})
_OVER_ELEMENTS = frozenset({"any", "all", "group_by", "add"})
_CONSTANT_ARGS = words(
    "has in contains inside startswith endswith ltrimstr rtrimstr trimstr split join test match capture scan splits"
    " sub gsub index rindex indices flatten error ascii inside tojson fromjson strftime strptime isvalid path paths"
    " getpath until while"
)

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


def path_text(path: Path) -> str:
    """A path as jq text: `.spec.jobs[]["a-b"]`; `.` for the empty one."""
    text = ""
    for step in path:
        if step is None:
            text += "[]"
        elif isinstance(step, int):
            text += f"[{step}]"
        elif re.fullmatch(r"[A-Za-z_]\w*", step, re.ASCII):
            text += f".{step}"
        else:
            escaped = step.replace("\\", "\\\\").replace('"', '\\"')
            text += f'["{escaped}"]'
    return text if text.startswith(".") else "." + text


def iteration_prefixes(path: Path) -> tuple[Path, ...]:
    """The collections a path runs over, outermost first: `.a[].b[].c` runs over `.a` and `.a[].b`."""
    return tuple(path[:i] for i, step in enumerate(path) if step is None)


def operand_of(tree: Ast) -> Iterator[Ast]:
    """The alternatives of a `//` chain in order, or the tree itself."""
    if isinstance(tree, jq.Binary) and tree.op == "//":
        yield from operand_of(tree.left)
        yield from operand_of(tree.right)
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
    if isinstance(tree, jq.Binary) and tree.op == "and":
        yield from conjuncts(tree.left)
        yield from conjuncts(tree.right)
    else:
        yield tree


def _tests_key(tree: Ast) -> bool:
    match tree:
        case jq.Binary(op="==", left=left, right=right):
            for one, other in ((left, right), (right, left)):
                path = plain_path(one)
                if path in {("type",), ("name",)} and isinstance(other, jq.Literal | jq.Variable):
                    return True
    return False


class Places:
    """Where in the input each part of a program looks.

    `of(node)` gives the paths, from the input of the whole program, that a node's results may come from, `input(node)`
    those of the value the node runs on. Empty: it is no part of the input, or cannot be told. Nodes are those of the
    tree given (by identity).
    """

    def __init__(self, tree: Ast) -> None:
        self._of: dict[int, _Found] = {}
        self._input: dict[int, _Found] = {}
        self._nodes: list[Node] = []
        self._visit(tree, frozenset({()}), {}, frozenset())

    def of(self, node: Node) -> Paths:
        """Paths that the results of node may come from."""
        return _visible(self._of.get(id(node), _NOTHING))

    def input(self, node: Node) -> Paths:
        """Paths of the value that node runs on."""
        return _visible(self._input.get(id(node), _NOTHING))

    def reads(self) -> Iterator[tuple[Node, Path]]:
        """Every step that surely looks into the input, with each path it may look at."""
        for node in self._nodes:
            if isinstance(node, jq.Index | jq.Iterate):
                yield from ((node, path) for path in sorted(self.of(node), key=str))

    def _visit(self, node: Node | None, given: _Found, env: dict[str, _Found], own: frozenset[str]) -> _Found:
        if node is None:
            return given
        self._nodes.append(node)
        self._input[id(node)] = given
        found = self._result(node, given, env, own)
        self._of[id(node)] = found
        return found

    def _result(self, node: Node, given: _Found, env: dict[str, _Found], own: frozenset[str]) -> _Found:
        def visit(part: Node | None, on: _Found = given) -> _Found:
            return self._visit(part, on, env, own)

        match node:
            case jq.Identity():
                return given
            case jq.Index(target=target, key=key):
                visit(key)
                return _step(visit(target), constant_key(key))
            case jq.Iterate(target=target):
                return _each(visit(target))
            case jq.Try(body=body, handler=handler):
                found = visit(body)
                return found if handler is None else found | visit(handler, _NOTHING)
            case jq.Pipe(left=left, right=right):
                return visit(right, visit(left))
            case jq.Comma(left=left, right=right) | jq.Binary(op="//", left=left, right=right):
                return visit(left) | visit(right)
            case jq.If(condition=condition, consequence=yes, alternative=no):
                visit(condition)
                return visit(yes) | visit(no)
            case jq.Array(body=body):
                return _gathered(visit(body)) if body is not None else _NOTHING
            case jq.Variable(name=name):
                return env.get(name, _NOTHING)
            case jq.Bind(source=source, patterns=patterns, body=body):
                bound = self._bound(visit(source), patterns, env, own)
                return self._visit(body, given, bound, own)
            case jq.Reduce(source=source, patterns=patterns):
                bound = self._bound(visit(source), patterns, env, own)
                visit(node.init)
                self._visit(node.update, _NOTHING, bound, own)
                return _NOTHING
            case jq.Foreach(source=source, patterns=patterns):
                bound = self._bound(visit(source), patterns, env, own)
                visit(node.init)
                for part in (node.update, node.extract):
                    if part is not None:
                        self._visit(part, _NOTHING, bound, own)
                return _NOTHING
            case jq.Define(function=function, rest=rest):
                self._visit(function.body, _NOTHING, {}, own | {function.name, *function.params})
                return self._visit(rest, given, env, own | {function.name})
            case jq.Label(body=body) | jq.Module(body=body):
                return visit(body)
            case jq.Call():
                return self._call(node, given, visit, own)
            case _:
                for child in children(node):
                    visit(child)
                return _NOTHING

    def _bound(
        self, source: _Found, patterns: tuple[jq.Pattern, ...], env: dict[str, _Found], own: frozenset[str]
    ) -> dict[str, _Found]:
        bound = dict(env)
        for pattern in patterns:
            if isinstance(pattern, jq.VariablePattern):
                bound[pattern.name] = source if len(patterns) == 1 else _NOTHING
                continue
            for node in jq.walk(pattern):
                if isinstance(node, jq.VariablePattern):
                    bound[node.name] = _NOTHING
                elif isinstance(node, jq.PatternEntry) and not isinstance(node.key, jq.VariablePattern):
                    self._visit(node.key, _NOTHING, env, own)
        return bound

    def _call(
        self, node: jq.Call, given: _Found, visit: Callable[[Node | None, _Found], _Found], own: frozenset[str]
    ) -> _Found:
        name, args = node.name, node.args
        known = name not in own
        if known and not args and name in _SAME_LIST:
            return given
        if known and not args and name in _ONE_OF:
            return _each(given)
        if known and name in _OVER_ELEMENTS and len(args) == 2:
            visit(args[1], visit(args[0], given))
            return _NOTHING
        if known and name == "limit" and len(args) == 2:
            visit(args[0], given)
            return visit(args[1], given)
        if known and len(args) == 1:
            if name == "select":
                visit(args[0], given)
                return given
            if name == "map":
                return _gathered(visit(args[0], _each(given)))
            if name in {"first", "last"}:
                return visit(args[0], given)
            if name in _SAME_LIST_BY or name in _ONE_OF_BY or name in _OVER_ELEMENTS:
                visit(args[0], _each(given))
                if name in _OVER_ELEMENTS:
                    return _NOTHING
                return given if name in _SAME_LIST_BY else _each(given)
        on = given if known and name in _CONSTANT_ARGS else _NOTHING
        for arg in args:
            visit(arg, on)
        return _NOTHING


def _step(found: _Found, key: str | int | None) -> _Found:
    if key is None:
        return _NOTHING
    if isinstance(key, int):
        return frozenset(p[:-1] if p and p[-1] is _Mark.LIST else (*p, key) for p in found)
    return frozenset((*p, key) for p in found if not (p and p[-1] is _Mark.LIST))


def _each(found: _Found) -> _Found:
    return frozenset(p[:-1] if p and p[-1] is _Mark.LIST else (*p, None) for p in found)


def _gathered(found: _Found) -> _Found:
    return frozenset((*p, _Mark.LIST) for p in found)


def _visible(found: _Found) -> Paths:
    return cast("Paths", frozenset(p for p in found if _Mark.LIST not in p))
