"""What recordings show of a definition's gangs: how many pods a scheduler waits for, and how many are meant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from kartatest.definition.evidence import MinimumEvidence
from kartatest.definition.model import ComponentDef, Definition, Expr
from kartatest.gang import arithmetic
from kartatest.resolve.evaluate import Evaluator
from kartatest.resolve.minimum import Refusal, corrected
from kartatest.resolve.model import Tree


class _Part(NamedTuple):
    """A component that is listed, or one instance of it where its group keys split them."""

    component: ComponentDef
    instance: str | None = None
    keys: tuple[Expr, ...] = ()


def minima(definition: Definition, tree: Tree, workload: Evaluator) -> tuple[MinimumEvidence, ...]:
    """One for each component that the shape in use lists, in its order; the root where it lists none.

    Instances stand one by one where group keys split them. () without a gang. workload runs what counts on the object.
    """
    return tuple(_minimum(definition, tree, workload, part) for part in _parts(definition, tree))


def _parts(definition: Definition, tree: Tree) -> Iterator[_Part]:
    gang = definition.gang
    if gang is None:
        return
    if gang.pod_group is not None:
        subs = [definition.component(sub.component) for sub in gang.pod_group.sub_groups]
        yield from (_Part(c) for c in (subs or [definition.root]) if c is not None)
        return
    for member in (member for group in gang.pod_groups for member in group.members):
        component = definition.component(member.component)
        if component is None:
            continue
        found = tree.component(component.name)
        if component.instance_ids is None or not member.group_keys or found is None:
            yield _Part(component, None, member.group_keys)
        else:
            yield from (_Part(component, one.id, member.group_keys) for one in found.instances)


def _minimum(definition: Definition, tree: Tree, workload: Evaluator, part: _Part) -> MinimumEvidence:
    name = part.component.name
    try:
        meant = corrected(tree, name, part.instance, keys=part.keys)
    except Refusal:
        meant = None  # what cannot be read has findings of its own
    try:
        counted = arithmetic.subtree_scale(definition, part.component, workload, part.instance)
    except Refusal as refusal:
        return MinimumEvidence(name, part.instance, None, meant, refusal.text)
    return MinimumEvidence(name, part.instance, counted, meant)
