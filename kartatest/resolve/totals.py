"""Pods and requests of a component, and of the whole workload.

A written count means pods of that component over the whole workload (it is not multiplied by its owner's count), so
each pod-bearing component is added once. A component that only groups shows its written count and adds no pods.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from fractions import Fraction

from kartatest.resolve.model import Component, Instance, Quantities, Tree
from kartatest.resolve.requests import PodRequest, pod_request, spec_request
from kartatest.source import JsonObject, dotted
from kartatest.value import value

_SPEC, _SCALE, _IDS = ("specDefinition",), ("scaleDefinition",), ("instanceIdPath",)


@value
class Counts:
    """Pods asked for, pods there, pods ready. For a component that only groups, desired is its written count."""

    desired: int = 0
    current: int = 0
    ready: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.desired + other.desired, self.current + other.current, self.ready + other.ready)


@value
class Totals:
    """Sums over the workload. desired: requests as written; current: requests of its live, unfinished pods.

    claims: device claims that the desired pods need, a shared one once. problems: why a sum may be too small.
    unread: the definition's fields that say how many pods there are and what they ask for, and that could not be read,
    as "worker scaleDefinition.replicasPath"; the sums then hold what goes without them.
    """

    pods: Counts = Counts()
    desired: Quantities = field(default_factory=dict)
    current: Quantities = field(default_factory=dict)
    claims: int = 0
    problems: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def uncertain(self) -> bool:
        """Whether the sums may be other than what the object asks for."""
        return bool(self.problems or self.unread)


def counts(component: Component, instances: Iterable[Instance] | None = None) -> Counts:
    """Counts of the component, or of some of its instances. A grouping one without a scale counts 0."""
    found = Counts()
    for instance in component.instances if instances is None else instances:
        desired = instance.desired if component.bears_pods or instance.scale is not None else 0
        found += Counts(desired, len(instance.pods), sum(is_ready(pod) for pod in instance.pods))
    return found


def totals(tree: Tree) -> Totals:
    """Sums over every pod-bearing component, the root among them. A negative count adds nothing."""
    desired: dict[str, Fraction] = {}
    current: dict[str, Fraction] = {}
    problems: list[str] = []
    unread: dict[str, None] = {}
    own_claims = 0
    shared: set[str] = set()
    for component in tree.walk():
        if not component.bears_pods:
            continue
        unread |= dict.fromkeys(_unread(component))
        for instance in component.instances:
            count = max(instance.desired, 0)
            request = pod_request(instance.pod)
            add(desired, request.quantities, count)
            problems += [f"{label(component, instance)}: {p}" for p in request.problems]
            if count:
                own_claims += count * sum(1 for c in request.claims if c.template)
                shared |= {c.claim for c in request.claims if c.claim}
            for pod in instance.pods:
                if not is_finished(pod):
                    add(current, live_request(pod).quantities, 1)
    return Totals(pod_counts(tree.root), desired, current, own_claims + len(shared), tuple(problems), tuple(unread))


def _unread(component: Component) -> Iterator[str]:
    """The fields of a component with problems, but for those that no sum depends on."""
    for problem in component.problems:
        field_ = problem.at[len(component.definition.at) :]
        if field_[:1] in (_SPEC, _SCALE, _IDS) and field_[-1] not in ("metadataPath", "maxReplicasPath"):
            yield f"{component.name} {dotted(field_)}"


def pod_counts(root: Component) -> Counts:
    """Pods of all pod-bearing components from this one down. A negative count adds nothing."""
    found = Counts()
    for component in root.walk():
        if component.bears_pods:
            for instance in component.instances:
                ready = sum(is_ready(pod) for pod in instance.pods)
                found += Counts(max(instance.desired, 0), len(instance.pods), ready)
    return found


def label(component: Component, instance: Instance) -> str:
    """Name for people and keys: "driver", "workers[a]"."""
    return f"{component.name}[{instance.id}]" if component.definition.instance_ids is not None else component.name


def add(total: dict[str, Fraction], request: Quantities, times: int) -> None:
    """Adds the request so many times to the total."""
    for name, amount in request.items():
        total[name] = total.get(name, Fraction(0)) + amount * times


def live_request(pod: JsonObject) -> PodRequest:
    """The request of a live pod."""
    return spec_request(pod.get("spec"))


def is_ready(pod: JsonObject) -> bool:
    """Whether the pod's Ready condition is True."""
    conditions = _status(pod).get("conditions")
    return isinstance(conditions, list) and any(
        isinstance(c, dict) and c.get("type") == "Ready" and c.get("status") == "True" for c in conditions
    )


def is_finished(pod: JsonObject) -> bool:
    """Whether the pod has ended, so that it holds no resources any more."""
    return _status(pod).get("phase") in ("Succeeded", "Failed")


def _status(pod: JsonObject) -> JsonObject:
    status = pod.get("status")
    return status if isinstance(status, dict) else {}
