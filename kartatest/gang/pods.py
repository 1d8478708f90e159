"""How the Go library reads one pod: type selectors, single values, filters (semantics 7.1, 7.2, section 13).

What it gets wrong is done here too: a value is appended to the key's text (Q01), matchLabels are not known, and numbers
print in Go's notation (Q19).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from math import isfinite, isnan

from kartatest.definition.model import ComponentDef, Definition, Expr, TypeSelector, Use
from kartatest.gang import arithmetic
from kartatest.gang.model import Refusal
from kartatest.resolve.evaluate import Evaluator
from kartatest.source import Json, JsonObject


def matches_type(selector: TypeSelector | None, pod: Evaluator) -> bool:
    """Whether the pod passes the type selector; False without one. Raises Refusal when the selector fails on it."""
    if selector is None:
        return False
    key = selector.key or Expr(selector.at, "", Use.TYPE_KEY)
    if selector.value is None:
        return any(value is not None for value in arithmetic.outputs(key, pod))
    compared = replace(key, text=f"{key.text} == {json.dumps(selector.value, ensure_ascii=False)}")
    return any(value is True for value in arithmetic.outputs(compared, pod))


def component_of(definition: Definition, pod: Evaluator, name: str) -> ComponentDef:
    """The pod's component, as for podGroups: the only one with pods whatever its selector says (Q30), else the first
    whose type selector takes the pod.
    """
    leaves = [c for c in definition.components if c.bears_pods]
    if len(leaves) == 1:
        return leaves[0]
    for leaf in leaves:
        if leaf.selector is not None and matches_type(leaf.selector.type, pod):
            return leaf
    raise Refusal("no-component", f"no component's type selector takes the pod {name!r}")


def instance_of(component: ComponentDef, pod: Evaluator, workload: Evaluator) -> str | None:
    """The instance that the pod says it is; None for a component without instances, or without a pod selector."""
    ids = arithmetic.instance_ids(component, workload)
    if not ids or not ids[0] or component.selector is None:
        return None
    expr = component.selector.instance_id
    if expr is None:
        raise Refusal("instance", f"{component.name!r} has instances and no selector that tells them apart")
    found = single(expr, pod, "instance-key") if expr.text else ""
    if found not in ids:
        known = " ".join(ids[:8]) + (" ..." if len(ids) > 8 else "")
        raise Refusal("instance", f"the pod says it is of instance {found!r}, and there are only [{known}]")
    return found


def passes(filters: Sequence[Expr], pod: Evaluator) -> bool:
    """Whether each filter gives true. Null, "" and several outputs are errors (Q31); other values do not pass."""
    return all(_one(expr, pod, "filter") is True for expr in filters)


def keys_of(exprs: Sequence[Expr], pod: Evaluator) -> list[str]:
    """The group keys as text, in order."""
    return [single(expr, pod, "group-key") for expr in exprs]


def single(expr: Expr, pod: Evaluator, reason: str) -> str:
    """The one value of an expression, printed as Go prints it."""
    return go_text(_one(expr, pod, reason))


def _one(expr: Expr, pod: Evaluator, reason: str) -> Json:
    try:
        found = arithmetic.outputs(expr, pod)
    except Refusal as refusal:
        raise Refusal(reason, refusal.text) from None
    if len(found) != 1:
        raise Refusal(reason, f"{expr.use.value} {expr.text!r} gives {len(found)} results on the pod, one is needed")
    if found[0] is None or found[0] == "":
        what = "null" if found[0] is None else "an empty text"
        raise Refusal(reason, f"{expr.use.value} {expr.text!r} gives {what} on the pod")
    return found[0]


def go_text(value: Json) -> str:
    """A value in Go's default notation: 1e+06, map[a:1], [x y].

    All numbers are taken for floats, as those are that come from a pod; a whole number that the expression itself
    makes prints without exponent there.
    """
    if value is None:
        return "<nil>"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return _number(value)
    if isinstance(value, dict):
        return f"map[{' '.join(f'{k}:{go_text(v)}' for k, v in sorted(value.items()))}]"
    return f"[{' '.join(map(go_text, value))}]" if isinstance(value, list) else str(value)


def _number(value: float) -> str:
    """The shortest digits that give the number again, with an exponent below 0.0001 and from 1,000,000 on."""
    try:
        number = float(value)
    except OverflowError:
        return "+Inf" if value > 0 else "-Inf"
    if not isfinite(number):
        return "NaN" if isnan(number) else "+Inf" if number > 0 else "-Inf"
    shortest = repr(number).removesuffix(".0")
    exponent = int(f"{number:.16e}".partition("e")[2])
    if exponent < 6:
        return shortest  # Python's own notation, which has an exponent below 0.0001 too
    figures = "".join(c for c in shortest.partition("e")[0] if c.isdigit()).strip("0")
    fraction = f".{figures[1:]}" if len(figures) > 1 else ""
    return f"{'-' if number < 0 else ''}{figures[0]}{fraction}e+{exponent:02d}"


def evaluator(pod: JsonObject) -> Evaluator:
    """Expressions on one pod, which carries its kind and version even where a list left them out."""
    return Evaluator({"apiVersion": "v1", "kind": "Pod", **pod})
