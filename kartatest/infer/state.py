"""What an expression is evaluated under: variables, functions, and what conditions have made sure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from kartatest.infer.counts import NONE, ONE, Count
from kartatest.infer.lattice import ALL, NEVER, NULL, Kind, Value
from kartatest.infer.place import Place
from kartatest.jq.ast import Ast

Facts = Mapping[Place, Kind]
"""The kinds that the value at a place can still have."""

NO_FACTS: Final[Facts] = {}


@dataclass(frozen=True, slots=True, eq=False)
class Out:
    """What an expression gives on one input: any of value, so many times; facts hold whenever it gives something."""

    value: Value
    count: Count = ONE
    facts: Facts = field(default_factory=dict)


NO_OUT: Final = Out(NEVER, NONE)


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """A function as it was defined, or an argument as it was written."""

    name: str
    params: tuple[str, ...]
    body: Ast
    env: Env
    recursive: bool = True
    """It knows itself by its name; an argument does not."""


@dataclass(frozen=True, slots=True, eq=False)
class Env:
    """Names in scope, and facts."""

    variables: Mapping[str, Value] = field(default_factory=dict)
    functions: Mapping[tuple[str, int], Closure] = field(default_factory=dict)
    facts: Facts = field(default_factory=dict)

    def having(self, facts: Facts) -> Env:
        """With further facts."""
        return replace(self, facts=both(self.facts, facts)) if facts else self

    def binding(self, variables: Mapping[str, Value]) -> Env:
        """With further variables."""
        return replace(self, variables={**self.variables, **variables}) if variables else self

    def defining(self, closure: Closure) -> Env:
        """With a further function."""
        return replace(self, functions={**self.functions, (closure.name, len(closure.params)): closure})

    def narrowed(self, value: Value) -> Value:
        """The value as far as the facts leave it possible."""
        if not self.facts or value.place is None:
            return value
        kinds = self.facts.get(value.place)
        return value if kinds is None else value.only(kinds)


def both(one: Facts, other: Facts) -> Facts:
    """Facts that hold together."""
    if not one or not other:
        return one or other
    return {place: one.get(place, ALL) & other.get(place, ALL) for place in {**one, **other}}


def fact(place: Place | None, kinds: Kind) -> Facts:
    """That the value at a place is of the kinds; what is not null has no null above it."""
    if place is None:
        return NO_FACTS
    found = {place: kinds}
    if not kinds & NULL:
        for end in range(len(place.steps)):
            found[Place(place.root, place.steps[:end])] = ALL & ~NULL
    return found
