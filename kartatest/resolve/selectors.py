"""Which live pods are whose: by owner, by type selector, by instance id (semantics 7, 8.6).

Each pod is counted once. One that no component claims is unassigned; of several that claim it the first gets it, in the
definition's order, and a warning names the others (Q47).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from kartatest.definition.model import Expr, Gvk, PodSelector, TypeSelector
from kartatest.resolve.convert import kind_of
from kartatest.resolve.evaluate import Evaluator, Unreadable, text_of
from kartatest.resolve.model import Component, ForeignPod, PodWarning, Problem, ReplicaGroup
from kartatest.source import Json, JsonObject

_OWNER_LEVELS = 6
_ELSEWHERE = "it belongs to another workload"


class Attached(NamedTuple):
    """The tree's root with pods in its instances, the pods left over, and what people should know."""

    root: Component
    unassigned: tuple[JsonObject, ...]
    warnings: tuple[str, ...]


def attach(root: Component, obj: Json, pods: Sequence[JsonObject], owners: Sequence[JsonObject]) -> Attached:
    """Gives each pod to one instance. Anything in pods or owners that is no object is passed over."""
    bearers = [component for component in root.walk() if component.bears_pods]
    taken: dict[tuple[int, int], list[JsonObject]] = {}
    unassigned: list[JsonObject] = []
    warnings: list[str] = []
    chain = _Chain(obj, [o for o in owners if isinstance(o, dict)])
    for pod in pods:
        if not isinstance(pod, dict):
            continue
        place, reason = _place(root, bearers, obj, pod, chain, warnings)
        if place is None:
            unassigned.append(pod)
            kind = ForeignPod if reason == _ELSEWHERE else PodWarning
            warnings.append(kind(f"pod {pod_name(pod)!r} is no component's: {reason}"))
        else:
            taken.setdefault(place, []).append(pod)
    return Attached(_filled(root, taken, None, warnings), tuple(unassigned), tuple(warnings))


_Taken = Mapping[tuple[int, int], list[JsonObject]]


def _filled(component: Component, taken: _Taken, above: Expr | None, warnings: list[str]) -> Component:
    """The component with its pods. above: the replica key of the owner, which holds where it has none of its own."""
    selector = component.definition.selector
    key = selector.replica_key if selector is not None and selector.replica_key is not None else above
    instances = []
    for i, instance in enumerate(component.instances):
        pods = taken.get((id(component.definition), i))
        if pods:
            groups = replica_groups(key, pods, warnings) if key is not None else ()
            instance = replace(instance, pods=tuple(pods), groups=groups)
        instances.append(instance)
    children = tuple(_filled(child, taken, key, warnings) for child in component.children)
    return replace(component, instances=tuple(instances), children=children)


def replica_groups(key: Expr, pods: Sequence[JsonObject], warnings: list[str]) -> tuple[ReplicaGroup, ...]:
    """The pods by replica key, in the order of first appearance.

    A pod without a key (null) is in no group; one whose key cannot be read is named in warnings as well.
    """
    found: dict[str, list[JsonObject]] = {}
    for pod in pods:
        evaluator = Evaluator(pod)
        try:
            if evaluator.outputs(key) != [None]:
                found.setdefault(single(key, evaluator), []).append(pod)
        except Unreadable as error:
            warnings.append(PodWarning(f"pod {pod_name(pod)!r} is in no replica group: {error.problem.message}"))
    return tuple(ReplicaGroup(value, tuple(members)) for value, members in found.items())


def _place(
    root: Component,
    bearers: Sequence[Component],
    obj: Json,
    pod: JsonObject,
    chain: _Chain,
    warnings: list[str],
) -> tuple[tuple[int, int] | None, str]:
    """The component's definition (by identity) and the instance's position, or None and why."""
    if is_same(obj, pod) and root.bears_pods and root.instances:
        return (id(root.definition), 0), ""
    if chain.leads_elsewhere(pod) or (_is_pod(obj) and not _references(pod)):  # a Pod's are itself and what it owns
        return None, _ELSEWHERE
    evaluator = Evaluator(pod)
    claims: list[tuple[Component, int]] = []
    reason = "no type selector matches it"
    for component in bearers:
        try:
            if not _is_type(component, len(bearers), pod, evaluator):
                continue
            claims.append((component, _instance(component, evaluator)))
        except Unreadable as error:
            reason = f"{component.name!r}: {error.problem.message}"
    if not claims:
        return None, reason
    if len(claims) > 1:
        others = ", ".join(repr(c.name) for c, _ in claims[1:])
        warnings.append(
            PodWarning(f"pod {pod_name(pod)!r} is counted for {claims[0][0].name!r}, but {others} would take it too")
        )
    component, index = claims[0]
    return (id(component.definition), index), ""


