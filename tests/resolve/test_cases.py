"""Definitions, objects and what is read there, one small file each; the names say which quirk or section it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from kartatest.definition.load import load
from kartatest.definition.model import Definition
from kartatest.report.tree_json import quantities
from kartatest.resolve.gangs import Gang, gangs
from kartatest.resolve.model import Instance, PodWarning, Tree
from kartatest.resolve.requests import pod_request
from kartatest.resolve.selectors import pod_name
from kartatest.resolve.totals import label, totals
from kartatest.resolve.tree import resolve
from kartatest.source import Source, dotted

CASES = sorted((Path(__file__).parent / "cases").glob("*.yaml"))
KEYS = {"root", "status", "children", "gang", "object", "pods", "owners", "expect"}


def definition_of(case: dict[str, Any]) -> Definition:
    """A definition around the case's parts: the root is `rig`, and children hang off it where they say nothing."""
    root = {"name": "rig", "statusDefinition": case.get("status", {"statusMappings": {}}), **case.get("root", {})}
    children = [{"ownerRef": "rig", **child} for child in case.get("children", ())]
    structure = {"rootComponent": root, "childComponents": children}
    gang = {"optimizationInstructions": {"gangScheduling": case["gang"]}} if "gang" in case else {}
    document = {
        "apiVersion": "run.ai/v1alpha1",
        "kind": "Karta",
        "metadata": {"name": "case"},
        "spec": {"structureDefinition": structure, **gang},
    }
    items = load(Source("case.yaml", yaml.safe_dump(document, sort_keys=False))).items
    assert len(items) == 1
    return items[0].definition


@pytest.mark.parametrize("file", CASES, ids=lambda f: f.stem)
def test_case(file: Path) -> None:
    case = yaml.safe_load(file.read_text("utf-8"))
    assert set(case) <= KEYS
    expect = case["expect"]
    tree = resolve(definition_of(case), case["object"], pods=case.get("pods", ()), owners=case.get("owners", ()))
    assert {key: _CHECKS[key](tree, wanted) for key, wanted in expect.items()} == expect
    shown = [f"{dotted(p.at[-2:])}: {p.message}" for p in tree.problems]
    assert len(shown) == len(expect.get("problems", [])), shown


def _rows(tree: Tree, wanted: dict[str, Any]) -> dict[str, Any]:
    found = {label(c, i): (c.bears_pods, i) for c in tree.walk() for i in c.instances}
    return {name: {key: _cell(*found[name], key) for key in cells} for name, cells in wanted.items()}


def _cell(bears_pods: bool, instance: Instance, key: str) -> Any:
    request = pod_request(instance.pod)
    scale, pod = instance.scale, instance.pod
    return {
        "bears_pods": lambda: bears_pods,
        "desired": lambda: instance.desired,
        "replicas": lambda: scale and scale.replicas,
        "minimum": lambda: scale and scale.minimum,
        "maximum": lambda: scale and scale.maximum,
        "missed": lambda: pod is not None and pod.missed,
        "template": lambda: pod and pod.template,
        "fragments": lambda: sorted((pod and pod.fragments) or ()),
        "requests": lambda: quantities(request.quantities),
        "request_problems": lambda: [p.split(" is no quantity")[0] + " is no quantity" for p in request.problems],
        "claims": lambda: [c.template or c.claim for c in request.claims],
        "pods": lambda: [pod_name(p) for p in instance.pods],
        "shares": lambda: {g.key: g.desired for g in instance.groups},
        "groups": lambda: {g.key: [pod_name(p) for p in g.pods] for g in instance.groups},
    }[key]()


def _totals(tree: Tree, wanted: dict[str, Any]) -> dict[str, Any]:
    sums = totals(tree)
    found = {
        "pods": sums.pods.desired,
        "current": sums.pods.current,
        "ready": sums.pods.ready,
        "desired": quantities(sums.desired),
        "current_requests": quantities(sums.current),
        "claims": sums.claims,
    }
    return {key: found[key] for key in wanted}


def _starts(found: list[str], wanted: list[str]) -> list[str]:
    """What was found, each cut to the length of what is wanted at its place."""
    return [text[: len(wanted[i])] if i < len(wanted) else text for i, text in enumerate(found)]


_CHECKS = {
    "statuses": lambda tree, _: [s.value for s in tree.statuses],
    "phase": lambda tree, _: tree.status.phase,
    "conditions": lambda tree, _: [[c.type, c.status, c.reason, c.message] for c in tree.status.conditions],
    "instances": lambda tree, wanted: {c.name: [i.id for i in c.instances] for c in tree.walk() if c.name in wanted},
    "rows": _rows,
    "totals": _totals,
    "problems": lambda tree, w: _starts([_problem(p.at, p.message) for p in tree.problems], w),
    "warnings": lambda tree, w: _starts(list(tree.warnings), w),
    "pod_warnings": lambda tree, _: sum(isinstance(w, PodWarning) for w in tree.warnings),
    "contested": lambda tree, _: {pod_name(c.pod): c.reason for c in tree.contested},
    "strays": lambda tree, _: {pod_name(s.pod): f"{s.cause}: {s.reason}" for s in tree.strays},
    "gangs": lambda tree, _: [_gang(gang) for gang in gangs(tree).gangs],
    "faults": lambda tree, _: list(gangs(tree).faults),
    "unassigned": lambda tree, _: [pod_name(p) for p in tree.unassigned],
}


def _gang(gang: Gang) -> dict[str, Any]:
    """What of a gang is worth telling: absent where it is as usual."""
    told = {
        "name": gang.label,
        "minimum": gang.minimum,
        "requests": quantities(gang.requests),
        "claims": gang.claims,
        "pods": [pod_name(pod) for pod in gang.pods],
        "count": gang.count,
        "parts": [_gang(part) for part in gang.parts],
        "fault": gang.fault,
    }
    usual: dict[str, Any] = {"requests": {}, "claims": 0, "pods": [], "count": 1, "parts": [], "fault": ""}
    return {key: value for key, value in told.items() if key not in usual or value != usual[key]}


def _problem(at: tuple[str | int, ...], message: str) -> str:
    last = dotted(at[-1:])
    return f"{dotted(at[-2:]) if last == 'path' else last}: {message}"
