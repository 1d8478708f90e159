"""Pods and requests of a component, and of the whole workload.

A written count means pods of that component over the whole workload (it is not multiplied by its owner's count), so
each pod-bearing component is added once. A component that only groups shows its written count and adds no pods.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from fractions import Fraction

from kartatest.resolve.model import Component, Instance, Quantities, Tree
from kartatest.resolve.pods import PHASES, is_current, is_deleting, is_ready, node, phase, reason
from kartatest.resolve.requests import PodRequest, pod_request, spec_request
from kartatest.source import JsonObject, dotted
from kartatest.value import value

_SPEC, _SCALE, _IDS = ("specDefinition",), ("scaleDefinition",), ("instanceIdPath",)


@value
class Counts:
    """Pods asked for, pods there, pods ready. For a component that only groups, desired is its written count.

    current: pods that are Pending or Running and not being deleted; ready: those of them that are ready.
    """

    desired: int = 0
    current: int = 0
    ready: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.desired + other.desired, self.current + other.current, self.ready + other.ready)


@value
class Totals:
    """Sums over the workload. desired: requests as written; current: requests of its current pods.

    claims: device claims that the desired pods need, a shared one once; current_claims: those that current pods name.
    problems: why a sum may be too small.
    unread: the definition's fields that say how many pods there are and what they ask for, and that could not be read,
    as "worker scaleDefinition.replicasPath"; the sums then hold what goes without them.
    """

    pods: Counts = Counts()
    desired: Quantities = field(default_factory=dict)
    current: Quantities = field(default_factory=dict)
    claims: int = 0
    problems: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    current_claims: int = 0

    @property
    def uncertain(self) -> bool:
        """Whether the sums may be other than what the object asks for."""
        return bool(self.problems or self.unread)


def counts(component: Component, instances: Iterable[Instance] | None = None) -> Counts:
    """Counts of the component, or of some of its instances. A grouping one without a scale counts 0."""
    found = Counts()
    for instance in component.instances if instances is None else instances:
        desired = instance.desired if component.bears_pods or instance.scale is not None else 0
        found += _counted(desired, instance)
    return found


def _counted(desired: int, instance: Instance) -> Counts:
    if not instance.pods:
        return Counts(desired)
    there = [pod for pod in instance.pods if is_current(pod)]
    return Counts(desired, len(there), sum(map(is_ready, there)))


@value
class States:
    """How pods are doing, those that do not count as current among them.

    phases: phase to number of pods, in the order of a pod's life; deleting: how many of them are being deleted.
    nodes: where the current ones run, sorted. reasons: why pods are not ready, to how many, the most frequent first.
    """

    phases: Mapping[str, int] = field(default_factory=dict)
    deleting: int = 0
    nodes: tuple[str, ...] = ()
    reasons: Mapping[str, int] = field(default_factory=dict)


def states(pods: Iterable[JsonObject]) -> States:
    """How these pods are doing."""
    phases: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    nodes: set[str] = set()
    deleting = 0
    for pod in pods:
        phases[phase(pod)] += 1
        deleting += is_deleting(pod)
        if is_current(pod):
            nodes.add(node(pod))
        if word := reason(pod):
            reasons[word] += 1
    ordered = {word: phases[word] for word in PHASES if phases[word]}
    return States(ordered, deleting, tuple(sorted(nodes - {""})), dict(sorted(reasons.items(), key=_often)))


def _often(entry: tuple[str, int]) -> tuple[int, str]:
    return -entry[1], entry[0]


def totals(tree: Tree) -> Totals:
    """Sums over every pod-bearing component, the root among them. A negative count adds nothing."""
    problems: list[str] = []
    unread: dict[str, None] = {}
    bearers = [component for component in tree.walk() if component.bears_pods]
    for component in bearers:
        unread |= dict.fromkeys(_unread(component))
        for instance in component.instances:
            problems += [f"{label(component, instance)}: {p}" for p in pod_request(instance.pod).problems]
    instances = [instance for component in bearers for instance in component.instances]
    desired, claims = asked((instance, instance.desired) for instance in instances)
    current, current_claims = used(pod for instance in instances for pod in instance.pods)
    pods = pod_counts(tree.root)
    return Totals(pods, desired, current, claims, tuple(problems), tuple(unread), current_claims)


def asked(pods: Iterable[tuple[Instance, int]]) -> tuple[dict[str, Fraction], int]:
    """What so many pods of each instance ask for together: resources, and device claims, a shared one once."""
    amounts: dict[str, Fraction] = {}
    claims = _Claims()
    for instance, count in pods:
        request = pod_request(instance.pod)
        add(amounts, request.quantities, max(count, 0))
        claims.add(request, max(count, 0))
    return amounts, claims.count


def used(pods: Iterable[JsonObject]) -> tuple[dict[str, Fraction], int]:
    """As `asked`, of live pods, those that are current."""
    alike: dict[int, list[PodRequest]] = {}
    for pod in pods:
        if is_current(pod):
            request = live_request(pod)
            alike.setdefault(id(request), []).append(request)
    amounts: dict[str, Fraction] = {}
    claims = _Claims()
    for requests in alike.values():
        add(amounts, requests[0].quantities, len(requests))
        claims.add(requests[0], len(requests))
    return amounts, claims.count


class _Claims:
    """Counts device claims: one per pod for a template, one in all for a claim that exists."""

    def __init__(self) -> None:
        self._own = 0
        self._shared: set[str] = set()

    def add(self, request: PodRequest, pods: int) -> None:
        if pods:
            self._own += pods * sum(1 for claim in request.claims if claim.template)
            self._shared |= {claim.claim for claim in request.claims if claim.claim}

    @property
    def count(self) -> int:
        return self._own + len(self._shared)


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
                found += _counted(max(instance.desired, 0), instance)
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
