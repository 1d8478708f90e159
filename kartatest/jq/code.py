"""What a syntax tree is compiled to: closures over plain values, and the scopes names are looked up in.

A piece of Code can be run in up to five ways. `many` always works. `one` is there when there is always exactly one
output, `maybe` when there is at most one (NOTHING stands for none), `collect` gives all outputs as a list where an
error may throw all of them away, and `trail` follows places: it is given and gives pairs of a value and a Place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from typing import Any, TypeAlias

from kartatest.jq.budget import Meter
from kartatest.jq.errors import JqRunError
from kartatest.jq.values import Exact, preview
from kartatest.source import Json, Span
from kartatest.value import value

Env: TypeAlias = Any
"""Bindings as linked pairs (value, rest); None is the end."""

Place: TypeAlias = "tuple[tuple[Json, ...] | None, Json]"
"""Where a run has got to in the input: path and the value there. The current value need not be that value: it is
looked at only by the next step that needs a path (gojq 0.12.19). Path None: nowhere in the input, in a tolerant run."""

One: TypeAlias = Callable[[Json, Env], Json]
Many: TypeAlias = Callable[[Json, Env], Iterator[Json]]
Collect: TypeAlias = Callable[[Json, Env], "list[Json]"]
Trail: TypeAlias = Callable[[Json, Place, Env], "Iterator[tuple[Json, Place]]"]

NOTHING: Any = type("Nothing", (), {"__repr__": lambda _: "NOTHING"})()
MISSING: Any = object()
LOST: Place = (None, MISSING)


class BreakSignal(Exception):  # noqa: N818 - a jump, not an error
    """`break $label` on its way to its label."""

    def __init__(self, label: object) -> None:
        super().__init__("break")
        self.label = label


@value
class Code:
    """A compiled piece of a program. keys: the constant keys when it is a chain like `.a.b`; const: its one value.

    at_once: nothing can go wrong between its outputs, so that they may be collected before the first one is used.
    """

    many: Many
    trail: Trail
    one: One | None = None
    maybe: One | None = None
    collect: Collect = field(default=lambda v, env: [])
    keys: tuple[str, ...] | None = None
    const: Json = MISSING
    at_once: bool = False


def stay(many: Many) -> Trail:
    """The trail of code that makes values of its own: the place stays where it was."""

    def trail(v: Json, place: Place, env: Env) -> Iterator[tuple[Json, Place]]:
        for x in many(v, env):
            yield x, place

    return trail


def single(one: One, trail: Trail | None = None, **more: Any) -> Code:
    """Code with exactly one output."""

    def many(v: Json, env: Env) -> Iterator[Json]:
        return iter((one(v, env),))

    def collect(v: Json, env: Env) -> list[Json]:
        return [one(v, env)]

    return Code(many, trail or stay(many), one, one, collect, **more)


def optional(maybe: One, trail: Trail | None = None) -> Code:
    """Code with at most one output."""

    def many(v: Json, env: Env) -> Iterator[Json]:
        x = maybe(v, env)
        return iter(()) if x is NOTHING else iter((x,))

    def collect(v: Json, env: Env) -> list[Json]:
        x = maybe(v, env)
        return [] if x is NOTHING else [x]

    return Code(many, trail or stay(many), None, maybe, collect)


def stream(many: Many, trail: Trail | None = None, collect: Collect | None = None, *, at_once: bool = False) -> Code:
    """Code with any number of outputs."""

    def listed(v: Json, env: Env) -> list[Json]:
        return list(many(v, env))

    return Code(many, trail or stay(many), None, None, collect or listed, at_once=at_once)


def constant(value: Json, trail: Trail | None = None) -> Code:
    """Code that gives the same value for every input."""
    return single(lambda _v, _env: value, trail, const=value)


def intact(value: Json, place: Place, meter: Meter, span: Span | None = None) -> Place:
    """place when value is what lies there, so that a path can go on from it; else an error, or LOST if tolerant.

    Scalars and empty arrays are compared by value, as gojq 0.12.19 does.
    """
    there = place[1]
    if value is there:
        return place
    kind = type(value)
    if kind is list:
        same = type(there) is list and not value and not there
    else:
        alike = type(there) not in (bool, list, dict) and (kind is Exact) is (type(there) is Exact)
        same = kind is not dict and kind is not bool and alike and value == there
    if same:
        return place
    if meter.tolerant:
        return LOST
    raise JqRunError(f"{preview(value)} is not a place in the input, so it has no path", span, "invalid path")


def further(place: Place, key: Json, value: Json) -> Place:
    """The place one step below."""
    path = place[0]
    return LOST if path is None else ((*path, key), value)


def cartesian(
    function: Callable[..., Json], args: Sequence[Code], span: Span | None, *, first_outer: bool = False
) -> Code:
    """function(input, *arguments) for each combination of arguments; the last argument is the outermost loop (gojq)."""
    count = len(args)
    positions = range(count) if first_outer else range(count - 1, -1, -1)
    call = guarded(function, span)

    def choices(v: Json, env: Env, chosen: list[Json], at: int) -> Iterator[Json]:
        if at == count:
            yield call(v, *chosen)
            return
        position = positions[at]
        for x in args[position].many(v, env):
            chosen[position] = x
            yield from choices(v, env, chosen, at + 1)

    def trails(v: Json, place: Place, env: Env, chosen: list[Json], at: int) -> Iterator[tuple[Json, Place]]:
        if at == count:
            yield call(v, *chosen), place
            return
        position = positions[at]
        for x, there in args[position].trail(v, place, env):
            chosen[position] = x
            yield from trails(v, there, env, chosen, at + 1)

    def trail(v: Json, place: Place, env: Env) -> Iterator[tuple[Json, Place]]:
        return trails(v, place, env, [None] * count, 0)

    if all(a.one for a in args):
        return single(_direct(call, args), trail)
    return stream(lambda v, env: choices(v, env, [None] * count, 0), trail)


def guarded(function: Callable[..., Json], span: Span | None) -> Callable[..., Json]:
    """function, whose errors are at span where it does not say better."""

    def call(*values: Json) -> Json:
        try:
            return function(*values)
        except JqRunError as e:
            if e.span is None:
                e.span = span
            raise

    return call


def _direct(call: Callable[..., Json], args: Sequence[Code]) -> One:
    ones: list[Any] = [a.one for a in args]
    if not ones:
        return lambda v, _env: call(v)
    if len(ones) == 1:
        (first,) = ones
        if args[0].const is not MISSING:
            const = args[0].const
            return lambda v, _env: call(v, const)
        return lambda v, env: call(v, first(v, env))
    if len(ones) == 2:
        first, second = ones

        def two(v: Json, env: Env) -> Json:
            y = second(v, env)
            return call(v, first(v, env), y)

        return two

    def several(v: Json, env: Env) -> Json:
        values = [one(v, env) for one in reversed(ones)]
        return call(v, *reversed(values))

    return several


@value
class Scope:
    """The names in reach at one point of a program, innermost first, as a linked list.

    kind is "var", "param" (a closure), "function" or "label"; level counts the bindings in Env at this point.
    body holds a function's code once it is compiled (a list, so that a function can call itself).
    """

    meter: Meter
    hits: set[Span] | None = None
    level: int = 0
    kind: str = ""
    name: str = ""
    arity: int = 0
    body: list[Code] = field(default_factory=list)
    params: tuple[str, ...] = ()
    rest: Scope | None = None

    def bind(self, kind: str, name: str) -> Scope:
        """This scope with one more binding that has a slot in Env."""
        return Scope(self.meter, self.hits, self.level + 1, kind, name, rest=self)

    def define(self, name: str, params: tuple[str, ...]) -> Scope:
        """This scope with a function; functions have no slot."""
        return Scope(self.meter, self.hits, self.level, "function", name, len(params), [], params, self)

    def quiet(self) -> Scope:
        """The same names, with nothing recorded."""
        return replace(self, hits=None)

    def find(self, kinds: tuple[str, ...], name: str, arity: int = 0) -> Scope | None:
        """The innermost binding of that name."""
        at: Scope | None = self
        while at is not None and not (at.kind in kinds and at.name == name and at.arity == arity):
            at = at.rest
        return at if at is not None and at.kind else None


def lookup(depth: int) -> Callable[[Env], Json]:
    """The function that reads a binding so many links down."""
    if depth == 0:
        return lambda env: env[0]
    if depth == 1:
        return lambda env: env[1][0]
    if depth == 2:
        return lambda env: env[1][1][0]

    def deep(env: Env) -> Json:
        for _ in range(depth):
            env = env[1]
        return env[0]

    return deep


def drop(env: Env, links: int) -> Env:
    """The bindings below the innermost links ones."""
    for _ in range(links):
        env = env[1]
    return env
