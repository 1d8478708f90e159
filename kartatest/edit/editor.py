"""Several edits of one object, one after another: each gives an Editor of its own, so a refused one leaves nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kartatest.definition.model import Definition
from kartatest.edit.model import Change, Edited, PodPatch, Word
from kartatest.edit.target import fitting
from kartatest.edit.values import changes, fresh
from kartatest.source import JsonObject
from kartatest.value import value

Entries = Mapping[str, str | Word]
"""Labels or annotations by key; CLEAR takes one out."""

Amounts = Mapping[str, str | int | Word]
"""Kubernetes quantities by resource name; CLEAR takes one out."""


@value
class Editor:
    """An object on its way: before is a copy of what was given, obj the object as it is now.

    Every method gives another Editor and leaves this one and the given object as they are. Each raises EditError with
    all that stands against it, and nothing is changed then. component names the one that is meant, else all of them
    are; instances are ids, an unknown one is an error (Q25). CLEAR as a value takes a field out.
    """

    definition: Definition
    before: JsonObject
    obj: JsonObject
    notes: tuple[str, ...] = ()

    @property
    def changes(self) -> tuple[Change, ...]:
        """Where the object differs from the one that was given, in its order; () when nothing does."""
        return tuple(changes(self.before, self.obj))

    def set_scheduler_name(
        self, name: str | Word, *, component: str | None = None, instances: Sequence[str] | None = None
    ) -> Editor:
        """The pods' `schedulerName`."""
        return self.set_pods(PodPatch(scheduler_name=name), component=component, instances=instances)

    def set_priority_class(
        self, name: str | Word, *, component: str | None = None, instances: Sequence[str] | None = None
    ) -> Editor:
        """The pods' `priorityClassName`."""
        return self.set_pods(PodPatch(priority_class=name), component=component, instances=instances)

    def set_labels(
        self, labels: Entries, *, component: str | None = None, instances: Sequence[str] | None = None
    ) -> Editor:
        """Labels of the pods, beside those that are there."""
        return self.set_pods(PodPatch(labels=labels), component=component, instances=instances)

    def set_annotations(
        self, annotations: Entries, *, component: str | None = None, instances: Sequence[str] | None = None
    ) -> Editor:
        """Annotations of the pods, beside those that are there."""
        return self.set_pods(PodPatch(annotations=annotations), component=component, instances=instances)

    def set_image(
        self,
        image: str,
        *,
        container: str = "",
        component: str | None = None,
        instances: Sequence[str] | None = None,
    ) -> Editor:
        """The image of the container named; "" is the only one there is."""
        patch = PodPatch(image=image, container=container)
        return self.set_pods(patch, component=component, instances=instances)

    def set_resources(
        self,
        *,
        requests: Amounts | None = None,
        limits: Amounts | None = None,
        container: str = "",
        component: str | None = None,
        instances: Sequence[str] | None = None,
    ) -> Editor:
        """Requests and limits of the container named, beside those that are there; "" is the only one there is."""
        patch = PodPatch(requests=requests, limits=limits, container=container)
        return self.set_pods(patch, component=component, instances=instances)

    def set_affinity(
        self,
        *,
        node: JsonObject | Word | None = None,
        pod: JsonObject | Word | None = None,
        component: str | None = None,
        instances: Sequence[str] | None = None,
    ) -> Editor:
        """The pods' `nodeAffinity` and `podAffinity`; None leaves one alone."""
        return self.set_pods(PodPatch(node_affinity=node, pod_affinity=pod), component=component, instances=instances)

    def patch_pods(
        self, template: JsonObject, *, component: str | None = None, instances: Sequence[str] | None = None
    ) -> Editor:
        """A patch in the form of a PodTemplateSpec: maps merge, containers by name, all else is replaced."""
        return self.set_pods(PodPatch(template=template), component=component, instances=instances)

    def set_pods(
        self, patch: PodPatch, *, component: str | None = None, instances: Sequence[str] | None = None
    ) -> Editor:
        """Several fields at once, all or nothing."""
        from kartatest.edit.pods import set_pods

        return self._then(set_pods(self.definition, self.obj, patch, component=component, instances=instances))

    def suspend(self, *, component: str | None = None) -> Editor:
        """As the definition's suspend actions leave it."""
        from kartatest.edit.actions import suspend

        return self._then(suspend(self.definition, self.obj, component=component))

    def resume(
        self, *, component: str | None = None, before: JsonObject | Sequence[JsonObject] | None = None
    ) -> Editor:
        """As the resume actions leave it, or as it was: before is the object before it was suspended.

        Of several states, oldest first, the last one that was not suspended counts. Raises NothingFoundError when none
        of them is the same object, not suspended.
        """
        from kartatest.edit.actions import resume
        from kartatest.edit.history import before_suspending

        if before is not None and not isinstance(before, Mapping):
            before = before_suspending(self.definition, self.obj, before, component=component)
        return self._then(resume(self.definition, self.obj, component=component, before=before))

    def _then(self, edited: Edited) -> Editor:
        notes = tuple(dict.fromkeys((*self.notes, *edited.notes)))
        return Editor(self.definition, self.before, edited.obj, notes)


def editor(definition: Definition, obj: JsonObject) -> Editor:
    """An Editor for a copy of the object. Raises EditError for an object of another kind than the definition's."""
    notes = fitting(definition, obj)
    return Editor(definition, fresh(obj), fresh(obj), notes)
