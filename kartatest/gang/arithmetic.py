"""Minima as the Go library counts them: subtree scales with int32 products, 0 for whatever is not set (semantics 9.3).

Each function works on the workload's object through an Evaluator, and raises Refusal where the library gives an error.
"""

from __future__ import annotations

from collections.abc import Sequence

from kartatest.definition.model import ComponentDef, Definition, Expr
from kartatest.resolve.evaluate import Evaluator, Unreadable
from kartatest.resolve.minimum import Refusal
from kartatest.source import Json

MOST_OUTPUTS = 999
"""One expression may give no more (Q12, section 13)."""

_BITS = 2**32
_SIGN = 2**31


def subtree_scale(definition: Definition, component: ComponentDef, evaluator: Evaluator, instance: str | None) -> int:
    """The library's count for a component and all below it; instance: the one whose own count is meant, None for all.

    By scale definitions as soon as any component has one, if an empty one, else by leaves.
    """
    if any(c.scale is not None for c in definition.components):
        return _by_definition(definition, component, evaluator, instance)
    return _by_leaves(definition, component, evaluator, instance)


def difference(name: str, instance: str | None, theirs: int, ours: int) -> str:
    """A note where the Go arithmetic gives another minimum than is meant, "" where both give the same."""
    if theirs == ours:
        return ""
    which = f"{name!r}[{instance}]" if instance is not None else repr(name)
    return f"for {which} KAI Scheduler counts {theirs}, and the counts as written come to {ours}"


def _by_definition(definition: Definition, component: ComponentDef, evaluator: Evaluator, instance: str | None) -> int:
    minima = _minima(component, evaluator)
    if instance is None:
        own = _int32(sum(minima.values()))
    elif instance in minima:
        own = minima[instance]
    else:
        raise Refusal("instance-without-scale", f"{component.name!r} has no scale for the instance {instance!r}")
    below = 0
    for child in definition.children_of(component.name):
        below = _int32(below + _by_definition(definition, child, evaluator, None))
    if below == 0:
        return own
    return below if own == 0 else _int32(own * below)


def _by_leaves(definition: Definition, component: ComponentDef, evaluator: Evaluator, instance: str | None) -> int:
    """Every component with pods counts 1, or one for each instance; what is below such a component is not seen."""
    if not component.bears_pods:
        return sum(_by_leaves(definition, c, evaluator, None) for c in definition.children_of(component.name))
    if component.instance_ids is None:
        return 1
    ids = instance_ids(component, evaluator)
    if instance is None:
        return len(ids)
    if instance not in ids:
        raise Refusal("instance-without-scale", f"{component.name!r} has no instance {instance!r}")
    return 1


def _minima(component: ComponentDef, evaluator: Evaluator) -> dict[str, int]:
    """Per instance its minimum, in evaluation order; of instances with one id the last counts. {} without a scale."""
    scale = component.scale
    if scale is None:
        return {}
    exprs = (scale.replicas, scale.min_replicas, scale.max_replicas)
    replicas, minimum, maximum = (counts(e, evaluator) if e is not None else [] for e in exprs)
    length = max(len(replicas), len(minimum), len(maximum))
    ids = instance_ids(component, evaluator)
    if len(ids) != length:
        text = f"{component.name!r} has {len(ids)} instances, but its scale gives {length} results"
        raise Refusal("count", text)
    return {id_: _effective(replicas, minimum, i) for i, id_ in enumerate(ids)}


def _effective(replicas: Sequence[int | None], minimum: Sequence[int | None], i: int) -> int:
    """The minimum when it is above 0, else the replicas when they are, else 0 (Q34). Short lists end in unset."""
    for column in (minimum, replicas):
        count = column[i] if i < len(column) else None
        if count is not None and count > 0:
            return count
    return 0


def counts(expr: Expr, evaluator: Evaluator) -> list[int | None]:
    """Each output as an int32, null as None. Text is refused, also "3" (section 13)."""
    found: list[int | None] = []
    for value in outputs(expr, evaluator):
        number = value
        if isinstance(number, float) and number.is_integer():
            number = int(number)
        if number is not None and (isinstance(number, bool) or not isinstance(number, int)):
            raise Refusal("conversion", f"a count must be a whole number, and {_shown(expr)} gives {_kind(value)}")
        if number is not None and not -_SIGN <= number < _SIGN:
            raise Refusal("conversion", f"a count must fit into 32 bits, and {_shown(expr)} gives {value}")
        found.append(number)
    return found


def instance_ids(component: ComponentDef, evaluator: Evaluator) -> list[str]:
    """The ids in evaluation order; [""] for a component without instanceIdPath."""
    if component.instance_ids is None:
        return [""]
    found = outputs(component.instance_ids, evaluator)
    for value in found:
        if value is not None and not isinstance(value, str):
            raise Refusal("conversion", f"an instance id of {component.name!r} is {_kind(value)}, not text")
    ids = [value if isinstance(value, str) else "" for value in found]
    if "" in ids:
        raise Refusal("empty-id", f"an instance id of {component.name!r} is empty: {', '.join(map(repr, ids[:8]))}")
    return ids


def outputs(expr: Expr, evaluator: Evaluator) -> list[Json]:
    """All outputs; Refusal where the expression fails, or gives more than the library takes."""
    try:
        found = evaluator.outputs(expr)
    except Unreadable as error:
        raise Refusal("expression", f"{_shown(expr)} fails: {error.problem.message}") from None
    if len(found) > MOST_OUTPUTS:
        raise Refusal("limit", f"{_shown(expr)} gives {len(found)} results, {MOST_OUTPUTS} are allowed")
    return found


def _shown(expr: Expr) -> str:
    return f"{expr.use.value} {expr.text.strip()[:120]!r}"


def _kind(value: Json) -> str:
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, str):
        return f"the text {value[:40]!r}"
    return str(value) if isinstance(value, float) else "a list" if isinstance(value, list) else "an object"


def _int32(number: int) -> int:
    """As Go keeps it: sums and products wrap around, also to negative numbers."""
    return (number + _SIGN) % _BITS - _SIGN
