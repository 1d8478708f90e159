"""Object + definition to Tree."""

from __future__ import annotations

from collections.abc import Sequence
from weakref import ref

from kartatest.definition.model import ComponentDef, Definition, Gvk, Status
from kartatest.resolve.evaluate import Evaluator
from kartatest.resolve.extract import extract
from kartatest.resolve.model import Component, StatusResult, Tree
from kartatest.resolve.status import read_status
from kartatest.source import Json, JsonObject


def resolve(
    definition: Definition, obj: Json, *, pods: Sequence[JsonObject] = (), owners: Sequence[JsonObject] = ()
) -> Tree:
    """What the definition reads in the object, which may be any JSON value: this never raises.

    An expression that fails leaves its reason in its node. The definition may be for another kind (Q46); the caller
    decides whether that is wanted. Statuses are the root's alone, a child's statusDefinition is not used (Q60).
    pods are attached by their selectors, each to one instance; owners are the objects between pods and workload,
    and tell pods of other workloads apart (semantics 8.6).
    """
    evaluator = Evaluator(obj)
    owned, lost = _plan(definition)
    root = _component(definition.root, owned, evaluator)
    warnings = [f"component {c.name!r} is reached from no owner, so it is left out" for c in lost] if lost else []
    unassigned: tuple[JsonObject, ...] = ()
    if pods:
        from kartatest.resolve.selectors import attach

        attached = attach(root, obj, pods, owners)
        root, unassigned = attached.root, attached.unassigned
        warnings += attached.warnings
    status = read_status(definition.root.status, evaluator)
    if len(status.conditions) > 1:
        warnings += _repeated(status)
    if pods:
        warnings += _unready(root, status)
    metadata = obj.get("metadata") if isinstance(obj, dict) else None
    return Tree(
        gvk=Gvk.of(obj) if isinstance(obj, dict) else Gvk("", "", ""),
        name=_text(metadata, "name"),
        namespace=_text(metadata, "namespace"),
        status=status,
        root=root,
        warnings=tuple(warnings),
        unassigned=unassigned,
    )


def _repeated(status: StatusResult) -> list[str]:
    """A word about condition types that the object states more than once (Q10)."""
    types = [condition.type for condition in status.conditions]
    once = set(types)
    if len(once) == len(types):
        return []
    return [
        f"the object has {types.count(t)} conditions of the type {t!r}, the last counts"
        for t in dict.fromkeys(types)
        if t and types.count(t) > 1
    ]


def _unready(root: Component, status: StatusResult) -> list[str]:
    """A word about an object that says it runs while pods of it are not ready."""
    from kartatest.resolve.totals import pod_counts

    pods = pod_counts(root)
    if Status.RUNNING in status.statuses and pods.ready < pods.desired:
        return [f"{pods.ready}/{pods.desired} of the gang ready, though the status is {Status.RUNNING.value}"]
    return []


_Owned = dict[int, list[ComponentDef]]
_PLANS: dict[int, tuple[ref[Definition], _Owned, tuple[ComponentDef, ...]]] = {}


def _plan(definition: Definition) -> tuple[_Owned, tuple[ComponentDef, ...]]:
    """As _owned, worked out once for a definition and forgotten with it."""
    known = _PLANS.get(id(definition))
    if known is not None and known[0]() is definition:
        return known[1], known[2]
    owned, lost = _owned(definition)
    key = id(definition)
    _PLANS[key] = (ref(definition, lambda _: _PLANS.pop(key, None)), owned, lost)
    return owned, lost


def _owned(definition: Definition) -> tuple[_Owned, tuple[ComponentDef, ...]]:
    """Per component (by identity) its children, and those that hang nowhere: without an owner, or in a cycle (Q35)."""
    lost: list[ComponentDef] = []
    by_name: dict[str, list[ComponentDef]] = {}
    for child in definition.children:
        if child.owner:
            by_name.setdefault(child.owner, []).append(child)
        else:
            lost.append(child)
    owned: _Owned = {}
    waiting = [definition.root]
    while waiting:
        component = waiting.pop()
        children = by_name.pop(component.name, [])  # a second component of the same name gets none
        if children:
            owned[id(component)] = children
            waiting += children
    for rest in by_name.values():
        lost += rest
    return owned, tuple(lost)


def _component(definition: ComponentDef, owned: _Owned, evaluator: Evaluator) -> Component:
    instances, problems, results = extract(definition, evaluator)
    below = owned.get(id(definition))
    children = tuple([_component(child, owned, evaluator) for child in below]) if below else ()
    return Component(definition, instances, children, problems, results)


def _text(value: Json, key: str) -> str:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""
