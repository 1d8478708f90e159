"""How a pod is read: by type selector, by instance id and by key (semantics 7). Whose it is, is decided in `attach`."""

from __future__ import annotations

from kartatest.definition.model import Expr, PodSelector, TypeSelector
from kartatest.resolve.convert import kind_of
from kartatest.resolve.evaluate import Evaluator, Unreadable, text_of
from kartatest.resolve.model import Problem
from kartatest.resolve.pods import name as pod_name
from kartatest.source import JsonObject

__all__ = ["instance_id", "matches_type", "pod_name", "single"]


def matches_type(selector: TypeSelector, pod: JsonObject, evaluator: Evaluator) -> bool:
    """Whether the pod passes: its labels, and the key's outputs compared with the value (semantics 7.1).

    The key is evaluated by itself (Q01); a number never equals the value (Q02); without a value, any output that is not
    null counts, also false and "" (Q03). A selector with neither key nor labels passes nothing.
    Raises Unreadable when the key fails on this pod.
    """
    if selector.key is None and not selector.labels:
        return False
    if selector.labels:
        metadata = pod.get("metadata")
        labels = metadata.get("labels") if isinstance(metadata, dict) else None
        if not isinstance(labels, dict) or any(labels.get(k) != v for k, v in selector.labels.items()):
            return False
    if selector.key is None:
        return True
    outputs = evaluator.outputs(selector.key)
    if selector.value is None:
        return any(output is not None for output in outputs)
    return any(isinstance(output, str) and output == selector.value for output in outputs)


def single(expr: Expr, evaluator: Evaluator) -> str:
    """The one value that the expression gives on a pod, as text (semantics 7.2).

    Numbers read as JSON writes them (Q19). No output, several, null, "" and lists or objects raise Unreadable.
    """
    outputs = evaluator.outputs(expr)
    if len(outputs) != 1:
        raise Unreadable(Problem(expr.at, f"one output is needed, not {len(outputs)}"))
    value = outputs[0]
    if value is None or value == "" or isinstance(value, (list, dict)):
        raise Unreadable(Problem(expr.at, f"the output is {'empty' if value == '' else kind_of(value)}"))
    return text_of(value)


def instance_id(selector: PodSelector | None, evaluator: Evaluator) -> str | None:
    """The pod's instance id, or None where the definition reads none."""
    if selector is None or selector.instance_id is None:
        return None
    return single(selector.instance_id, evaluator)
