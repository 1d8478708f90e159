"""`scaleDefinition` read: counts as written, unset kept apart from zero (semantics 4.4, Q15, Q34)."""

from __future__ import annotations

from itertools import zip_longest

from kartatest.definition.model import ScaleDef
from kartatest.resolve.convert import counts
from kartatest.resolve.evaluate import Evaluator, Unreadable
from kartatest.resolve.model import Problem, Scale


def scales(definition: ScaleDef, evaluator: Evaluator, problems: list[Problem]) -> list[Scale] | None:
    """One Scale per position of the longest list of outputs; a shorter list is filled up with unset.

    None when nothing is to be read: the definition is `{}`, or each of its paths failed. Faults go to problems.
    """
    if definition.replicas is not None and definition.min_replicas is None and definition.max_replicas is None:
        try:  # by far the most common, and the quicker way to the same
            return [Scale(n) for n in counts(definition.replicas, evaluator.outputs(definition.replicas), problems)]
        except Unreadable as error:
            problems.append(error.problem)
            return None
    columns: list[list[int | None]] = []
    failed = False
    length = 0
    for expr in (definition.replicas, definition.min_replicas, definition.max_replicas):
        column: list[int | None] = []
        if expr is not None:
            try:
                column = counts(expr, evaluator.outputs(expr), problems)
            except Unreadable as error:
                problems.append(error.problem)
                failed = True
            length = max(length, len(column))
        columns.append(column)
    if length == 0 and (failed or is_empty(definition)):
        return None
    return [Scale(*written) for written in zip_longest(*columns)]


def is_empty(definition: ScaleDef) -> bool:
    """Whether `scaleDefinition` is given but names no path; it then counts as absent (Q15)."""
    return definition.replicas is None and definition.min_replicas is None and definition.max_replicas is None
