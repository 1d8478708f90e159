"""Minima as they are meant: counts are those of the whole workload, at the level they are written at.

A component that bears pods asks for its minimum, else its replicas, else one pod: unset is not 0 (Q34). Nothing is
multiplied (Q26): the sum over what bears pods is the minimum of a subtree, whatever count a parent states.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from kartatest.definition.model import Expr
from kartatest.gang.model import Refusal
from kartatest.resolve.model import Component, Instance, Tree


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
    total = _subtree(component, instance, without)
    return -(-total // _replicas(component, keys))


def difference(name: str, instance: str | None, theirs: int, ours: int) -> str:
    """A note where the Go arithmetic gives another minimum than is meant, "" where both give the same."""
    if theirs == ours:
        return ""
    which = f"{name!r}[{instance}]" if instance is not None else repr(name)
    return f"for {which} KAI Scheduler counts {theirs}, and the counts as written come to {ours}"


def _subtree(component: Component, instance: str | None, without: Collection[str]) -> int:
    total = _own(component, instance) if component.bears_pods else 0
    return total + sum(_subtree(c, None, without) for c in component.children if c.name not in without)


def _own(component: Component, instance: str | None) -> int:
    _check(component)
    if instance is not None and all(one.id != instance for one in component.instances):
        raise Refusal("instance", f"{component.name!r} has no instance {instance!r}")
    return sum(of_instance(one) for one in component.instances if instance is None or one.id == instance)


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


def _replicas(component: Component, keys: Sequence[Expr]) -> int:
    """How many groups share the counts below the component; 1 where the keys do not split it by replica."""
    selector = component.definition.selector
    key = selector.replica_key.text.strip() if selector is not None and selector.replica_key is not None else None
    if key is None or component.bears_pods or all(expr.text.strip() != key for expr in keys):
        return 1
    _check(component)
    return max(sum(of_instance(one) for one in component.instances if one.scale is not None), 1)
