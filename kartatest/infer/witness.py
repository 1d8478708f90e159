"""Objects that a schema allows and on which an expression fails: made of what it reads, and tried before believed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from random import Random
from typing import Final, NamedTuple, TypeAlias

from kartatest.infer.inferred import Inferred
from kartatest.jq import ast as jq
from kartatest.jq.ast import Ast, walk
from kartatest.jq.shape import Path
from kartatest.schema.model import Base, Type
from kartatest.source import Json

TRIES: Final = 300
ENOUGH: Final = 12
"""After so many objects that fail, the smallest is taken."""

Wanted: TypeAlias = "dict[str | int | None, Wanted]"
"""The fields that an expression reads, each with those below it; None for every entry."""


def witnesses(tree: Ast, type_: Type, inferred: Inferred) -> tuple[Json, ...]:
    """For each of the failures inferred, the smallest object found on which that very step fails; None where none was.

    It holds what is required and what the expression reads. The choice is the same every time.
    """
    from kartatest.jq.compile import compile as compiled
    from kartatest.jq.errors import JqError, JqRunError

    found: list[list[Json]] = [[] for _ in inferred.failures]
    spans = [failure.node.span for failure in inferred.failures]
    try:
        program = compiled(tree, trusted=True)
    except JqError:
        return tuple(None for _ in found)
    for obj in _objects(tree, type_, inferred):
        try:
            program.run(obj)
        except JqRunError as error:
            at = error.span
            for span, failing in zip(spans, found, strict=True):
                if len(failing) < ENOUGH and (at is None or (at.start < span.end and span.start < at.end)):
                    failing.append(obj)
        except JqError:
            continue
        if all(len(failing) >= ENOUGH for failing in found):
            break
    return tuple(min(failing, key=lambda obj: len(json.dumps(obj)), default=None) for failing in found)


def _objects(tree: Ast, type_: Type, inferred: Inferred) -> Iterator[Json]:
    """Objects to try: the least one, then random ones, the same every time."""
    wanted = _wanted(read.path for read in inferred.reads)
    maker = _Maker(Random(0), _constants(tree))
    yield least(type_)
    for turn in range(TRIES):
        maker.chance = (0.85, 0.5, 0.97)[turn % 3]
        yield maker.value(type_, wanted)


def _wanted(paths: Iterable[Path]) -> Wanted:
    root: Wanted = {}
    for path in paths:
        here = root
        for step in path:
            here = here.setdefault(None if isinstance(step, int) else step, {})
    return root


def _constants(tree: Ast) -> list[str | float]:
    return [node.value for node in walk(tree) if isinstance(node, jq.Literal)]


_TEXTS: Final = ("a", "1", "1Gi", "2024-01-02T03:04:05Z", "a/b", "http://a", "10s", "A", "a:1", "True")


def least(type_: Type) -> Json:
    """A small value of the type: what is required, and defaults where they fill something in."""
    if type_.default:
        return type_.default[0]
    if type_.enum:
        return type_.enum[0]
    limits = type_.limits
    match type_.base:
        case Base.OBJECT:
            made = {name: least(kid) for name, kid in type_.fields.items() if name in type_.always}
            if limits.min_fields and type_.additional is not None:
                made |= {f"k{i}": least(type_.additional) for i in range(limits.min_fields - len(made))}
            return made
        case Base.ARRAY:
            return [least(type_.items) if type_.items else "a" for _ in range(type_.min_items)]
        case Base.INTEGER | Base.NUMBER:
            return _within(type_, 1)
        case Base.BOOLEAN:
            return False
        case _:
            return _text(type_, _TEXTS)


def _within(type_: Type, number: float) -> float:
    limits = type_.limits
    if limits.minimum is not None:
        number = max(number, limits.minimum)
    if limits.maximum is not None:
        number = min(number, limits.maximum)
    return int(number) if float(number).is_integer() else number


def _text(type_: Type, choices: Iterable[str]) -> str:
    """The first of choices that the type allows, or else a text of the right length."""
    return next(_allowed(type_, choices), "a" * (type_.limits.min_length or 1))


def _allowed(type_: Type, choices: Iterable[str]) -> Iterator[str]:
    """Those of choices that the type allows."""
    import re

    limits = type_.limits
    for text in choices:
        if limits.min_length is not None and len(text) < limits.min_length:
            continue
        if limits.max_length is not None and len(text) > limits.max_length:
            continue
        if type_.format == "date-time" and not text.endswith("Z"):
            continue
        try:
            if limits.pattern and not re.search(limits.pattern, text):
                continue
        except re.error:
            continue
        yield text


class _Plan(NamedTuple):
    """How objects of a type are made. type and wanted are kept so that the plan's key stays theirs."""

    type: Type
    wanted: Wanted
    fixed: dict[str, Json]
    """What must be there and nobody reads."""
    sure: list[tuple[str, Type, Wanted]]
    """What must be there and is read."""
    perhaps: list[tuple[str, Type, Wanted]]
    """What may be left out."""


