"""How KAI Scheduler reads one definition on one object: which definition it uses, and the group of one pod."""

from __future__ import annotations

from collections.abc import Sequence

from kartatest.definition.model import ComponentDef, Definition, Expr, Gvk, PodGroupDef
from kartatest.gang import arithmetic, names, pods
from kartatest.gang.model import PodGroup, Refusal, SubGroup
from kartatest.gang.topology import constraint, of_annotations
from kartatest.gang.validity import faults
from kartatest.resolve.evaluate import Evaluator
from kartatest.resolve.members import Candidate, candidates
from kartatest.resolve.minimum import corrected
from kartatest.resolve.model import Tree
from kartatest.source import JsonObject

_LABELS = ("run.ai/karta-group", "run.ai/karta-version", "run.ai/karta-kind")


class Unused:
    """No definition, or several."""

    def __init__(self, why: str = "", several: int = 0) -> None:
        self.why = why
        self.several = several


def choose(definitions: Sequence[Definition], obj: JsonObject) -> Reader | Unused:
    """The one usable definition on the object, or why there is none, or how many there are."""
    gvk = Gvk.of(obj)
    usable: list[Definition] = []
    why: list[str] = []
    for definition in definitions:
        if fault := unusable(definition, gvk):
            why.append(f"{definition.name or definition.file!r} {fault}")
        else:
            usable.append(definition)
    if len(usable) == 1:
        return Reader(usable[0], obj)
    return Unused("; ".join(why) or "none was given", len(usable))


def unusable(definition: Definition, gvk: Gvk) -> str:
    """Why the scheduler does not use the definition for objects of this kind; "" when it does."""
    kind = definition.root.kind
    if kind != gvk:
        return f"is for {kind}" if kind is not None else "names no kind"
    right = (gvk.group, gvk.version, gvk.kind)
    wrong = [label for label, value in zip(_LABELS, right, strict=True) if definition.labels.get(label) != value]
    if definition.refused:
        return f"is refused by the API server: {definition.refused[0]}"
    if len(wrong) == len(_LABELS) and not any(label in definition.labels for label in _LABELS):
        return "lacks the three labels that name its kind (the format's operator adds them, where it runs)"
    if wrong:
        return f"has the wrong label {wrong[0]}" if wrong[0] in definition.labels else f"lacks the label {wrong[0]}"
    gang = definition.gang
    if gang is None or (gang.pod_group is None and not gang.pod_groups):
        return "has no pod group"
    found = faults(definition)
    return f"is not valid: {found[0]}" if found else ""


