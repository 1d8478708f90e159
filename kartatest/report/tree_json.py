"""A Tree as plain data for machines: the form of `karta describe -o json`.

Stable; more keys may come. Counts are integers, quantities Kubernetes strings, absent values null.
"""

from __future__ import annotations

from collections.abc import Sequence

from kartatest.resolve.model import Component, Condition, Contested, Instance, Problem, ReplicaGroup, Tree
from kartatest.resolve.pods import is_current, is_deleting, is_ready, name, node, phase, reason
from kartatest.resolve.quantity import display_order, to_text
from kartatest.resolve.requests import Claim, PodRequest, pod_request
from kartatest.resolve.totals import Counts, States, add, asked, counts, live_request, pod_counts, states, totals, used
from kartatest.source import Json, JsonObject, dotted

Data = dict[str, Json]


def tree_data(tree: Tree, definition: str = "") -> Data:
    """The whole tree.

    components: the root where it bears pods itself, then its children. A component with instances has one entry per
    instance, in evaluation order; its children hang in that entry if it is the only one, else in an entry of their own
    with the instance null, so that each component is there once. totals.desired is what the object asks for,
    totals.current what its unfinished pods ask for; where they are uncertain, something they depend on was not read.
    """
    from kartatest.report.needs import gangs_data, needs_data

    sums = totals(tree)
    return {
        "apiVersion": tree.gvk.api_version,
        "kind": tree.gvk.kind,
        "name": tree.name,
        "namespace": tree.namespace,
        "definition": definition,
        "statuses": [s.value for s in tree.statuses],
        "phase": tree.status.phase,
        "conditions": [_condition(c) for c in tree.status.conditions],
        "components": [
            *(_entries(tree.root, [s.value for s in tree.statuses], nested=False) if tree.root.bears_pods else ()),
            *(entry for child in tree.root.children for entry in _entries(child, [])),
        ],
        "totals": {
            "pods": _counts(sums.pods),
            "desired": quantities(sums.desired),
            "current": quantities(sums.current),
            "claims": sums.claims,
            "currentClaims": sums.current_claims,
            "uncertain": sums.uncertain,
            "unread": list(sums.unread),
        },
        "problems": [_problem(p) for p in (*tree.status.problems, *_root_problems(tree))],
        "warnings": [str(warning) for warning in tree.warnings],
        "unassigned": [{"name": name(s.pod), "cause": s.cause, "reason": s.reason} for s in tree.strays],
        "contested": [_contested(tree, one) for one in tree.contested],
        "gangs": gangs_data(tree),
        "needs": needs_data(tree, sums),
    }


def _contested(tree: Tree, one: Contested) -> Data:
    component = tree.component(one.component)
    named = component is not None and component.definition.instance_ids is not None
    return {
        "name": name(one.pod),
        "component": one.component,
        "instance": one.instance if named else None,
        "reason": one.reason,
    }


def _root_problems(tree: Tree) -> tuple[Problem, ...]:
    """Problems of a root that has no entry of its own."""
    return () if tree.root.bears_pods else tree.root.problems


def _entries(component: Component, statuses: list[str], *, nested: bool = True) -> list[Data]:
    children = [entry for child in component.children for entry in _entries(child, [])] if nested else []
    problems = [_problem(p) for p in component.problems]
    entries = [_entry(component, instance, statuses) for instance in component.instances]
    if len(entries) != 1 and (children or not entries):
        entries.insert(0, _entry(component, None, statuses))
    for entry in entries[:1]:
        entry["children"] = children
        entry["below"] = None if component.bears_pods else _below(component)
        entry["problems"] = problems + entry["problems"]
    return entries


def _entry(component: Component, instance: Instance | None, statuses: list[str]) -> Data:
    request = pod_request(instance.pod) if instance is not None else PodRequest({})
    found = counts(component, (instance,) if instance is not None else ())
    pods = instance.pods if instance is not None else ()
    total: dict[str, Json] = {}
    if component.bears_pods:
        add(total, request.quantities, max(found.desired, 0))
    return {
        "name": component.name,
        "instance": instance.id if instance is not None and component.definition.instance_ids is not None else None,
        "kind": component.definition.kind.kind if component.definition.kind is not None else None,
        "statuses": statuses,
        "replicas": _counts(found),
        "scale": _scale(instance),
        "bearsPods": component.bears_pods,
        "missed": instance is not None and instance.pod is not None and instance.pod.missed,
        "requests": quantities(request.quantities),
        "total": quantities(total),
        "current": quantities(used(pods)[0]),
        "claims": [claim_data(c) for c in request.claims],
        "below": None,
        **_states(states(pods)),
        "pods": _pods(pods),
        "groups": [_group(g) for g in instance.groups] if instance is not None else [],
        "problems": [{"path": "", "message": p} for p in request.problems],
        "children": [],
    }


def quantities(amounts: JsonObject) -> dict[str, str]:
    """Kubernetes strings, accelerators first, then CPU, memory and the rest."""
    return {name: to_text(name, amounts[name]) for name in sorted(amounts, key=display_order)}


def _counts(found: Counts) -> Data:
    return {"desired": found.desired, "current": found.current, "ready": found.ready}


def _scale(instance: Instance | None) -> Data | None:
    if instance is None or instance.scale is None:
        return None
    return {"replicas": instance.scale.replicas, "min": instance.scale.minimum, "max": instance.scale.maximum}


def _states(found: States) -> Data:
    return {
        "phases": dict(found.phases),
        "deleting": found.deleting,
        "nodes": list(found.nodes),
        "reasons": dict(found.reasons),
    }


def _below(component: Component) -> Data:
    """Sums of all below a component without pods of its own."""
    every = [instance for each in component.walk() if each.bears_pods for instance in each.instances]
    pods = [pod for instance in every for pod in instance.pods]
    return {
        "pods": _counts(pod_counts(component)),
        "desired": quantities(asked((instance, instance.desired) for instance in every)[0]),
        "current": quantities(used(pods)[0]),
        **_states(states(pods)),
    }


def _group(group: ReplicaGroup) -> Data:
    there = [pod for pod in group.pods if is_current(pod)]
    ready = sum(map(is_ready, there))
    return {
        "key": group.key,
        "replicas": {"desired": group.desired, "current": len(there), "ready": ready},
        "ready": ready,
        **_states(states(group.pods)),
        "pods": [name(pod) for pod in group.pods],
    }


def claim_data(claim: Claim) -> Data:
    """One device claim."""
    return {"name": claim.name, "template": claim.template or None, "claim": claim.claim or None}


def _condition(condition: Condition) -> Data:
    return {
        "type": condition.type,
        "status": condition.status,
        "reason": condition.reason,
        "message": condition.message,
    }


def _problem(problem: Problem) -> Data:
    return {"path": dotted(problem.at), "message": problem.message}


def _pods(pods: Sequence[JsonObject]) -> list[Data]:
    asked_for: dict[int, tuple[PodRequest, dict[str, str]]] = {}
    shown = []
    for pod in pods:
        request = live_request(pod)
        if id(request) not in asked_for:
            asked_for[id(request)] = request, quantities(request.quantities)
        shown.append(_pod(pod, asked_for[id(request)][1]))
    return shown


def _pod(pod: JsonObject, requests: dict[str, str]) -> Data:
    return {
        "name": name(pod),
        "phase": phase(pod),
        "current": is_current(pod),
        "ready": is_ready(pod),
        "deleting": is_deleting(pod),
        "node": node(pod) or None,
        "reason": reason(pod) or None,
        "requests": requests,
    }