class _Maker:
    """Random values of a type, with what an expression reads in them."""

    def __init__(self, random: Random, constants: list[str | float]) -> None:
        self.random = random
        self.chance = 0.5
        self.texts = [c for c in constants if isinstance(c, str)]
        self.numbers = [c for c in constants if not isinstance(c, str)]
        self.plans: dict[tuple[int, int], _Plan] = {}
        self.choices: dict[int, tuple[Type, list[str]]] = {}

    def value(self, type_: Type, wanted: Wanted) -> Json:
        """A value of the type; fields that are not wanted are there only when they must."""
        random, limits = self.random, type_.limits
        if type_.nullable and random.random() < 0.3:
            return None
        if type_.enum:
            return random.choice(type_.enum)
        match type_.base:
            case Base.OBJECT:
                return self._object(type_, wanted)
            case Base.ARRAY:
                low = type_.min_items
                high = max(low, min(2, 2 if limits.max_items is None else limits.max_items))
                item = wanted.get(None, {})
                entries = range(random.randint(low, high))
                return [self.value(type_.items, item) if type_.items else "a" for _ in entries]
            case Base.INTEGER | Base.NUMBER:
                return self._number(type_)
            case Base.BOOLEAN:
                return random.random() < 0.5
            case Base.INT_OR_STRING:
                return random.choice([1, 0, _text(type_, ("1", *_TEXTS))])
            case Base.STRING:
                return random.choice(self._texts(type_))
        return random.choice([1, "a", True, [], {}, [1], {name: 1 for name in wanted if isinstance(name, str)}])

    def _number(self, type_: Type) -> float:
        numbers = [0, 1, 2, *self.numbers, *(n + 1 for n in self.numbers)]
        if type_.base is Base.INTEGER:
            numbers = [int(n) for n in numbers]
        return _within(type_, self.random.choice(numbers))

    def _texts(self, type_: Type) -> list[str]:
        known = self.choices.get(id(type_))
        if known is None:
            texts = dict.fromkeys((*self.texts, *_TEXTS))
            known = self.choices[id(type_)] = type_, [*_allowed(type_, texts)] or [_text(type_, ())]
        return known[1]

    def _object(self, type_: Type, wanted: Wanted) -> Json:
        plan = self.plans.get((id(type_), id(wanted)))
        if plan is None:
            plan = self.plans[id(type_), id(wanted)] = _plan(type_, wanted)
        made = dict(plan.fixed)
        for name, kid, below in plan.sure:
            made[name] = self.value(kid, below)
        for name, kid, below in plan.perhaps:
            if self.random.random() < self.chance:
                made[name] = self.value(kid, below)
        return made


def _plan(type_: Type, wanted: Wanted) -> _Plan:
    plan = _Plan(type_, wanted, {}, [], [])
    for name, kid in type_.fields.items():
        below = wanted.get(name)
        if name in type_.always:
            if below is None:
                plan.fixed[name] = least(kid)
            else:
                plan.sure.append((name, kid, below))
        elif below is not None:
            plan.perhaps.append((name, kid, below))
    if type_.additional is not None:
        names = [n for n in wanted if isinstance(n, str) and n not in type_.fields]
        names += ["a", "b"] if None in wanted else []
        plan.perhaps.extend((n, type_.additional, wanted.get(n) or wanted.get(None, {})) for n in names)
    return plan
