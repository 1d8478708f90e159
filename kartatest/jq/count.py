"""How many results a program can have: bounds from its syntax tree alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kartatest.jq import ast as jq
from kartatest.jq.ast import Node, walk
from kartatest.jq.shape import is_keyed_select, words


@dataclass(frozen=True, slots=True)
class Count:
    """At least low results, at most high; high None has no bound. Errors are not counted."""

    low: int
    high: int | None

    def __mul__(self, other: Count) -> Count:
        """Each of the ones with each of the others."""
        if self.high == 0 or other.high == 0:
            return NONE
        high = None if self.high is None or other.high is None else self.high * other.high
        return Count(self.low * other.low, high)

    def __add__(self, other: Count) -> Count:
        """The ones, then the others."""
        high = None if self.high is None or other.high is None else self.high + other.high
        return Count(self.low + other.low, high)

    def __or__(self, other: Count) -> Count:
        """Either."""
        high = None if self.high is None or other.high is None else max(self.high, other.high)
        return Count(min(self.low, other.low), high)

    @property
    def several(self) -> bool:
        """Whether there can be more than one."""
        return self.high is None or self.high > 1


NONE = Count(0, 0)
ONE = Count(1, 1)
PERHAPS = Count(0, 1)
MANY = Count(0, None)

_STREAMS = words(
    "range recurse paths splits scan match limit until while repeat combinations env getpath skip inputs"
    " tostream fromstream truncate_stream capture walk path leaf_paths"
)
_TYPES = words("values nulls booleans numbers strings arrays objects iterables scalars finites normals")
_ONCE = words("getpath env path until walk")
_GATHERING = words(
    "map map_values with_entries any all sort_by group_by unique_by min_by max_by add del to_entries isvalid"
    " input_line_number pick isempty IN"
)


def count(tree: Node) -> Count:
    """Bounds on the number of results of a program on one input that it does not fail on.

    A list filtered by `select(.type == ...)` or `select(.name == ...)` counts as at most one: those lists are keyed.
    """
    return _count(tree, {})


_Env = dict[tuple[str, int], Count]


def _count(node: Node, env: _Env) -> Count:
    def of(part: Node | None) -> Count:
        return ONE if part is None else _count(part, env)

    match node:
        case jq.Recurse():
            return Count(1, None)
        case jq.Index(target=target, key=key):
            return of(target) * of(key)
        case jq.Slice(target=target, start=start, stop=stop):
            return of(target) * of(start) * of(stop)
        case jq.Iterate(target=target):
            return of(target) * MANY
        case jq.Try(body=body, handler=handler):
            tried = Count(0, of(body).high)
            if handler is None:
                return tried
            caught = Count(0, of(handler).high)
            return tried | caught if _fails_first(body, tried, env) else tried + caught
        case jq.Negate(body=body):
            return of(body)
        case jq.Pipe(left=left, right=right):
            return _piped(of(left), right, of(right))
        case jq.Comma(left=left, right=right):
            return of(left) + of(right)
        case jq.Binary(op="//", left=left, right=right):
            default = of(right)  # once: chains of `//` lean to the right
            return Count(min(1, default.low), (of(left) | default).high)
        case jq.Binary(op="and" | "or", left=left, right=right):
            return of(left) * (ONE | of(right))
        case jq.Binary(left=left, right=right) | jq.Assign(left=left, right=right):
            return of(left) * of(right)
        case jq.Object(entries=entries):
            return _product(of(part) for entry in entries for part in (entry.key, entry.value) if part is not None)
        case jq.String(parts=parts):
            return _product(of(part) for part in parts if isinstance(part, Node))
        case jq.Bind(source=source, body=body):
            return of(source) * of(body)
        case jq.Reduce(init=init):
            return Count(0, of(init).high)
        case jq.Foreach():
            return MANY
        case jq.If(condition=condition, consequence=yes, alternative=no):
            return of(condition) * (of(yes) | of(no))
        case jq.Define(function=function, rest=rest):
            return _count(rest, {**env, **_function(function, env)})
        case jq.Label(body=body):
            return Count(0, of(body).high)
        case jq.Break():
            return NONE
        case jq.Module(body=body):
            return of(body)
        case jq.Call():
            return _call(node, env)
        case _:
            return ONE


def _fails_first(body: Node, tried: Count, env: _Env) -> bool:
    """Whether it surely gives nothing where it fails: it has one result at most, and nothing goes on behind it."""
    return not tried.several and not any(
        isinstance(node, jq.Comma | jq.Iterate | jq.Recurse | jq.Reduce | jq.Foreach)
        or (isinstance(node, jq.Call) and ((node.name, len(node.args)) in env or node.name in _STREAMS))
        for node in walk(body)
    )


def _piped(left: Count, right: Node, each: Count) -> Count:
    first = right.left if isinstance(right, jq.Pipe) else right
    if left.several and is_keyed_select(first):
        return PERHAPS * (each if first is not right else ONE)
    return left * each


def _function(function: jq.Function, env: _Env) -> _Env:
    key = (function.name, len(function.params))
    params = {(name.removeprefix("$"), 0): MANY for name in function.params if not name.startswith("$")}
    return {key: _count(function.body, {**env, key: MANY, **params})}


def _call(node: jq.Call, env: _Env) -> Count:
    key = (node.name, len(node.args))
    if key in env:
        return env[key]
    name, args = node.name, [_count(arg, env) for arg in node.args]
    if name in {"empty", "error", "halt", "halt_error"}:
        return NONE
    if name in _TYPES and not args:
        return PERHAPS
    if name == "select" and len(args) == 1:
        return Count(0, args[0].high)
    if name in {"first", "last", "nth", "limit"} and args:
        low = 0 if name != "first" and name != "last" else min(1, args[0].low)
        return _limited(node, args) if name == "limit" else Count(low, 1)
    if name in {"match", "capture"} and len(args) == 1:
        return PERHAPS * args[0]
    if name in _STREAMS and name not in _ONCE:
        return MANY
    if name in _GATHERING:
        return ONE
    return _product(args)


def _limited(node: jq.Call, args: list[Count]) -> Count:
    bound = node.args[0]
    if len(args) == 2 and isinstance(bound, jq.Literal) and isinstance(bound.value, int):
        high = args[1].high
        return Count(0, bound.value if high is None else min(high, bound.value))
    return MANY


def _product(counts: Iterable[Count]) -> Count:
    total = ONE
    for one in counts:
        total *= one
    return total
