"""Minima as they are meant: counts are those of the whole workload, at the level they are written at.

A component that bears pods asks for its minimum, else its replicas, else one pod: unset is not 0 (Q34). Nothing is
multiplied (Q26): the sum over what bears pods is the minimum of a subtree, whatever count a parent states.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from kartatest.definition.model import Expr
from kartatest.resolve.model import Component, Instance, Tree


class Refusal(Exception):  # noqa: N818 - a signal to who asks for gangs, it ends as a word about a pod or a gang
    """A pod or a whole workload is in no gang. reason: a stable word, text: a sentence without full stop."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason
        self.text = text


class Share(NamedTuple):
    """So many pods of one instance have to start together with others."""

    component: Component
    instance: Instance
    pods: int


def corrected(
    tree: Tree,
    name: str,
    instance: str | None = None,
    *,
    keys: Sequence[Expr] = (),
    without: Collection[str] = (),
) -> int:
    """The pods that have to start together of a component and all below it.

    instance: only that instance of the component itself counts; what is below it is not told apart by instance.
    keys: the group keys that split the component's pods; where its replica key is among them and it has no pods of
    its own, a group is one replica, and the counts below, which are of all replicas, are shared out, rounded up.
    without: components that are left out with all below them. Raises Refusal where a count cannot be read.
    """
    component = tree.component(name)
    if component is None:
        return 0
    total = sum(share.pods for share in _shares(component, instance, without))
    return -(-total // _replicas(component, keys))


def shares(
    tree: Tree,
    name: str,
    instance: str | None = None,
    *,
    keys: Sequence[Expr] = (),
    without: Collection[str] = (),
) -> tuple[Share, ...]:
    """As `corrected`, instance by instance, each rounded up by itself; those that need none are left out."""
    component = tree.component(name)
    if component is None:
        return ()
    split = _replicas(component, keys)
    found = _shares(component, instance, without)
    return tuple(Share(c, i, -(-count // split)) for c, i, count in found if count)


def _shares(component: Component, instance: str | None, without: Collection[str]) -> Iterator[Share]:
    if component.bears_pods:
        _check(component)
        if instance is not None and all(one.id != instance for one in component.instances):
            raise Refusal("instance", f"{component.name!r} has no instance {instance!r}")
        for one in component.instances:
            if instance is None or one.id == instance:
                yield Share(component, one, of_instance(one))
    for child in component.children:
        if child.name not in without:
            yield from _shares(child, None, without)


def of_instance(instance: Instance) -> int:
    """The minimum of one instance; 0 where the object leaves the role out: neither a pod spec nor a count."""
    scale = instance.scale
    for count in (scale.minimum, scale.replicas) if scale is not None else ():
        if count is not None:
            return max(count, 0)
    return 0 if instance.pod is not None and instance.pod.missed else 1


def _check(component: Component) -> None:
    """Refuses counts and ids that could not be read, or that do not fit together."""
    definition = component.definition
    parts = [part.at for part in (definition.scale, definition.instance_ids) if part is not None]
    for problem in component.problems:
        if any(problem.at[: len(at)] == at for at in parts):
            raise Refusal("unreadable", f"the counts of {component.name!r} cannot be read: {problem.message}")


def is_split(component: Component, keys: Sequence[Expr]) -> bool:
    """Whether the keys split what is below the component by its replicas."""
    selector = component.definition.selector
    key = selector.replica_key.text.strip() if selector is not None and selector.replica_key is not None else None
    return key is not None and not component.bears_pods and any(expr.text.strip() == key for expr in keys)


def _replicas(component: Component, keys: Sequence[Expr]) -> int:
    """How many groups share the counts below the component; 1 where the keys do not split it by replica."""
    if not is_split(component, keys):
        return 1
    _check(component)
    return max(sum(of_instance(one) for one in component.instances if one.scale is not None), 1)
