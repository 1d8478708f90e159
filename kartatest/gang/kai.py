"""What KAI Scheduler's pod grouper does with pods: of August 2026, with its default flags (semantics 9.4, 13).

Beyond this module: native (kinds it knows itself), owners, validity (which definitions it uses), pods and arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kartatest.definition.model import Definition, Gvk
from kartatest.gang import names
from kartatest.gang.model import NO_PODS, Gangs, Place, PodGroup, Refusal
from kartatest.gang.native import is_native, steps_back
from kartatest.gang.owners import Owners, Top
from kartatest.gang.reader import Reader, Unused, choose
from kartatest.gang.topology import of_annotations
from kartatest.source import JsonObject

SCHEDULER = "kai-scheduler"
QUEUE = "kai.scheduler/queue"
SKIP = "kai.scheduler/skip-podgrouper"
GROUPED = "pod-group-name"


def predicted(
    definitions: Sequence[Definition], obj: JsonObject, every: Sequence[JsonObject], owners: Sequence[JsonObject]
) -> Gangs:
    """The pod groups after the pods have been seen in the order given, one by one.

    Without pods: the group that the first pod would make, where it does not depend on the pod.
    """
    pods = [pod for pod in every if isinstance(pod, dict)]
    run = _Run(definitions, Owners(obj, (*owners, *pods)))  # a pod may own others, as a leader does
    places = [run.place(pod) for pod in pods]
    if not places:
        run.alone(obj)
    return run.gangs(places)


class _Run:
    def __init__(self, definitions: Sequence[Definition], owners: Owners) -> None:
        self.definitions = definitions
        self.owners = owners
        self.groups: dict[str, PodGroup] = {}
        self.minima: dict[str, list[int]] = {}
        self.notes: dict[str, None] = {}
        self.blocked = ""
        self._readers: dict[int, Reader | Unused] = {}

    def gangs(self, places: Sequence[Place]) -> Gangs:
        for name, found in self.minima.items():
            if len(set(found)) > 1:
                each = " or ".join(map(str, dict.fromkeys(found)))
                self.note(f"{name} has the minimum {each}: each pod writes its own, and the last one stays")
        return Gangs(tuple(self.groups.values()), tuple(places), tuple(self.notes), self.blocked)

    def note(self, text: str) -> None:
        self.notes.setdefault(text)

    def place(self, pod: JsonObject) -> Place:
        """What becomes of one pod; leaves the group that it makes, or changes, in groups."""
        name = names.name_of(pod)
        spec = pod.get("spec")
        scheduler = spec.get("schedulerName") if isinstance(spec, dict) else None
        annotations = names.texts_of(pod, "annotations")
        if scheduler and scheduler != SCHEDULER:
            return Place(name, "ignored", text=f"its scheduler is {scheduler}, not {SCHEDULER}")
        if annotations.get(SKIP) == "true":
            return Place(name, "ignored", text=f"the annotation {SKIP} says so")
        top = self.owners.top(pod)
        if top is None and GROUPED in annotations:
            return Place(name, "ignored", annotations[GROUPED], text="it has no owner, and is in a group already")
        try:
            return self._owned(pod, name, top)
        except Refusal as refusal:
            return Place(name, "refused", text=refusal.text, reason=refusal.reason)

    def _owned(self, pod: JsonObject, name: str, top: Top | None) -> Place:
        if top is None:
            return self._default(pod, name, pod, "it has no owner, so it is a group of its own")
        if top.elsewhere:
            return Place(name, "ignored", text=f"it belongs to another workload, {top.elsewhere}")
        if top.fault:
            raise Refusal("owner", top.fault)
        if top.assumed:
            kind = top.assumed.partition(" ")[0]
            self.note(f"a {kind} that owns pods is not among the objects given; it is taken to be this workload's")
        gvk = Gvk.of(top.obj)
        if top.above is not None and not is_native(gvk):
            text = f"KAI Scheduler steps over {Gvk.of(top.above)}, and asks no definition about {gvk} below it"
            return self._default(pod, name, _under(top.obj, top.above), text)
        if top.above is not None and top.obj is pod:
            text = f"KAI Scheduler steps over {Gvk.of(top.above)}, and groups its pods, no definition is asked"
            return Place(name, "default", text=text)
        reader = self.reader(top.obj)
        if isinstance(reader, Reader):
            if is_native(gvk):
                self.note(
                    f"KAI Scheduler has a grouper of its own for {gvk}, which takes no notice of definitions; "
                    "this is what it would make of the definition"
                )
            return self._grouped(pod, name, reader)
        if is_native(gvk):
            return Place(name, "default", text=f"KAI Scheduler groups {gvk} by itself, no definition is asked")
        if reader.several:
            text = f"{reader.several} definitions for {gvk} are usable, so none is used"
            return self._default(pod, name, top.obj, text)
        text = f"the pod grouper panics, no usable definition for {gvk}: {reader.why}"
        return Place(name, "crash", text=text, reason="no-definition")

    def _default(self, pod: JsonObject, name: str, owner: JsonObject, text: str) -> Place:
        group = f"pg-{names.name_of(owner)}-{names.uid_of(owner)}"
        self.write(PodGroup(group, 1, topology=of_annotations(owner)), pod, owner)
        return Place(name, "default", group, text=text)

    def _grouped(self, pod: JsonObject, name: str, reader: Reader) -> Place:
        group, sub_group = reader.group(pod)
        self.write(group, pod, reader.obj)
        for text in reader.differences:
            self.note(text)
        return Place(name, "grouped", group.name, sub_group)

    def write(self, group: PodGroup, pod: JsonObject, owner: JsonObject) -> None:
        """Made, or written over: the last pod's numbers stay, the queue is the first one's."""
        before = self.groups.get(group.name)
        labels = names.texts_of(owner, "labels"), names.texts_of(pod, "labels")
        queue = next((found[QUEUE] for found in labels if QUEUE in found), "default-queue")
        self.groups[group.name] = replace(group, queue=before.queue if before is not None else queue)
        if group.min_member is not None:
            self.minima.setdefault(group.name, []).append(group.min_member)

    def alone(self, obj: JsonObject) -> None:
        """The group of a workload that has no pods yet."""
        if steps_back(Gvk.of(obj)):
            self.note(f"KAI Scheduler steps over {Gvk.of(obj)}: what it owns decides, and no definition is asked")
            return
        reader = self.reader(obj)
        if isinstance(reader, Unused):
            if is_native(Gvk.of(obj)):
                self.note(f"KAI Scheduler groups {Gvk.of(obj)} by itself, no definition is asked")
            elif reader.several:
                self.note(f"{reader.several} definitions for {Gvk.of(obj)} are usable, so none is used")
            else:
                self.blocked = f"the pod grouper panics, no usable definition for {Gvk.of(obj)}: {reader.why}"
        elif reader.definition.gang is None or reader.definition.gang.pod_group is None:
            self.note(NO_PODS)
        else:
            try:
                self.write(reader.group(None)[0], {}, obj)
            except Refusal as refusal:
                self.blocked = refusal.text
            for text in reader.differences:
                self.note(text)

    def reader(self, obj: JsonObject) -> Reader | Unused:
        """How this owner's pods are grouped, or why no definition is used."""
        found = self._readers.get(id(obj))
        if found is None:
            found = self._readers[id(obj)] = choose(self.definitions, obj)
        return found


def _under(obj: JsonObject, above: JsonObject) -> JsonObject:
    """An owner with the labels and annotations of the one above it, which was stepped over, where it has none."""
    metadata = obj.get("metadata")
    metadata = dict(metadata) if isinstance(metadata, dict) else {}
    for part in ("labels", "annotations"):
        metadata[part] = {**names.texts_of(above, part), **names.texts_of(obj, part)}
    return {**obj, "metadata": metadata}
