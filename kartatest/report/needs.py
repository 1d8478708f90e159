"""What a workload asks of a scheduler, for machines: its gangs, and the `needs` part of `describe` and `gang`.

Stable; more keys may come. Counts are integers, quantities Kubernetes strings, absent values null.
"""

from __future__ import annotations

from kartatest.report.tree_json import Data, claim_data, quantities
from kartatest.resolve.gangs import Gang, gangs
from kartatest.resolve.model import Component, Instance, Tree
from kartatest.resolve.pods import is_current, is_ready, name
from kartatest.resolve.quantity import display_order
from kartatest.resolve.requests import PodRequest, pod_request
from kartatest.resolve.totals import Totals, used
from kartatest.source import Json


def gangs_data(tree: Tree) -> list[Json]:
    """The gangs with the pods that are there."""
    return [{**_needed(gang), **_there(gang)} for gang in gangs(tree).gangs]


def needs_data(tree: Tree, sums: Totals) -> Data:
    """The largest pod, what each gang needs at once, and the total of all desired pods."""
    return {
        "largestPod": _largest(tree),
        "gangs": [_needed(gang) for gang in gangs(tree).gangs],
        "total": {
            "pods": sums.pods.desired,
            "requests": quantities(sums.desired),
            "claims": sums.claims,
            "uncertain": sums.uncertain,
        },
    }


def _needed(gang: Gang) -> Data:
    return {
        "name": gang.name,
        "keys": list(gang.keys),
        "count": gang.count,
        "minMember": gang.minimum,
        "requests": quantities(gang.requests),
        "claims": gang.claims,
        "subGroups": [
            {
                "name": part.name,
                "minMember": part.minimum,
                "requests": quantities(part.requests),
                "claims": part.claims,
                "problem": part.fault or None,
            }
            for part in gang.parts
        ],
        "problem": gang.fault or None,
    }


def _there(gang: Gang) -> Data:
    there = [pod for pod in gang.pods if is_current(pod)]
    subs = _needed(gang)["subGroups"]
    amounts, claims = used(there)
    return {
        "current": len(there),
        "ready": sum(map(is_ready, there)),
        "currentRequests": quantities(amounts),
        "currentClaims": claims,
        "pods": [name(pod) for pod in gang.pods],
        "subGroups": [{**sub, **_there(part)} for sub, part in zip(subs, gang.parts, strict=True)],
    }


def _largest(tree: Tree) -> Data | None:
    """The pod that asks for most of the desired ones: by accelerators, then CPU, memory and the rest by name."""
    found: list[tuple[Component, Instance, PodRequest]] = [
        (component, instance, pod_request(instance.pod))
        for component in tree.walk()
        if component.bears_pods
        for instance in component.instances
        if instance.desired > 0
    ]
    if not found:
        return None
    names = sorted({name for _, _, request in found for name in request.quantities}, key=display_order)
    component, instance, request = max(
        found, key=lambda one: tuple(one[2].quantities.get(resource, 0) for resource in names)
    )
    return {
        "name": component.name,
        "instance": instance.id if component.definition.instance_ids is not None else None,
        "requests": quantities(request.quantities),
        "claims": [claim_data(claim) for claim in request.claims],
    }