class Reader:
    """One definition on one object; counts are kept for the next pod."""

    def __init__(self, definition: Definition, obj: JsonObject) -> None:
        self.definition = definition
        self.obj = obj
        self.base = f"pg-{names.uid_of(obj)}"
        self.workload = Evaluator(obj)
        self.differences: dict[str, None] = {}
        self._scales: dict[tuple[str, str | None, tuple[str, ...]], int | Refusal] = {}
        self._tree: Tree | None = None

    @property
    def tree(self) -> Tree:
        """What the definition reads in the object, without pods."""
        if self._tree is None:
            from kartatest.resolve.tree import resolve

            self._tree = resolve(self.definition, self.obj)
        return self._tree

    def group(self, pod: JsonObject | None) -> tuple[PodGroup, str | None]:
        """The group that the pod is in as this pod writes it, and its subgroup. Raises Refusal."""
        gang = self.definition.gang
        assert gang is not None
        reading = pods.evaluator(pod) if pod is not None else None
        if gang.pod_group is not None:
            return self._current(gang.pod_group, reading)
        assert reading is not None
        return self._deprecated(reading, names.name_of(pod or {})), None

    def scale(self, component: ComponentDef, instance: str | None = None, keys: Sequence[Expr] = ()) -> int:
        """The minimum of a component with all below it; a note is left where it is not what is meant."""
        place = (component.name, instance, tuple(key.text for key in keys))
        if place not in self._scales:
            try:
                self._scales[place] = arithmetic.subtree_scale(self.definition, component, self.workload, instance)
            except Refusal as refusal:
                self._scales[place] = refusal
            self._compare(component.name, instance, keys, self._scales[place])
        kept = self._scales[place]
        if isinstance(kept, Refusal):
            raise kept
        return kept

    def _compare(self, name: str, instance: str | None, keys: Sequence[Expr], theirs: int | Refusal) -> None:
        try:
            meant = corrected(self.tree, name, instance, keys=keys)
        except Refusal:
            return
        if not isinstance(theirs, Refusal) and (text := arithmetic.difference(name, instance, theirs, meant)):
            self.differences.setdefault(text)

    def _current(self, group: PodGroupDef, pod: Evaluator | None) -> tuple[PodGroup, str | None]:
        name = f"{self.base}-{group.name}"
        topology = constraint(group.topology) or of_annotations(self.obj)
        found: list[SubGroup] = []
        taken: str | None = None
        for sub in group.sub_groups:
            if not sub.component:
                raise Refusal("subgroup-component", "a subgroup names no component")
            component = self.definition.component(sub.component)
            if component is None:
                raise Refusal("subgroup-component", f"a subgroup names {sub.component!r}, which is no component")
            minimum = self.scale(component)
            if minimum == 0:
                raise Refusal("zero-scale", f"{sub.component!r} has no count above 0, and every subgroup needs one")
            found.append(SubGroup(sub.component, minimum, constraint(sub.topology)))
            if pod is not None and self._takes(component, pod) and taken is None:
                taken = sub.component
        if found:
            made = PodGroup(name, None, len(found), tuple(found), topology)
        else:
            made = PodGroup(name, self.scale(self.definition.root), topology=topology)
        _stored(made)
        return made, taken

    def _takes(self, component: ComponentDef, pod: Evaluator) -> bool:
        """Whether a type selector of the component or of something below it takes the pod; the first one ends it."""
        if component.selector is not None and pods.matches_type(component.selector.type, pod):
            return True
        return any(self._takes(child, pod) for child in self.definition.children_of(component.name))

    def _deprecated(self, pod: Evaluator, pod_name: str) -> PodGroup:
        component = pods.component_of(self.definition, pod, pod_name)
        found = next((c for c in candidates(self.definition, component) if _passes(c, pod)), None)
        if found is None:
            raise Refusal("no-member", f"{component.name!r} is in no entry of podGroups whose filters let the pod pass")
        keyed = found.member.group_keys
        instance = pods.instance_of(component, pod, self.workload) if found.component is component else None
        keys = pods.keys_of(keyed, pod)
        name = "-".join([self.base, *keys])
        if keys and (fault := names.fault_of_name(name)):
            raise Refusal("key-name", f"the group keys {' '.join(keys)} make the illegal name {name!r}: {fault}")
        made = PodGroup(name, self.scale(found.component, instance, keyed), topology=of_annotations(self.obj))
        _stored(made)
        return made


def _passes(candidate: Candidate, pod: Evaluator) -> bool:
    try:
        return pods.passes(candidate.member.filters, pod)
    except Refusal as refusal:
        where = f"{candidate.component.name!r} in {candidate.group.name!r}"
        raise Refusal(refusal.reason, f"a filter of {where} fails: {refusal.text}") from None


def _stored(group: PodGroup) -> None:
    """Raises Refusal where the API server would not store the group."""
    names.check_group(group.name)
    for i, sub in enumerate(group.sub_groups):
        names.check_sub_group(sub.name, i)
    for minimum in (group.min_member, *(sub.min_member for sub in group.sub_groups)):
        if minimum is not None and minimum < 0:
            raise Refusal("negative", f"the API server refuses the PodGroup: its minimum wrapped around to {minimum}")
