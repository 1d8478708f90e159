"""Live pods given to the instances they belong to: to the workload by owner, to a role by selector (semantics 7, 8.6).

Each pod is counted once. One that is no component's is a stray, with a reason. Where several components would take it,
or its owner says something else than its labels, it is counted where its own labels put it, first come in the
definition's order, and is named as contested (Q47).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from kartatest.definition.model import Definition, TypeSelector
from kartatest.resolve.evaluate import Evaluator, Unreadable
from kartatest.resolve.model import (
    Component,
    Contested,
    ForeignPod,
    PodPlace,
    Problem,
    Stray,
)
from kartatest.resolve.owners import Owners, Verdict, metadata, named
from kartatest.resolve.pods import name as pod_name
from kartatest.resolve.replicas import Filled
from kartatest.resolve.selectors import instance_id, matches_type
from kartatest.source import Json, JsonObject

Cause = Literal["elsewhere", "owner", "role"]


class Attached(NamedTuple):
    """The tree's root with pods in its instances, the pods left over, those in doubt, and a word about each of both."""

    root: Component
    strays: tuple[Stray, ...]
    contested: tuple[Contested, ...]
    warnings: tuple[str, ...]


def attach(
    definition: Definition, root: Component, obj: Json, pods: Sequence[JsonObject], owners: Sequence[JsonObject]
) -> Attached:
    """Gives each pod to one instance. Anything in pods or owners that is no object is passed over."""
    live = once(pods)
    work = _Attach(root, Owners(obj, [o for o in owners if isinstance(o, dict)], live, _roles(definition)))
    verdicts = [work.owners.of(pod) for pod in live]
    work.shown = any(verdict.mine for verdict in verdicts)
    for pod, verdict in zip(live, verdicts, strict=True):
        work.put(pod, verdict)
    work.compare()
    work.warnings.sort(key=lambda told: told[0])
    filled = Filled(work.taken)
    made = filled.component(root, None)
    warnings = (*(text for _, text in work.warnings), *filled.warnings)
    return Attached(made, tuple(work.strays), tuple(work.contested), warnings)


def _roles(definition: Definition) -> str:
    """The texts that read roles off pods."""
    found: list[str] = []
    for component in definition.components:
        selector = component.selector
        if selector is not None:
            of_type = selector.type
            exprs = (selector.instance_id, selector.replica_key, of_type.key if of_type is not None else None)
            found += [expr.text for expr in exprs if expr is not None]
            found += (of_type.labels or ()) if of_type is not None else ()
    return "\n".join(found)


def once(pods: Sequence[Json]) -> list[JsonObject]:
    """The pods that are objects; of one that is given twice the later."""
    found: dict[object, JsonObject] = {}
    for i, pod in enumerate(pods):
        if isinstance(pod, dict):
            uid = metadata(pod).get("uid")
            found[uid if isinstance(uid, str) and uid else i] = pod
    return list(found.values())


class _Place(NamedTuple):
    """An instance: the component that it is of, and its position there."""

    component: Component
    position: int

    def __str__(self) -> str:
        name = self.component.name
        return (
            f"{name}[{self.component.instances[self.position].id}]" if self.component.definition.instance_ids else name
        )


class _Found(NamedTuple):
    """Where a pod may be, the first place being the one that counts; without any, why not."""

    places: tuple[_Place, ...]
    why: str = ""
    cause: Cause = "role"


