"""The object's statuses: phase and conditions read, matchers tried in order (semantics 6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from kartatest.definition.model import ConditionsDef, Expr, Matcher, Status, StatusDef
from kartatest.resolve.convert import kind_of, strings
from kartatest.resolve.evaluate import Evaluator, Unreadable, text_of
from kartatest.resolve.model import Condition, Problem, StatusResult

_UNDEFINED = (Status.UNDEFINED,)


class Words(NamedTuple):
    """One expression that gives a status word, which every matcher compares: the expression, what each word means."""

    expression: Expr
    statuses: Mapping[str, tuple[Status, ...]]


def words_of(definition: StatusDef | None) -> Words | None:
    """The words of a definition whose matchers all are one expression with a result; None for any other."""
    matchers = [m for mapping in definition.mappings for m in mapping.matchers] if definition is not None else []
    expression = matchers[0].expression if matchers else None
    if definition is None or expression is None:
        return None
    if any(m.phase or m.conditions or m.expression is None or m.expression.text != expression.text for m in matchers):
        return None
    statuses: dict[str, tuple[Status, ...]] = {}
    for mapping in definition.mappings:
        for word in {m.expected or "" for m in mapping.matchers}:
            statuses[word] = (*statuses.get(word, ()), mapping.status)
    return Words(expression, statuses)


def read_status(definition: StatusDef | None, evaluator: Evaluator, words: Words | None = None) -> StatusResult:
    """All statuses that hold, in the fixed order. words: words_of(definition) where it is known, to save the search.

    () without a definition, and () with a problem when an expression that is reached fails: one bad expression hides
    all statuses, as in the consumers (Q06). (Status.UNDEFINED,) when no matcher holds.
    """
    if definition is None:
        return StatusResult()
    phase: str | None = None
    conditions: tuple[Condition, ...] = ()
    try:
        if definition.phase is not None:
            phases = strings(definition.phase, evaluator.outputs(definition.phase))
            phase = phases[0] if phases else None
        if definition.conditions is not None:
            conditions = read_conditions(definition.conditions, evaluator)
        statuses = _looked_up(words, evaluator) if words else _searched(definition, phase, conditions, evaluator)
    except Unreadable as error:
        return StatusResult((), phase, conditions, (error.problem,))
    return StatusResult(statuses, phase, conditions)


def _looked_up(words: Words, evaluator: Evaluator) -> tuple[Status, ...]:
    outputs = evaluator.outputs(words.expression)
    return words.statuses.get(text_of(outputs[0]), _UNDEFINED) if outputs else _UNDEFINED


def _searched(
    definition: StatusDef, phase: str | None, conditions: tuple[Condition, ...], evaluator: Evaluator
) -> tuple[Status, ...]:
    by_type = {condition.type: condition for condition in conditions}  # the last of a type wins (Q10)
    statuses = []
    for mapping in definition.mappings:
        for matcher in mapping.matchers:
            if holds(matcher, phase, by_type, evaluator):
                statuses.append(mapping.status)
                break
    return tuple(statuses) or _UNDEFINED


def read_conditions(definition: ConditionsDef, evaluator: Evaluator) -> tuple[Condition, ...]:
    """The lists that the path gives, joined. null is an empty list, a null element a condition of no type.

    Anything else that is no list of objects raises Unreadable, also a path that streams the objects themselves.
    """
    expr = definition.path
    if expr is None:
        return ()
    found: list[Condition] = []
    kind, status = definition.type_field, definition.status_field
    reason, message = definition.reason_field, definition.message_field
    for value in evaluator.outputs(expr):
        if value is None:
            continue
        if not isinstance(value, list):
            raise Unreadable(Problem(expr.at, f"conditions are {kind_of(value)}, not a list"))
        for element in value:
            if element is None:
                found.append(Condition(""))
            elif isinstance(element, dict):
                parts = [element.get(kind), element.get(status), element.get(reason), element.get(message)]
                found.append(Condition(*[part if isinstance(part, str) else "" for part in parts]))
            else:
                raise Unreadable(Problem(expr.at, f"a condition is {kind_of(element)}, not an object"))
    return tuple(found)


def holds(matcher: Matcher, phase: str | None, conditions: Mapping[str, Condition], evaluator: Evaluator) -> bool:
    """Whether all set parts hold, tried in the order phase, conditions, expression with early exit (semantics 6.2).

    True when no part is set (Q05). Only the first output of the expression counts (Q11), as text (Q09).
    Raises Unreadable when the expression is reached and fails.
    """
    if matcher.phase and phase != matcher.phase:
        return False
    for wanted in matcher.conditions:
        found = conditions.get(wanted.type)
        if found is None or (wanted.status and found.status != wanted.status):
            return False
        if wanted.reason and found.reason != wanted.reason:
            return False
    expression = matcher.expression
    if expression is None:
        if matcher.expected is None:
            return True
        raise Unreadable(Problem(matcher.at, "byExpression has no expression"))
    outputs = evaluator.outputs(expression)
    if not outputs:
        return False
    return text_of(outputs[0]) == (matcher.expected or "")
