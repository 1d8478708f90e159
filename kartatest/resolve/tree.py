"""Object + definition to Tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple
from weakref import ref

from kartatest.definition.model import ComponentDef, Definition, Gvk, Status
from kartatest.resolve.evaluate import Evaluator
from kartatest.resolve.extract import extract
from kartatest.resolve.model import Component, Contested, StatusResult, Stray, Tree
from kartatest.resolve.status import Words, read_status, words_of
from kartatest.source import Json, JsonObject


def resolve(
    definition: Definition,
    obj: Json,
    *,
    pods: Sequence[JsonObject] = (),
    owners: Sequence[JsonObject] = (),
    evaluator: Evaluator | None = None,
) -> Tree:
    """What the definition reads in the object, which may be any JSON value: this never raises.

    An expression that fails leaves its reason in its node. The definition may be for another kind (Q46); the caller
    decides whether that is wanted. Statuses are the root's alone, a child's statusDefinition is not used (Q60).
    pods are attached by their selectors, each to one instance; owners are the objects between pods and workload,
    and tell pods of other workloads apart (semantics 8.6). evaluator: one of obj, for what it remembers.
    """
    evaluator = evaluator or Evaluator(obj)
    plan = _plan(definition)
    root = _component(plan.root, evaluator)
    warnings = list(plan.warnings)
    strays: tuple[Stray, ...] = ()
    contested: tuple[Contested, ...] = ()
    if pods:
        from kartatest.resolve.attach import attach

        attached = attach(definition, root, obj, pods, owners)
        root, strays, contested = attached.root, attached.strays, attached.contested
        warnings += attached.warnings
    status = evaluator.made("status", lambda: read_status(definition.root.status, evaluator, plan.words))
    if len(status.conditions) > 1:
        warnings += _repeated(status)
    metadata = obj.get("metadata") if isinstance(obj, dict) else None
    tree = Tree(
        gvk=Gvk.of(obj) if isinstance(obj, dict) else Gvk("", "", ""),
        name=_text(metadata, "name"),
        namespace=_text(metadata, "namespace"),
        status=status,
        root=root,
        warnings=tuple(warnings),
        strays=strays,
        contested=contested,
        definition=definition,
    )
    if pods and definition.gang is not None and Status.RUNNING in status.statuses:
        from kartatest.resolve.gangs import unready

        if words := unready(tree):
            tree = replace(tree, warnings=(*warnings, *words))
    return tree


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


class _Part(NamedTuple):
    """A component and what hangs off it."""

    definition: ComponentDef
    below: tuple[_Part, ...]


class _Plan(NamedTuple):
    """What resolving asks of a definition whatever the object, worked out once for it and forgotten with it."""

    of: ref[Definition]
    root: _Part
    warnings: tuple[str, ...]
    words: Words | None


_PLANS: dict[int, _Plan] = {}

_DEEPEST = 64
"""Owners between the root and a component: trees are walked by functions that call themselves."""


def _plan(definition: Definition) -> _Plan:
    known = _PLANS.get(id(definition))
    if known is None or known.of() is not definition:
        key = id(definition)
        parts, warnings = _parts(definition)
        known = _PLANS[key] = _Plan(
            ref(definition, lambda _: _PLANS.pop(key, None)), parts, warnings, words_of(definition.root.status)
        )
    return known


def _parts(definition: Definition) -> tuple[_Part, tuple[str, ...]]:
    """The root with all below it, and a word about each component that is left out.

    Those are the ones that hang nowhere (without an owner, or in a cycle: Q35), and those below _DEEPEST owners.
    """
    lost: list[ComponentDef] = []
    by_name: dict[str, list[ComponentDef]] = {}
    for child in definition.children:
        if child.owner:
            by_name.setdefault(child.owner, []).append(child)
        else:
            lost.append(child)
    found: list[tuple[ComponentDef, list[ComponentDef]]] = []
    warnings: list[str] = []
    waiting = [(definition.root, 0)]
    while waiting:
        component, owners = waiting.pop()
        children = by_name.pop(component.name, [])  # a second component of the same name gets none
        waiting += [(child, owners + 1) for child in children]
        if children and owners == _DEEPEST:
            warnings.append(f"what hangs off component {component.name!r}, {owners} levels down, is left out")
        found.append((component, children if owners < _DEEPEST else []))
    for rest in by_name.values():
        lost += rest
    made: dict[int, _Part] = {}
    for component, children in reversed(found):
        made[id(component)] = _Part(component, tuple([made[id(child)] for child in children]))
    warnings[:0] = [f"component {c.name!r} is reached from no owner, so it is left out" for c in lost]
    return made[id(definition.root)], tuple(warnings)


def _component(part: _Part, evaluator: Evaluator) -> Component:
    found = evaluator.made(id(part.definition), lambda: extract(part.definition, evaluator))
    instances, problems, results = found
    children = tuple([_component(child, evaluator) for child in part.below]) if part.below else ()
    return Component(part.definition, instances, children, problems, results)


def _text(value: Json, key: str) -> str:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""
