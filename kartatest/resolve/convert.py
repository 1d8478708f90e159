"""Outputs of expressions turned into what a field of the definition holds (semantics 3.4).

Keys are taken exactly as written: `Image` is not `image` (Q57). Nothing is dropped from objects.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from kartatest.definition.model import Expr, Use
from kartatest.resolve.evaluate import Unreadable
from kartatest.resolve.model import Problem
from kartatest.source import Json, JsonObject

T = TypeVar("T")
Convert = Callable[[Expr, "list[Json]"], "list[T]"]

_COUNT_TEXT = re.compile(r"[+-]?[0-9]+\Z")
MOST = 2**31 - 1
LEAST = -(2**31)
"""Counts are 32-bit numbers."""


def kind_of(value: Json) -> str:
    """What the value is, as jq's users call it, with its article: "a string", "null"."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, (int, float)):
        return "a number"
    return "a string" if isinstance(value, str) else "a list" if isinstance(value, list) else "an object"


def _unfit(expr: Expr, index: int, of: int, what: str) -> Unreadable:
    where = "the output" if of == 1 else f"output {index + 1} of {of}"
    return Unreadable(Problem(expr.at, f"{where} {what}"))


def strings(expr: Expr, outputs: list[Json]) -> list[str]:
    """Each output as a string; null is ""."""
    for i, value in enumerate(outputs):
        if value is not None and not isinstance(value, str):
            raise _unfit(expr, i, len(outputs), f"is {kind_of(value)}, not a string")
    return ["" if value is None else value for value in outputs]


def objects(expr: Expr, outputs: list[Json]) -> list[JsonObject | None]:
    """Each output as an object; null stays None."""
    for i, value in enumerate(outputs):
        if value is not None and not isinstance(value, dict):
            raise _unfit(expr, i, len(outputs), f"is {kind_of(value)}, not an object")
    return outputs


def maps(expr: Expr, outputs: list[Json]) -> list[JsonObject | None]:
    """Each output as a map of strings; null stays None, and a null in the map is tolerated."""
    found = objects(expr, outputs)
    for i, value in enumerate(found):
        for key, text in sorted((value or {}).items(), key=lambda entry: entry[0]):
            if text is not None and not isinstance(text, str):
                raise _unfit(expr, i, len(outputs), f"has {kind_of(text)} under {key!r}, not a string")
    return found


def lists(expr: Expr, outputs: list[Json]) -> list[list[Json] | None]:
    """Each output as a list of objects; null stays None, and a null in the list is tolerated."""
    for i, value in enumerate(outputs):
        if value is None:
            continue
        if not isinstance(value, list):
            raise _unfit(expr, i, len(outputs), f"is {kind_of(value)}, not a list")
        for element in value:
            if element is not None and not isinstance(element, dict):
                raise _unfit(expr, i, len(outputs), f"is a list that holds {kind_of(element)}, not only objects")
    return outputs


def counts(expr: Expr, outputs: Sequence[Json], problems: list[Problem]) -> list[int | None]:
    """Each output as a 32-bit count; null stays None. Texts such as "2", "+2", "-1" are read too (semantics 3.4).

    One that is no count is None, with a problem; the others stand.
    """
    found: list[int | None] = []
    for i, value in enumerate(outputs):
        if type(value) is int and LEAST <= value <= MOST:
            found.append(value)
            continue
        number: int | None = None
        if value is None or isinstance(value, bool):
            pass
        elif isinstance(value, int):
            number = value
        elif isinstance(value, float):
            number = int(value) if value.is_integer() else None
        elif isinstance(value, str) and len(value) < 40 and _COUNT_TEXT.match(value):
            number = int(value)
        if number is not None and not LEAST <= number <= MOST:
            problems.append(_unfit(expr, i, len(outputs), f"is {_shown(value)}, which is no 32-bit number").problem)
            number = None
        elif number is None and value is not None:
            problems.append(_unfit(expr, i, len(outputs), f"is {_shown(value)}, not a whole number").problem)
        found.append(number)
    return found


def _shown(value: Json) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and value.bit_length() > 200:  # Python refuses to print very long integers
        return "a very large number"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return f"the text {value if len(value) <= 40 else value[:40] + '...'!r}"
    return kind_of(value)


FRAGMENTS: dict[Use, Convert[Json]] = {
    Use.SCHEDULER_NAME: strings,
    Use.LABELS: maps,
    Use.ANNOTATIONS: maps,
    Use.RESOURCES: objects,
    Use.RESOURCE_CLAIMS: lists,
    Use.POD_AFFINITY: objects,
    Use.NODE_AFFINITY: objects,
    Use.CONTAINERS: lists,
    Use.CONTAINER: objects,
    Use.PRIORITY_CLASS_NAME: strings,
    Use.IMAGE: strings,
}
"""How each field of `fragmentedPodSpecDefinition` is read (semantics 1.2)."""
