"""The pod groups that a definition asks for, by its own words: no scheduler's arithmetic, names or preconditions.

A pod's component is the one that the tree gives it: by its selector, wherever there is one (Q30), and once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kartatest.definition.limits import too_many_pod_sets
from kartatest.definition.model import Definition, Expr, PodGroupDef
from kartatest.definition.walk import cycles, owners
from kartatest.gang import arithmetic, names
from kartatest.gang.model import NO_PODS, Gangs, Place, PodGroup, Refusal, SubGroup
from kartatest.gang.topology import constraint
from kartatest.resolve.evaluate import Evaluator
from kartatest.resolve.members import Candidate, beside, candidates, chosen, keys_of
from kartatest.resolve.minimum import corrected
from kartatest.resolve.model import Component, Instance, Tree
from kartatest.source import JsonObject


def grouped(
    definition: Definition, obj: JsonObject, every: Sequence[JsonObject], owners: Sequence[JsonObject]
) -> Gangs:
    """Groups and places. Of podGroup the group is there without pods too; of podGroups pods tell the group keys."""
    from kartatest.resolve.attach import once
    from kartatest.resolve.tree import resolve

    pods = once(every)
    work = _Work(definition, obj, resolve(definition, obj, pods=pods, owners=owners))
    gang = definition.gang
    if gang is None or (gang.pod_group is None and not gang.pod_groups):
        text = "the definition has no pod group"
        return Gangs(pods=tuple(Place(names.name_of(pod), "default", text=text) for pod in pods), notes=work.limits())
    try:
        if circle := next(iter(cycles(definition)), None):
            raise Refusal("cycle", f"components own each other: {', '.join(circle)}")
        return work.current(gang.pod_group, pods) if gang.pod_group is not None else work.deprecated(pods)
    except Refusal as refusal:
        return work.refused(refusal, pods)


class _Part(NamedTuple):
    """What of a workload is in a group: a component with all below it, or one of its instances."""

    component: str
    instance: str | None
    keys: tuple[Expr, ...]


class _Work:
    def __init__(self, definition: Definition, obj: JsonObject, tree: Tree) -> None:
        self.definition = definition
        self.base = f"pg-{names.uid_of(obj)}"
        self.tree = tree
        self.workload = Evaluator(obj)
        self.notes: dict[str, None] = {}
        self._place = {id(pod): (c, i) for c in tree.walk() for i in c.instances for pod in i.pods}
        self._strays = {id(stray.pod): stray for stray in tree.strays}

    def refused(self, refusal: Refusal, pods: Sequence[JsonObject]) -> Gangs:
        """Every pod of the workload is refused."""
        places = tuple(self.ignored(pod) or _refused(names.name_of(pod), refusal) for pod in pods)
        return Gangs(pods=places, notes=(*self.notes, *self.limits()), blocked="" if pods else refusal.text)

    def ignored(self, pod: JsonObject) -> Place | None:
        """The place of a pod that is another workload's."""
        stray = self._strays.get(id(pod))
        if stray is None or stray.cause == "role":
            return None
        return Place(names.name_of(pod), "ignored", text=stray.reason)

    def why(self, pod: JsonObject) -> str:
        """Why a pod is no component's."""
        stray = self._strays.get(id(pod))
        return stray.reason if stray is not None else "nothing takes it"

    def minimum(self, part: _Part, without: Sequence[str] = ()) -> int:
        """The minimum of a part, and a note where the Go arithmetic gives another one."""
        found = corrected(self.tree, part.component, part.instance, keys=part.keys, without=without)
        component = self.definition.component(part.component)
        if component is not None:
            try:
                theirs = arithmetic.subtree_scale(self.definition, component, self.workload, part.instance)
            except Refusal as refusal:
                self.notes.setdefault(f"KAI Scheduler refuses the pods of {part.component!r}: {refusal.text}")
            else:
                self.notes.setdefault(arithmetic.difference(part.component, part.instance, theirs, found))
        return found

    def gangs(self, groups: Sequence[PodGroup], places: Sequence[Place]) -> Gangs:
        self.notes.pop("", None)
        return Gangs(tuple(groups), tuple(places), (*self.notes, *self.limits()))

    def limits(self) -> tuple[str, ...]:
        """A note where the workload has more kinds of pods than a queueing consumer takes."""
        sets = sum(len(c.instances) for c in self.tree.walk() if c.bears_pods)
        why = too_many_pod_sets(sets)
        return (f"the workload has {sets} sets of equal pods, and {why}",) if why else ()

    # podGroup

    def current(self, group: PodGroupDef, pods: Sequence[JsonObject]) -> Gangs:
        name = f"{self.base}-{group.name}"
        names.check_group(name)
        topology = constraint(group.topology)
        listed = [sub.component for sub in group.sub_groups]
        subs = tuple(self._sub_group(group, i) for i in range(len(listed)))
        if subs:
            made = PodGroup(name, None, len(subs), subs, topology)
        else:
            made = PodGroup(name, self.minimum(_Part(self.definition.root.name, None, ())), topology=topology)
        return self.gangs([made], [self._in(name, listed, pod) for pod in pods])

    def _sub_group(self, group: PodGroupDef, index: int) -> SubGroup:
        """One subgroup. A component that is listed itself is no part of the subgroup above it."""
        sub = group.sub_groups[index]
        listed = [one.component for one in group.sub_groups]
        if self.definition.component(sub.component) is None:
            what = f"names {sub.component!r}, which is no component" if sub.component else "names no component"
            raise Refusal("subgroup-component", f"a subgroup {what}")
        if listed.index(sub.component) != index:
            raise Refusal("subgroup-component", f"{sub.component!r} is listed twice")
        names.check_sub_group(sub.component, index)
        component = self.tree.component(sub.component)
        if component is None or not any(c.bears_pods for c in component.walk()):
            raise Refusal("zero-scale", f"no pods hang off {sub.component!r} or anything below it")
        minimum = self.minimum(_Part(sub.component, None, ()), listed)
        return SubGroup(sub.component, minimum, constraint(sub.topology))

    def _in(self, group: str, listed: Sequence[str], pod: JsonObject) -> Place:
        name = names.name_of(pod)
        if (ignored := self.ignored(pod)) is not None:
            return ignored
        found = self._place.get(id(pod))
        if found is None:
            return Place(name, "grouped", group, text=f"it is no component's: {self.why(pod)}")
        above = (found[0].name, *(owner.name for owner in owners(self.definition, found[0].name)))
        return Place(name, "grouped", group, next((one for one in above if one in listed), None))

    # podGroups

    def deprecated(self, pods: Sequence[JsonObject]) -> Gangs:
        parts: dict[str, dict[_Part, None]] = {}
        places: list[Place] = []
        for pod in pods:
            name = names.name_of(pod)
            ignored = self.ignored(pod)
            try:
                if ignored is None:
                    group, found = self._keyed(pod)
                    for part in found:
                        parts.setdefault(group, {}).setdefault(part)
                places.append(ignored or Place(name, "grouped", group))
            except Refusal as refusal:
                places.append(_refused(name, refusal))
        if not pods:
            self.notes.setdefault(NO_PODS)
        groups, unreadable = self._summed(parts)
        places = [_refused(p.pod, unreadable[p.group]) if p.group in unreadable else p for p in places]
        return self.gangs(groups, places)

    def _summed(self, parts: Mapping[str, Mapping[_Part, None]]) -> tuple[list[PodGroup], dict[str, Refusal]]:
        """The groups with the sums of their parts' minima, and those whose counts cannot be read."""
        groups: list[PodGroup] = []
        unreadable: dict[str, Refusal] = {}
        for name, found in parts.items():
            listed = [part.component for part in found]
            try:
                groups.append(PodGroup(name, sum(self.minimum(part, listed) for part in found)))
            except Refusal as refusal:
                unreadable[name] = refusal
        return groups, unreadable

    def _keyed(self, pod: JsonObject) -> tuple[str, tuple[_Part, ...]]:
        """The name of the pod's group, and what is in it as far as this pod shows.

        Members without keys are in their entry's one group whether or not they have pods yet.
        """
        found = self._place.get(id(pod))
        if found is None:
            raise Refusal("no-component", f"the pod is no component's: {self.why(pod)}")
        component, instance = found
        reading = Evaluator(pod)
        found_in = chosen(tuple(candidates(self.definition, component.definition)), reading)
        if found_in is None:
            raise Refusal("no-member", f"{component.name!r} is in no entry of podGroups whose filters let the pod pass")
        keys = keys_of(found_in.member.group_keys, reading)
        name = names.plain(self.base, found_in.group.name, keys)
        names.check_group(name)
        parts = [_part(found_in, component, instance)]
        if parts[0].instance is not None:
            parts += [
                _Part(o.component.name, instance.id, o.member.group_keys) for o in beside(self.definition, found_in)
            ]
        if not keys:
            for member in found_in.group.members:
                other = self.definition.component(member.component)
                whole = not member.group_keys and not member.filters and member.component != found_in.component.name
                if whole and other is not None:
                    parts.append(_Part(other.name, None, ()))
        return name, tuple(parts)


def _refused(pod: str, refusal: Refusal) -> Place:
    return Place(pod, "refused", text=refusal.text, reason=refusal.reason)


def _part(candidate: Candidate, component: Component, instance: Instance) -> _Part:
    """The member's whole component; the pod's instance alone where the keys split the component by instance."""
    definition, keys = candidate.component, candidate.member.group_keys
    own = definition is component.definition and definition.instance_ids is not None and bool(keys)
    return _Part(definition.name, instance.id if own else None, keys)