class _Attach:
    def __init__(self, root: Component, owners: Owners) -> None:
        bearers = [component for component in root.walk() if component.bears_pods]
        self.selecting = [(c, of_type) for c in bearers if (of_type := _type_of(c)) is not None]
        self.open = [c for c in bearers if _type_of(c) is None]
        self._ids: dict[int, dict[str, int]] = {}
        self.owners = owners
        self.shown = False
        """Whether owners show any pod to be the workload's; a pod that nobody owns is then none of it."""
        self.own = root if root.bears_pods and root.instances else None
        self.taken: dict[tuple[int, int], list[JsonObject]] = {}
        self.strays: list[Stray] = []
        self.contested: list[Contested] = []
        self.warnings: list[tuple[int, str]] = []
        self._mine: list[tuple[int, JsonObject, _Place, Verdict]] = []
        self._count = 0

    def put(self, pod: JsonObject, verdict: Verdict) -> None:
        self._count += 1
        if self.own is not None and is_same(self.owners, pod):
            self.taken.setdefault((id(self.own.definition), 0), []).append(pod)
            return
        if verdict.mine is False:
            self.stray(pod, verdict.text, "elsewhere" if verdict.foreign else "owner")
            return
        if verdict.mine is None and not verdict.named:
            self.stray(pod, verdict.text, "owner")
            return
        if verdict.mine is None and self.shown and not verdict.kinds:
            self.stray(pod, "nobody owns it", "owner")
            return
        found = self.places(pod, verdict)
        labels = _said_by_owner(verdict.owner, pod)
        other = self.places(_with_labels(pod, labels), verdict) if labels else found
        hint = ""
        if other.places[:1] != found.places[:1] and other.places and verdict.owner is not None:
            hint = f"its owner {named(verdict.owner)} makes pods of {str(other.places[0])!r}"
        if not found.places:
            self.stray(pod, f"{found.why}; {hint}" if hint else found.why, found.cause)
            return
        place = found.places[0]
        self.taken.setdefault((id(place.component.definition), place.position), []).append(pod)
        if len(found.places) > 1:
            others = ", ".join(repr(str(one)) for one in found.places[1:])
            self.contest(pod, place, f"{others} would take it too")
        elif hint:
            self.contest(pod, place, hint)
        elif verdict.mine and self.owners.names.several:
            self._mine.append((self._count, pod, place, verdict))

    def compare(self) -> None:
        """Contests pods that are the workload's by their owners, and another's by a label that names workloads."""
        names = self.owners.names
        telling = set(names.telling) if self._mine else set()
        for owner in {id(v.owner): v.owner for _, _, _, v in self._mine if v.owner is not None}.values():
            telling |= {label for label, _, whose in names.labels(owner) if whose == 0}
        for count, pod, place, _ in self._mine:
            for label, text, whose in names.labels(pod):
                if whose and (label in telling or label.endswith("-name")):
                    what = f"its label {label} says {text!r}, which is {names.word(whose)}"
                    self.contest(pod, place, what, count)
                    break

    def stray(self, pod: JsonObject, why: str, cause: Cause) -> None:
        self.strays.append(Stray(pod, why, cause))
        kind = ForeignPod if cause == "elsewhere" else PodPlace
        self.warnings.append((self._count, kind(f"pod {pod_name(pod)!r} is no component's: {why}")))

    def contest(self, pod: JsonObject, place: _Place, why: str, count: int | None = None) -> None:
        self.contested.append(Contested(pod, place.component.name, place.component.instances[place.position].id, why))
        text = f"pod {pod_name(pod)!r} is counted for {str(place)!r}, but {why}"
        self.warnings.append((self._count if count is None else count, PodPlace(text)))

    def places(self, pod: JsonObject, verdict: Verdict) -> _Found:
        """By selectors; what none of them takes is for a component without one: the only one, or the owner's kind."""
        evaluator = Evaluator(pod)
        found: list[_Place] = []
        why = ""
        taken = False
        for component, of_type in self.selecting:
            try:
                if matches_type(of_type, pod, evaluator):
                    taken = True
                    found.append(_Place(component, self._instance(component, evaluator)))
            except Unreadable as error:
                why = f"{component.name!r}: {error.problem.message}"
        if taken:
            return _Found(tuple(found), why)
        among = self.open
        if len(among) > 1:
            among = self._of_kind(verdict)
            if len(among) != 1:
                names = ", ".join(repr(c.name) for c in self.open)
                return _Found((), why or f"no type selector matches it, and {names} have none to tell them apart")
        for component in among:
            try:
                return _Found((_Place(component, self._instance(component, evaluator)),))
            except Unreadable as error:
                why = f"{component.name!r}: {error.problem.message}"
        return _Found((), why or "no type selector matches it")

    def _instance(self, component: Component, evaluator: Evaluator) -> int:
        """The position of the pod's instance. Raises Unreadable where there is none."""
        definition = component.definition
        if definition.instance_ids is None:
            return 0
        found = instance_id(definition.selector, evaluator)
        if found is None:
            if len(component.instances) == 1:
                return 0
            raise Unreadable(Problem(definition.at, "there is no componentInstanceSelector that tells its instance"))
        ids = self._ids.get(id(component))
        if ids is None:
            ids = self._ids[id(component)] = {}
            for i, instance in enumerate(component.instances):
                ids.setdefault(instance.id, i)
        if found not in ids:
            known = ", ".join(repr(i.id) for i in component.instances[:8]) or "none"
            raise Unreadable(Problem(definition.at, f"there is no instance {found!r}, only {known}"))
        return ids[found]

    def _of_kind(self, verdict: Verdict) -> list[Component]:
        """Of the components without selector those of the kind of the nearest owner that any of them stands for."""
        for kind in verdict.kinds:
            of_kind = [(c, c.definition.kind) for c in self.open]
            found = [c for c, own in of_kind if own is not None and (own.group, own.kind) == kind]
            if found:
                return found
        return []


def _type_of(component: Component) -> TypeSelector | None:
    selector = component.definition.selector
    return selector.type if selector is not None else None


def _said_by_owner(owner: JsonObject | None, pod: JsonObject) -> Mapping[str, str]:
    """Labels on which a pod and its owner differ: those of the owner's template, or without one the owner's own."""
    if owner is None or owner.get("kind") == "Pod":
        return {}
    spec = owner.get("spec")
    template = spec.get("template") if isinstance(spec, dict) else None
    said = metadata(template if isinstance(template, dict) else owner).get("labels")
    have = metadata(pod).get("labels")
    if not isinstance(said, dict) or said is have:
        return {}
    have = have if isinstance(have, dict) else {}
    return {label: text for label, text in said.items() if isinstance(text, str) and have.get(label) != text}


def _with_labels(pod: JsonObject, labels: Mapping[str, str]) -> JsonObject:
    meta = metadata(pod)
    have = meta.get("labels")
    return {**pod, "metadata": {**meta, "labels": {**(have if isinstance(have, dict) else {}), **labels}}}


def is_same(owners: Owners, pod: JsonObject) -> bool:
    """Whether the pod is the workload itself: the same uid, or, where a uid is missing, kind, namespace and name."""
    one, other = owners.meta, metadata(pod)
    if one.get("uid") and other.get("uid"):
        return bool(one["uid"] == other["uid"])
    same_name = bool(one.get("name")) and one["name"] == other.get("name")
    return owners.is_pod and same_name and one.get("namespace") == other.get("namespace")
