"""The deprecated shape: which member of podGroups a component's pods may belong to, and the keys that split them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kartatest.definition.model import AlphaGroupDef, ComponentDef, Definition, Expr, MemberDef
from kartatest.definition.walk import owners
from kartatest.resolve.evaluate import Evaluator, Unreadable
from kartatest.resolve.minimum import Refusal
from kartatest.resolve.selectors import single


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


def beside(definition: Definition, candidate: Candidate) -> Iterator[Candidate]:
    """Other members of the entry that are in the candidate's gang instance by instance, with pods or without.

    They have its keys and no filters, and their instances are those of its component.
    """
    ids, keys = candidate.component.instance_ids, _texts(candidate.member)
    for member in candidate.group.members if ids is not None and keys else ():
        component = definition.component(member.component)
        if component is None or component.instance_ids is None or component.name == candidate.component.name:
            continue
        alike = ids is not None and component.instance_ids.text == ids.text and _texts(member) == keys
        if alike and not member.filters:
            yield Candidate(candidate.group, member, component)


def _texts(member: MemberDef) -> list[str]:
    return [key.text for key in member.group_keys]


def chosen(among: Sequence[Candidate], pod: Evaluator) -> Candidate | None:
    """The first that has the pod: all its filters let it pass. Raises Refusal where a filter cannot be read."""
    return next((candidate for candidate in among if _passes(candidate, pod)), None)


def _passes(candidate: Candidate, pod: Evaluator) -> bool:
    """Whether each filter gives true; null is no (Q31), several outputs are an error."""
    for expr in candidate.member.filters:
        try:
            found = pod.outputs(expr)
        except Unreadable as error:
            raise Refusal(
                "filter", f"a filter of {candidate.component.name!r} fails: {error.problem.message}"
            ) from None
        if len(found) != 1:
            raise Refusal("filter", f"a filter of {candidate.component.name!r} gives {len(found)} results, not one")
        if found[0] is not True:
            return False
    return True


def keys_of(exprs: Sequence[Expr], pod: Evaluator) -> tuple[str, ...]:
    """The group keys as text, numbers as JSON writes them (Q19). Raises Refusal where one cannot be read."""
    try:
        return tuple([single(expr, pod) for expr in exprs])
    except Unreadable as error:
        raise Refusal("group-key", f"a group key cannot be read: {error.problem.message}") from None