def _is_type(component: Component, bearers: int, pod: JsonObject, evaluator: Evaluator) -> bool:
    """A selector decides where there is one (Q30); without one, the only component with pods has them all."""
    selector = component.definition.selector
    if selector is None or selector.type is None:
        return bearers == 1
    return matches_type(selector.type, pod, evaluator)


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


def _instance(component: Component, evaluator: Evaluator) -> int:
    definition = component.definition
    if definition.instance_ids is None:
        return 0
    found = instance_id(definition.selector, evaluator)
    if found is None:
        if len(component.instances) == 1:
            return 0
        raise Unreadable(Problem(definition.at, "there is no componentInstanceSelector that tells its instance"))
    for i, instance in enumerate(component.instances):
        if instance.id == found:
            return i
    known = ", ".join(repr(i.id) for i in component.instances[:8]) or "none"
    raise Unreadable(Problem(definition.at, f"there is no instance {found!r}, only {known}"))


def pod_name(pod: JsonObject) -> str:
    """The pod's name, "" where it has none."""
    name = _metadata(pod).get("name")
    return name if isinstance(name, str) else ""


def is_same(obj: Json, pod: JsonObject) -> bool:
    """Whether the pod is the workload itself: the same uid, or, where a uid is missing, kind, namespace and name."""
    if not isinstance(obj, dict):
        return False
    one, other = _metadata(obj), _metadata(pod)
    if one.get("uid") and other.get("uid"):
        return bool(one["uid"] == other["uid"])
    return (
        _is_pod(obj)
        and bool(one.get("name"))
        and one["name"] == other.get("name")
        and one.get("namespace") == other.get("namespace")
    )


def _is_pod(obj: Json) -> bool:
    return isinstance(obj, dict) and obj.get("kind") == "Pod" and obj.get("apiVersion") == "v1"


def _metadata(obj: Json) -> JsonObject:
    metadata = obj.get("metadata") if isinstance(obj, dict) else None
    return metadata if isinstance(metadata, dict) else {}


class _Chain:
    """Owner references, followed as far as the objects given reach."""

    def __init__(self, obj: Json, owners: Sequence[JsonObject]) -> None:
        self.obj = obj if isinstance(obj, dict) else {}
        self.meta = _metadata(obj)
        self.by_uid: dict[str, JsonObject] = {}
        for owner in owners:
            uid = _metadata(owner).get("uid")
            if isinstance(uid, str):
                self.by_uid[uid] = owner

    def leads_elsewhere(self, pod: JsonObject) -> bool:
        """Whether the references show that the pod is another workload's. What is not given shows nothing."""
        references = _references(pod)
        if not references:
            return False
        for _ in range(_OWNER_LEVELS):
            if any(self._is_workload(r) for r in references):
                return False
            if any(self._is_sibling(r) for r in references):
                return True
            above = next((r for r in references if r.get("controller") is True), references[0])
            uid = above.get("uid")
            owner = self.by_uid.get(uid) if isinstance(uid, str) else None
            if owner is None:
                return False
            references = _references(owner)
            if not references:
                return True
        return False

    def _is_workload(self, reference: JsonObject) -> bool:
        if self.meta.get("uid") and reference.get("uid"):
            return bool(self.meta["uid"] == reference["uid"])
        return self._same_kind(reference) and reference.get("name") == self.meta.get("name")

    def _is_sibling(self, reference: JsonObject) -> bool:
        return self._same_kind(reference) and not self._is_workload(reference)

    def _same_kind(self, reference: JsonObject) -> bool:
        return bool(self.obj.get("kind")) and (
            reference.get("kind") == self.obj.get("kind") and Gvk.of(reference).group == Gvk.of(self.obj).group
        )


def _references(obj: JsonObject) -> list[JsonObject]:
    found = _metadata(obj).get("ownerReferences")
    return [r for r in found if isinstance(r, dict)] if isinstance(found, list) else []
