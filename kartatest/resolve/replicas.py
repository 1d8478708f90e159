"""Components with their live pods, and these by replica key: a tree's replica groups (Q28).

A key holds for the component that states it and for all below it that state none, or the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from kartatest.definition.model import Expr
from kartatest.resolve.evaluate import Evaluator, Unreadable
from kartatest.resolve.model import Component, Instance, PodWarning, ReplicaGroup
from kartatest.resolve.pods import name as pod_name
from kartatest.resolve.selectors import single
from kartatest.source import JsonObject


class _Key(NamedTuple):
    """A replica key, and how many replicas the component that states it asks for; None where it does not tell."""

    expr: Expr
    replicas: int | None


class Filled:
    """taken: pods by the component's definition (its identity) and the instance's position."""

    def __init__(self, taken: Mapping[tuple[int, int], list[JsonObject]]) -> None:
        self.taken = taken
        self.warnings: list[str] = []

    def component(self, component: Component, above: _Key | None) -> Component:
        """The component and all below it. above: the owner's replica key, which holds where it has none of its own."""
        selector = component.definition.selector
        own = selector.replica_key if selector is not None else None
        key = above
        if own is not None and (above is None or above.expr.text != own.text):
            alone = component.instances[0] if len(component.instances) == 1 and not component.bears_pods else None
            key = _Key(own, alone.desired if alone is not None and alone.scale is not None else None)
        instances = [self.instance(component, i, instance, key) for i, instance in enumerate(component.instances)]
        children = tuple([self.component(child, key) for child in component.children])
        if own is not None and len(instances) == 1 and not component.bears_pods:
            below = [instance for child in children for instance in _sharing(child, own.text)]
            instances[0] = replace(instances[0], groups=_joined(below, key.replicas if key is not None else None))
        return replace(component, instances=tuple(instances), children=children)

    def instance(self, component: Component, position: int, instance: Instance, key: _Key | None) -> Instance:
        """The instance with its pods."""
        pods = self.taken.get((id(component.definition), position))
        if not pods:
            return instance
        return replace(instance, pods=tuple(pods), groups=self.groups(key, pods, instance) if key is not None else ())

    def groups(self, key: _Key, pods: Sequence[JsonObject], instance: Instance) -> tuple[ReplicaGroup, ...]:
        """The pods by replica key, in the order of first appearance.

        A pod without a key (null) is in no group; one whose key cannot be read is named in warnings as well.
        """
        found: dict[str, list[JsonObject]] = {}
        for pod in pods:
            evaluator = Evaluator(pod)
            try:
                if evaluator.outputs(key.expr) != [None]:
                    found.setdefault(single(key.expr, evaluator), []).append(pod)
            except Unreadable as error:
                text = f"pod {pod_name(pod)!r} is in no replica group: {error.problem.message}"
                self.warnings.append(PodWarning(text))
        each = _each(instance, key.replicas)
        return tuple([ReplicaGroup(value, tuple(members), each) for value, members in found.items()])


def _sharing(component: Component, key: str) -> Iterator[Instance]:
    """The instances with pods of a component and all below it that share its owner's key."""
    selector = component.definition.selector
    own = selector.replica_key if selector is not None else None
    if own is not None and own.text != key:
        return
    yield from component.instances if component.bears_pods else ()
    for child in component.children:
        yield from _sharing(child, key)


def _joined(instances: Sequence[Instance], replicas: int | None) -> tuple[ReplicaGroup, ...]:
    """One group per key, of the pods of all instances."""
    found: dict[str, list[JsonObject]] = {}
    for instance in instances:
        for group in instance.groups:
            found.setdefault(group.key, []).extend(group.pods)
    each = [_each(instance, replicas) for instance in instances]
    told = [count for count in each if count is not None]
    desired = sum(told) if len(told) == len(each) else None
    return tuple([ReplicaGroup(key, tuple(pods), desired) for key, pods in found.items()])


def _each(instance: Instance, replicas: int | None) -> int | None:
    """How many of an instance's pods one of so many replicas has; None where they cannot be shared out evenly."""
    each, rest = divmod(instance.desired, replicas) if replicas and replicas > 0 else (0, 1)
    return None if rest or each < 0 else each
