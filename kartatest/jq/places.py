"""Where in its input each step of a program looks, from the syntax tree alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from typing import TypeAlias, cast

from kartatest.jq import ast as jq
from kartatest.jq.ast import Ast, Node, children
from kartatest.jq.shape import Path, Paths, constant_key, words


class _Mark(Enum):
    LIST = "the elements below it, gathered in a list"
    DEFAULT = "the value there, or another in its place"


_Steps: TypeAlias = tuple[str | int | _Mark | None, ...]
_Found: TypeAlias = frozenset[_Steps]
_NOTHING: _Found = frozenset()
_MOST = 64  # paths of one node; each comma may double them, so there has to be an end

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
        self._reads: list[tuple[Node, Path]] | None = None
        self._visit(tree, frozenset({()}), {}, frozenset())

    def of(self, node: Node, *, bare: bool = False) -> Paths:
        """Paths that the results of node may come from; without those that `//` gives a default, when bare."""
        return _visible(self._of.get(id(node), _NOTHING), bare)

    def input(self, node: Node, *, bare: bool = False) -> Paths:
        """Paths of the value that node runs on; without those that `//` gives a default, when bare."""
        return _visible(self._input.get(id(node), _NOTHING), bare)

    def reads(self) -> Iterator[tuple[Node, Path]]:
        """Every step that surely looks into the input, with each path it may look at."""
        if self._reads is None:
            steps = (node for node in self._nodes if isinstance(node, jq.Index | jq.Iterate))
            self._reads = [(node, path) for node in steps for path in sorted(self.of(node), key=str)]
        return iter(self._reads)

    def _visit(self, node: Node | None, given: _Found, env: dict[str, _Found], own: frozenset[str]) -> _Found:
        if node is None:
            return given
        self._nodes.append(node)
        self._input[id(node)] = given
        found = self._result(node, given, env, own)
        if len(found) > _MOST:
            found = _NOTHING
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
            case jq.Try(body=jq.Index() | jq.Slice() as body, step=True):
                return self._guarded_step(body, given, visit)
            case jq.Try(body=body, handler=handler):
                found = visit(body)
                return found if handler is None else found | visit(handler, _NOTHING)
            case jq.Pipe(left=left, right=right):
                return visit(right, visit(left))
            case jq.Comma(left=left, right=right):
                return visit(left) | visit(right)
            case jq.Binary(op="//", left=left, right=right):
                first, second = visit(left), visit(right)
                return first | second if second or _may_be_null(right) else _defaulted(first)
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

    def _guarded_step(
        self, body: jq.Index | jq.Slice, given: _Found, visit: Callable[[Node | None, _Found], _Found]
    ) -> _Found:
        """`T[key]?`: the key looks at what T gives, not at the input of the term."""
        self._nodes.append(body)
        self._input[id(body)] = given
        target = visit(body.target, given)
        for part in (body.key,) if isinstance(body, jq.Index) else (body.start, body.stop):
            if part is not None:
                visit(part, target)
        found = _step(target, constant_key(body.key)) if isinstance(body, jq.Index) else _NOTHING
        self._of[id(body)] = found
        return found

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
    plain = _undefaulted(found)
    if isinstance(key, int):
        return frozenset(p[:-1] if p and p[-1] is _Mark.LIST else (*p, key) for p in plain)
    return frozenset((*p, key) for p in plain if not (p and p[-1] is _Mark.LIST))


def _each(found: _Found) -> _Found:
    return frozenset(p[:-1] if p and p[-1] is _Mark.LIST else (*p, None) for p in _undefaulted(found))


def _gathered(found: _Found) -> _Found:
    return frozenset((*p, _Mark.LIST) for p in _undefaulted(found))


def _defaulted(found: _Found) -> _Found:
    return frozenset((*p, _Mark.DEFAULT) for p in _undefaulted(found))


def _undefaulted(found: _Found) -> _Found:
    return frozenset(p[:-1] if p and p[-1] is _Mark.DEFAULT else p for p in found)


def _may_be_null(tree: Ast) -> bool:
    return isinstance(tree, jq.Call) and tree.name in {"null", "empty"}


def _visible(found: _Found, bare: bool) -> Paths:
    shown = frozenset(p for p in found if _Mark.DEFAULT not in p) if bare else _undefaulted(found)
    return cast("Paths", frozenset(p for p in shown if _Mark.LIST not in p))
