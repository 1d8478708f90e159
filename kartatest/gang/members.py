"""The deprecated shape: which member of podGroups a component's pods may belong to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from kartatest.definition.model import AlphaGroupDef, ComponentDef, Definition, MemberDef
from kartatest.definition.walk import owners


class Candidate(NamedTuple):
    """A member, the group that it is in, and the component it names: the pod's own one or one above it."""

    group: AlphaGroupDef
    member: MemberDef
    component: ComponentDef


def candidates(definition: Definition, component: ComponentDef) -> Iterator[Candidate]:
    """Members that name the component, then those that name its owner, and so on; each in the file's order."""
    groups = definition.gang.pod_groups if definition.gang is not None else ()
    for one in (component, *owners(definition, component.name)):
        for group in groups:
            yield from (Candidate(group, member, one) for member in group.members if member.component == one.name)
