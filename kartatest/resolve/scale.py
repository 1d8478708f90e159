"""`scaleDefinition` read: counts as written, unset kept apart from zero (semantics 4.4, Q15, Q34)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from kartatest.definition.model import Expr, ScaleDef
from kartatest.resolve.convert import LEAST, MOST, counts
from kartatest.resolve.evaluate import Evaluator, Unreadable
from kartatest.resolve.model import Problem, Scale


def scales(definition: ScaleDef, evaluator: Evaluator, problems: list[Problem]) -> list[Scale] | None:
    """One Scale per position of the longest list of outputs; a shorter list is filled up with unset.

    None when nothing is to be read: the definition is `{}`, or each of its paths failed. Faults go to problems.
    """
    replicas = _column(definition.replicas, evaluator, problems)
    minima = _column(definition.min_replicas, evaluator, problems)
    maxima = _column(definition.max_replicas, evaluator, problems)
    if not replicas and not minima and not maxima:
        return None if is_empty(definition) or None in (replicas, minima, maxima) else []
    if not minima and not maxima:
        return [Scale(count) for count in replicas or ()]
    return [Scale(*written) for written in zip_longest(replicas or (), minima or (), maxima or ())]


def plain_scales(definition: ScaleDef, evaluator: Evaluator, size: int) -> list[Scale] | None:
    """One Scale for each of so many instances where all paths give that many counts or nulls; else None.

    What scales() would give, in fewer steps, for the objects that are in order. Raises Unreadable.
    """
    columns: list[Sequence[int | None]] = []
    for expr in (definition.replicas, definition.min_replicas, definition.max_replicas):
        if expr is None:
            columns.append([None] * size)
            continue
        column = evaluator.outputs(expr)
        if len(column) != size:
            return None
        for number in column:
            if number is not None and not (type(number) is int and LEAST <= number <= MOST):
                return None
        columns.append(column)
    return None if is_empty(definition) else list(map(Scale, *columns))


def _column(expr: Expr | None, evaluator: Evaluator, problems: list[Problem]) -> list[int | None] | None:
    """The counts that a path gives, [] without a path, None where it cannot be read."""
    if expr is None:
        return []
    try:
        return counts(expr, evaluator.outputs(expr), problems)
    except Unreadable as error:
        problems.append(error.problem)
        return None


def is_empty(definition: ScaleDef) -> bool:
    """Whether `scaleDefinition` is given but names no path; it then counts as absent (Q15)."""
    return definition.replicas is None and definition.min_replicas is None and definition.max_replicas is None
