"""What has to start together by the definition's own words: gangs with their minima, their requests and their pods.

Of `podGroup` there is one gang, its subgroups as parts. Of `podGroups` there is one for each set of key values: of the
pods that are there, and without pods as far as the object tells the values or how many there will be. Names are the
definition's; what a scheduler makes of it is the package `gang`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from fractions import Fraction
from typing import NamedTuple

from kartatest.definition.model import AlphaGroupDef, ComponentDef, Definition, Expr, MemberDef, PodGroupDef, Status
from kartatest.resolve.evaluate import Evaluator
from kartatest.resolve.members import Candidate, beside, candidates, chosen, keys_of
from kartatest.resolve.minimum import Refusal, Share, is_split, shares
from kartatest.resolve.model import Component, Instance, PodWarning, Quantities, Tree
from kartatest.resolve.pods import is_current, is_ready, name, phase
from kartatest.resolve.totals import asked
from kartatest.source import JsonObject
from kartatest.value import value


@value
class Gang:
    """Pods that have to start together. name: the group's in the definition, or a subgroup's component.

    keys: values of the group keys, () where there are none or they are not known yet.
    minimum: how many pods; requests and claims: what these ask for together, 0 and nothing where fault says why the
    counts cannot be read. pods: those that are in it, whatever their phase, in tree order.
    count: how many such gangs there are; None where only pods could tell: it then stands for all of them.
    parts: the subgroups, each of which has to be there; minimum and requests are then their sums.
    """

    name: str
    keys: tuple[str, ...] = ()
    minimum: int = 0
    requests: Quantities = field(default_factory=dict)
    claims: int = 0
    pods: tuple[JsonObject, ...] = ()
    count: int | None = 1
    parts: tuple[Gang, ...] = ()
    fault: str = ""

    @property
    def label(self) -> str:
        """Name and keys: "group.0"."""
        return ".".join([self.name, *self.keys])


class Gangs(NamedTuple):
    """The gangs of a workload, those of one entry in the order of their keys, and sentences about pods in none."""

    gangs: tuple[Gang, ...] = ()
    faults: tuple[str, ...] = ()


def gangs(tree: Tree) -> Gangs:
    """The gangs that the tree's definition asks for; () without one. Never raises."""
    definition = tree.definition
    gang = definition.gang if definition is not None else None
    if definition is None or gang is None:
        return Gangs()
    if gang.pod_group is not None:
        return Gangs((_of_pod_group(tree, gang.pod_group),))
    return _PodGroups(tree, definition).found()


def unready(tree: Tree) -> tuple[str, ...]:
    """Sentences about gangs of a running workload with fewer pods ready than they need; () where the status is another.

    A pod that has succeeded has done its part. Object and pods are watched apart, so this says nothing of the status.
    """
    if Status.RUNNING not in tree.statuses:
        return ()
    units = [(gang, part) for gang in gangs(tree).gangs for part in gang.parts or (gang,)]
    return tuple(_short(units, alone=len(units) == 1))


def _short(units: Iterable[tuple[Gang, Gang]], *, alone: bool) -> Iterator[str]:
    for gang, part in units:
        ready = sum(1 for pod in part.pods if is_current(pod) and is_ready(pod))
        done = sum(1 for pod in part.pods if phase(pod) == "Succeeded")
        if part.fault or not part.count or ready + done >= part.minimum:
            continue
        which = "the gang" if alone else f"the gang {gang.label!r}" if part is gang else f"{part.name!r} in the gang"
        more = f", {done} {'has' if done == 1 else 'have'} finished" if done else ""
        yield f"{ready} of {part.minimum} members of {which} are ready{more}, though the status is Running"


class _Part(NamedTuple):
    """What of a workload is in a gang: a component with all below it, or one of its instances."""

    component: str
    instance: str | None = None
    keys: tuple[Expr, ...] = ()


def _made(
    tree: Tree,
    named: str,
    parts: Iterable[_Part],
    pods: Iterable[JsonObject],
    *,
    keys: tuple[str, ...] = (),
    without: Sequence[str] = (),
    count: int | None = 1,
) -> Gang:
    """The gang of these parts. without: components that are left out below another."""
    found: list[Share] = []
    try:
        for part in parts:
            found += shares(tree, part.component, part.instance, keys=part.keys, without=without)
    except Refusal as refusal:
        return Gang(named, keys, pods=tuple(pods), count=count, fault=refusal.text)
    amounts, claims = asked([(share.instance, share.pods) for share in found])
    return Gang(named, keys, sum(share.pods for share in found), amounts, claims, tuple(pods), count)


# podGroup


def _of_pod_group(tree: Tree, group: PodGroupDef) -> Gang:
    listed = list(dict.fromkeys(sub.component for sub in group.sub_groups))
    if not listed:
        return _made(tree, group.name, [_Part(tree.root.name)], _pods(tree.root, ()))
    parts = []
    for one in listed:
        component = tree.component(one)
        pods = _pods(component, [other for other in listed if other != one]) if component is not None else ()
        made = _made(tree, one, [_Part(one)], pods, without=listed)
        parts.append(made if component is not None else Gang(one, fault=f"there is no component {one!r}"))
    amounts: dict[str, Fraction] = {}
    for part in parts:
        for resource, amount in part.requests.items():
            amounts[resource] = amounts.get(resource, Fraction(0)) + amount
    return Gang(
        group.name,
        minimum=sum(part.minimum for part in parts),
        requests=amounts,
        claims=sum(part.claims for part in parts),
        pods=tuple(_pods(tree.root, ())),
        parts=tuple(parts),
        fault="; ".join(part.fault for part in parts if part.fault),
    )


