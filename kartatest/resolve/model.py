"""What the resolver finds in one object. Raw values stay raw: nothing is dropped, integers stay exact."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from fractions import Fraction
from typing import Literal

from kartatest.definition.model import ComponentDef, Definition, Gvk, Status
from kartatest.source import DocPath, Json, JsonObject
from kartatest.value import value

Quantities = Mapping[str, Fraction]
"""Resource name to amount in base units: CPU in cores, memory in bytes, devices in pieces. Exact."""


@value
class Problem:
    """Why a part could not be read: the definition's field it came from, and the reason in the user's words."""

    at: DocPath
    message: str


@value
class Scale:
    """Counts as written, at the component's level over the whole workload. None is unset, 0 is zero (Q34)."""

    replicas: int | None = None
    minimum: int | None = None
    maximum: int | None = None

    @property
    def desired(self) -> int:
        """replicas, else minimum, else 1 (semantics 8.4, Q59)."""
        if self.replicas is not None:
            return self.replicas
        return self.minimum if self.minimum is not None else 1


@value
class PodShape:
    """The pod as written in the object, raw. A sound definition gives one of template, spec, fragments.

    Where a broken definition gives several, template counts before spec and spec before fragments (semantics 8.5).
    fragments: the fragment's field name ("containersPath") to its raw value, only those that are not null.
    missed: the template's or spec's path gave null, so there is no pod spec where one is meant to be (Q14). Fragments
    never count as missed: an operator may fill all of them by itself.
    """

    template: JsonObject | None = None
    spec: JsonObject | None = None
    metadata: JsonObject | None = None
    fragments: Mapping[str, Json] | None = None
    missed: bool = False


@value
class ReplicaGroup:
    """Live pods that share a replica key.

    desired: how many pods a replica has by the counts as written; None where they do not tell.
    """

    key: str
    pods: tuple[JsonObject, ...]
    desired: int | None = None


@value
class Instance:
    """One entry of a component. id is "" for a component without instanceIdPath.

    pods: the live pods that are this instance's, as given, in the order given; each pod is in one instance only.
    groups: the same pods by replica key, keys in the order of their first pods; () without a replicaSelector (Q28).
    A pod whose key cannot be read is in no group. A component without pods of its own that states a replicaSelector has
    groups too: the pods of all below it by that key.
    """

    id: str
    scale: Scale | None = None
    pod: PodShape | None = None
    pods: tuple[JsonObject, ...] = ()
    groups: tuple[ReplicaGroup, ...] = ()

    @property
    def requests(self) -> Quantities | None:
        """Effective request of one pod, None when there is no pod shape. Worked out at each call (semantics 8.5)."""
        from kartatest.resolve.requests import pod_request

        return pod_request(self.pod).quantities if self.pod is not None else None

    @property
    def desired(self) -> int:
        """What this instance asks for: its scale's desired count, 1 without a scale.

        0 where neither a pod spec nor a count is written: a role that the object leaves out has no pods.
        """
        scale = self.scale
        if scale is None or (scale.replicas is None and scale.minimum is None):
            return 0 if self.pod is not None and self.pod.missed else 1
        return scale.desired


@value
class Component:
    """A part of the workload as found. instances are in evaluation order (Q21), children in the file's order.

    children hang off the component, once, whatever the number of its instances (Q29).
    results: per kind of value ("ids", "template", "scale", ...) how many outputs were found.
    """

    definition: ComponentDef
    instances: tuple[Instance, ...]
    children: tuple[Component, ...] = ()
    problems: tuple[Problem, ...] = ()
    results: Mapping[str, int] | None = None

    @property
    def name(self) -> str:
        """The component's name in the definition."""
        return self.definition.name

    @property
    def bears_pods(self) -> bool:
        """Whether pods hang off it; an empty `fragmentedPodSpecDefinition` counts as absent (Q15)."""
        spec = self.definition.spec
        return spec is not None and spec.shows_pods

    def walk(self) -> Iterator[Component]:
        """This component, then everything below it, in order."""
        yield self
        for child in self.children:
            yield from child.walk()


@value
class Condition:
    """One condition of the object, read by the definition's field names; absent or non-text parts are ""."""

    type: str
    status: str = ""
    reason: str = ""
    message: str = ""


@value
class StatusResult:
    """statuses in the fixed order; (Status.UNDEFINED,) when nothing matched; () when none are defined or it failed.

    phase is None where no phase is defined or found. problems says why it failed (Q06).
    """

    statuses: tuple[Status, ...] = ()
    phase: str | None = None
    conditions: tuple[Condition, ...] = ()
    problems: tuple[Problem, ...] = ()


class PodWarning(str):
    """A sentence about one live pod: it is nobody's, or several would take it, or its replica key cannot be read."""

    __slots__ = ()


class PodPlace(PodWarning):
    """A sentence about where a live pod is counted; a tree's strays and contested pods say the same as data."""

    __slots__ = ()


class ForeignPod(PodPlace):
    """A sentence about a live pod that owner references show to be another workload's."""

    __slots__ = ()


@value
class Stray:
    """A live pod that is no component's, and why, in a sentence.

    cause: "elsewhere", it is another workload's; "owner", its owners do not lead to this one; "role", it is of this
    workload, and of none of its components.
    """

    pod: JsonObject
    reason: str
    cause: Literal["elsewhere", "owner", "role"] = "role"


@value
class Contested:
    """A live pod that is counted for one instance of a component, and what speaks for another, in a sentence."""

    pod: JsonObject
    component: str
    instance: str
    reason: str


@value
class Tree:
    """All that the resolver found in one object. root holds the root's own instances and, as children, the rest.

    strays: given pods that are no component's, in the order given, and why; contested: those that more than one thing
    claims, counted where they are. warnings are sentences for people; those
    about one pod are of the kind PodWarning. definition is the one that read the object.
    """

    gvk: Gvk
    name: str
    namespace: str
    status: StatusResult
    root: Component
    warnings: tuple[str, ...] = ()
    strays: tuple[Stray, ...] = ()
    contested: tuple[Contested, ...] = ()
    definition: Definition | None = field(default=None, compare=False, repr=False)

    @property
    def unassigned(self) -> tuple[JsonObject, ...]:
        """The pods of strays."""
        return tuple([stray.pod for stray in self.strays])

    @property
    def statuses(self) -> tuple[Status, ...]:
        """The statuses that hold, in the fixed order."""
        return self.status.statuses

    def walk(self) -> Iterator[Component]:
        """Every component, the root first."""
        return self.root.walk()

    def component(self, name: str) -> Component | None:
        """The first component of that name."""
        return next((c for c in self.walk() if c.name == name), None)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All problems: those of the status, then each component's in tree order."""
        return (*self.status.problems, *(p for c in self.walk() for p in c.problems))