def _pods(component: Component, without: Sequence[str]) -> Iterator[JsonObject]:
    for instance in component.instances:
        yield from instance.pods
    for child in component.children:
        if child.name not in without:
            yield from _pods(child, without)


# podGroups


class _Member(NamedTuple):
    """A member of an entry, with the component it names."""

    group: str
    definition: MemberDef
    component: ComponentDef

    @property
    def split(self) -> tuple[str, tuple[str, ...]]:
        """What tells its gangs apart: the entry, and the texts of the keys."""
        return self.group, tuple([key.text.strip() for key in self.definition.group_keys])


class _PodGroups:
    def __init__(self, tree: Tree, definition: Definition) -> None:
        self.tree = tree
        self.definition = definition
        self.parts: dict[tuple[str, tuple[str, ...]], dict[_Part, None]] = {}
        self.pods: dict[tuple[str, tuple[str, ...]], list[JsonObject]] = {}
        self.seen: dict[tuple[str, str], set[tuple[str, ...]]] = {}
        """Per entry and member: the keys that its current pods have."""

    def found(self) -> Gangs:
        faults: list[str] = []
        for component in self.tree.walk():
            among = tuple(candidates(self.definition, component.definition))
            for instance in component.instances:
                for pod in instance.pods if among else ():
                    try:
                        self._put(component, instance, pod, among)
                    except Refusal as refusal:
                        faults.append(PodWarning(f"pod {name(pod)!r} is in no gang: {refusal.text}"))
        for at in [at for at, pods in self.pods.items() if at[1] and not any(map(is_current, pods))]:
            del self.parts[at]  # what has ended, or is being deleted, is a gang no more
        self._expected()
        made = [
            _made(self.tree, at[0], parts, self.pods.get(at, ()), keys=at[1], without=[p.component for p in parts])
            for at, parts in self.parts.items()
        ]
        every = [*made, *self._not_there()]
        order = {group.name: i for i, group in reversed([*enumerate(self._groups())])}
        every.sort(key=lambda gang: (order[gang.name], not gang.keys, [_ordered(key) for key in gang.keys]))
        return Gangs(tuple(gang for gang in every if gang.minimum or gang.pods or gang.fault), tuple(faults))

    def _groups(self) -> tuple[AlphaGroupDef, ...]:
        return self.definition.gang.pod_groups if self.definition.gang is not None else ()

    def _members(self) -> Iterator[_Member]:
        for group in self._groups():
            for member in group.members:
                component = self.definition.component(member.component)
                if component is not None:
                    yield _Member(group.name, member, component)

    def _put(self, component: Component, instance: Instance, pod: JsonObject, among: Sequence[Candidate]) -> None:
        reading = Evaluator(pod)
        candidate = chosen(among, reading)
        if candidate is None:
            return
        by = candidate.member.group_keys
        keys = keys_of(by, reading)
        own = candidate.component is component.definition and component.definition.instance_ids is not None and by
        at = candidate.group.name, keys
        parts = self.parts.setdefault(at, {})
        parts[_Part(candidate.component.name, instance.id if own else None, by)] = None
        for other in beside(self.definition, candidate) if own else ():
            parts[_Part(other.component.name, instance.id, other.member.group_keys)] = None
        self.pods.setdefault(at, []).append(pod)
        if is_current(pod):
            self.seen.setdefault((candidate.group.name, candidate.component.name), set()).add(keys)

    def _expected(self) -> None:
        """Members that are in a gang whether or not they have pods yet: those without keys, in their entry's one
        gang, and those whose key is the instance id, each instance in one of its own.
        """
        for member in self._members():
            by, component = member.definition.group_keys, self.tree.component(member.component.name)
            if member.definition.filters or component is None:
                continue
            if not by:
                self.parts.setdefault((member.group, ()), {})[_Part(component.name)] = None
            elif _is_instance(component, by):
                for one in component.instances:
                    self.parts.setdefault((member.group, (one.id,)), {})[_Part(component.name, one.id, by)] = None

    def _not_there(self) -> Iterator[Gang]:
        """Gangs with keys that nobody knows yet, as they have no pods: one for the members that share a gang there.

        Those of an entry with the same keys do. Where only pods tell the keys, none once there are some.
        """
        seen: dict[tuple[str, tuple[str, ...]], set[tuple[str, ...]]] = {}
        for member in self._members():
            seen.setdefault(member.split, set()).update(self.seen.get((member.group, member.component.name), ()))
        waiting: dict[tuple[str, tuple[str, ...], int | None], list[_Part]] = {}
        for member in self._members():
            by, component = member.definition.group_keys, self.tree.component(member.component.name)
            if not by or component is None or (_is_instance(component, by) and not member.definition.filters):
                continue
            known = len(seen[member.split])
            count: int | None = None
            if len(by) == 1 and is_split(component, by):
                count = sum(max(i.desired, 0) for i in component.instances if i.scale is not None) - known
            if (count is None and not known) or (count is not None and count > 0):
                waiting.setdefault((*member.split, count), []).append(_Part(component.name, None, by))
        for (group, _, count), parts in waiting.items():
            yield _made(self.tree, group, parts, (), without=[p.component for p in parts], count=count)


def _is_instance(component: Component, keys: Sequence[Expr]) -> bool:
    """Whether the keys are the instance id of a component with pods, so that each instance is a gang."""
    selector = component.definition.selector
    id_ = selector.instance_id if selector is not None else None
    return id_ is not None and component.bears_pods and [key.text.strip() for key in keys] == [id_.text.strip()]


def _ordered(key: str) -> tuple[int, int, str]:
    """Numbers by their size, before other texts."""
    return (0, int(key), key) if key.isascii() and key.isdigit() and len(key) < 20 else (1, 0, key)
