"""Laws about live pods: each is in one place, whatever the order; what a pod says of itself."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kartatest import catalog
from kartatest.gang import groups
from kartatest.recording.find import load_file
from kartatest.report.needs import gangs_data, needs_data
from kartatest.report.tree_json import tree_data
from kartatest.resolve import pods as of_pods
from kartatest.resolve.gangs import gangs
from kartatest.resolve.model import Tree
from kartatest.resolve.totals import states, totals
from kartatest.resolve.tree import resolve
from tests.resolve.test_cases import definition_of

ROOT = Path(__file__).parents[2]
ROLES = ("leader", "worker", "odd", "rest")
RIG = {"kind": {"group": "demo.io", "version": "v1", "kind": "Rig"}}
DEFINITION = definition_of(
    {
        "root": RIG,
        "children": [
            {
                "name": "group",
                "scaleDefinition": {"replicasPath": ".spec.groups"},
                "podSelector": {"replicaSelector": {"keyPath": ".metadata.labels.index"}},
            },
            {
                "name": "leader",
                "ownerRef": "group",
                "specDefinition": {"podTemplateSpecPath": ".spec.template"},
                "podSelector": {"componentTypeSelector": {"keyPath": ".metadata.labels.role", "value": "leader"}},
            },
            {
                "name": "worker",
                "ownerRef": "group",
                "instanceIdPath": ".spec.sets[]",
                "specDefinition": {"podTemplateSpecPath": ".spec.sets[] as $s | .spec.template"},
                "podSelector": {
                    "componentTypeSelector": {"keyPath": ".metadata.labels.role", "value": "worker"},
                    "componentInstanceSelector": {"idPath": ".metadata.labels.set"},
                },
            },
            {
                "name": "odd",
                "specDefinition": {"podTemplateSpecPath": ".spec.template"},
                "podSelector": {"componentTypeSelector": {"keyPath": ".metadata.labels.set", "value": "odd"}},
            },
            {"name": "rest", "specDefinition": {"podTemplateSpecPath": ".spec.template"}},
        ],
    }
)


def _rig(name: str) -> dict[str, Any]:
    spec = {"groups": 2, "sets": ["x", "y"], "template": {}}
    return {"apiVersion": "demo.io/v1", "kind": "Rig", "metadata": {"name": name, "uid": f"rig-{name}"}, "spec": spec}


def _ref(kind: str, name: str, *, controller: bool = True) -> dict[str, Any]:
    api = {"Rig": "demo.io/v1", "Pod": "v1"}.get(kind, "batch/v1")
    return {"apiVersion": api, "kind": kind, "name": name, "uid": f"{kind.lower()}-{name}", "controller": controller}


def _job(name: str, owner: dict[str, Any], labels: dict[str, str]) -> dict[str, Any]:
    metadata = {"name": name, "uid": f"job-{name}", "ownerReferences": [owner]}
    spec = {"template": {"metadata": {"labels": labels}}}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": spec}


OWNERS = [
    _job("a-0", _ref("Rig", "a"), {"role": "leader", "rig": "a"}),
    _job("a-1", _ref("Job", "a-0"), {"role": "worker", "set": "x"}),
    _job("b-0", _ref("Rig", "b"), {"rig": "b"}),
    _job("deep", _ref("Pod", "p0"), {}),
]
labels = st.fixed_dictionaries(
    {},
    optional={
        "role": st.sampled_from(["leader", "worker", "other"]),
        "set": st.sampled_from(["x", "y", "odd", "none"]),
        "index": st.sampled_from(["0", "1"]),
        "rig": st.sampled_from(["a", "b", "c"]),
    },
)
references = st.lists(
    st.sampled_from(
        [_ref("Rig", "a"), _ref("Rig", "b"), _ref("Rig", "c"), _ref("Pod", "p0"), _ref("Pod", "p99")]
        + [_ref("Job", name) for name in ("a-0", "a-1", "b-0", "deep", "gone", "a-gone")]
        + [_ref("Set", name) for name in ("a-set", "b-set", "other", "a")]
    ),
    max_size=2,
)
statuses = st.fixed_dictionaries(
    {},
    optional={
        "phase": st.sampled_from(["Pending", "Running", "Succeeded", "Failed", "Unknown", "Odd", None]),
        "conditions": st.just([{"type": "Ready", "status": "True"}]),
    },
)
metadata = st.fixed_dictionaries(
    {"labels": labels, "ownerReferences": references}, optional={"deletionTimestamp": st.just("2026-01-01T00:00:00Z")}
)


def _named(made: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {**pod, "metadata": {"name": f"p{i}", "uid": f"pod-p{i}", **pod["metadata"]}, "kind": "Pod", "apiVersion": "v1"}
        for i, pod in enumerate(made)
    ]


live = st.lists(st.fixed_dictionaries({"metadata": metadata, "status": statuses}), min_size=1, max_size=9).map(_named)
given_owners = st.sets(st.sampled_from(range(len(OWNERS)))).map(lambda chosen: [OWNERS[i] for i in sorted(chosen)])


def _places(tree: Tree) -> dict[str, Any]:
    """Where each pod is, and what is said of it."""
    found: dict[str, Any] = {}
    for component in tree.walk():
        for instance in component.instances:
            for pod in instance.pods:
                assert of_pods.name(pod) not in found
                found[of_pods.name(pod)] = (component.name, instance.id)
    for stray in tree.strays:
        assert of_pods.name(stray.pod) not in found
        found[of_pods.name(stray.pod)] = (stray.cause, stray.reason)
    contested = {(of_pods.name(one.pod), one.reason) for one in tree.contested}
    assert {name for name, _ in contested} <= {
        of_pods.name(p) for c in tree.walk() for i in c.instances for p in i.pods
    }
    return {"places": found, "contested": contested}


@given(live, given_owners, st.booleans(), st.randoms(use_true_random=False))
def test_each_pod_is_in_one_place_whatever_the_order(pods: Any, owners: Any, beside: bool, chance: Any) -> None:
    owners = [*owners, _rig("b")] if beside else owners
    found = _places(resolve(DEFINITION, _rig("a"), pods=pods, owners=owners))
    assert set(found["places"]) == {pod["metadata"]["name"] for pod in pods}
    others, around = list(pods), list(owners)
    chance.shuffle(others)
    chance.shuffle(around)
    assert _places(resolve(DEFINITION, _rig("a"), pods=others, owners=around)) == found


@given(live, given_owners)
def test_no_pod_is_counted_for_two_workloads_side_by_side(pods: Any, owners: Any) -> None:
    owned = {pod["metadata"]["name"] for pod in pods if pod["metadata"]["ownerReferences"]}
    taken = []
    for own, other in (("a", "b"), ("b", "a")):
        tree = resolve(DEFINITION, _rig(own), pods=pods, owners=[*owners, _rig(other)])
        taken.append({of_pods.name(p) for c in tree.walk() for i in c.instances for p in i.pods})
    assert not taken[0] & taken[1] & owned


@given(live, given_owners)
def test_counts_agree_with_each_other(pods: Any, owners: Any) -> None:
    tree = resolve(DEFINITION, _rig("a"), pods=pods, owners=owners)
    placed = [pod for c in tree.walk() for i in c.instances for pod in i.pods]
    sums = totals(tree).pods
    found = states(placed)
    assert sum(found.phases.values()) == len(placed)
    assert sums.ready <= sums.current <= len(placed)
    current = [p for p in placed if (p["status"].get("phase") or "Pending") in ("Pending", "Running")]
    assert sums.current == sum("deletionTimestamp" not in p["metadata"] for p in current)
    for component in tree.walk():
        for instance in component.instances:
            grouped = [pod for group in instance.groups for pod in group.pods]
            assert len({id(pod) for pod in grouped}) == len(grouped)
            if component.bears_pods:
                assert {id(pod) for pod in grouped} <= {id(pod) for pod in instance.pods}
    (group,) = [c for c in tree.walk() if c.name == "group"]
    below = [pod for c in group.children for i in c.instances for g in i.groups for pod in g.pods]
    assert {id(p) for g in group.instances[0].groups for p in g.pods} == {id(pod) for pod in below}
    data = tree_data(tree)
    assert [entry["name"] for entry in data["unassigned"]] == [of_pods.name(s.pod) for s in tree.strays]
    assert data["gangs"] == gangs_data(tree) == []
    assert needs_data(tree, totals(tree))["total"]["pods"] == sums.desired


RECORDINGS = sorted((ROOT / "fixtures").glob("*/*.yaml"))


@pytest.mark.parametrize("file", RECORDINGS, ids=lambda f: f"{f.parent.name}-{f.stem}")
def test_gangs_are_the_groups_of_the_definition(file: Path) -> None:
    """What describe calls a gang, and what karta gang makes of it, have one minimum wherever pods show both."""
    for recording in load_file(file).recordings:
        loaded = catalog.by_name(recording.definition)
        if loaded is None:
            continue
        for frame in recording.frames:
            tree = resolve(loaded.definition, frame.obj, pods=frame.pods, owners=frame.owners)
            made = groups(loaded.definition, frame.obj, frame.pods, owners=frame.owners).groups
            found = [gang for gang in gangs(tree).gangs if gang.pods and not gang.fault]
            needs = [
                g.min_member if g.min_member is not None else sum(s.min_member for s in g.sub_groups) for g in made
            ]
            missing = [gang.label for gang in found if gang.minimum not in needs]
            assert not missing, (frame.index, missing, needs)


@pytest.mark.parametrize("file", RECORDINGS, ids=lambda f: f"{f.parent.name}-{f.stem}")
def test_pods_alone_are_told_apart_as_with_their_owners(file: Path) -> None:
    """Labels, and the names that controllers make, tell in real recordings what owners tell, neighbours' pods too."""
    for recording in load_file(file).recordings:
        loaded = catalog.by_name(recording.definition)
        for frame in recording.frames if loaded is not None else ():
            assert loaded is not None
            trees = [resolve(loaded.definition, frame.obj, pods=frame.pods, owners=o) for o in (frame.owners, ())]
            taken = [
                [(c.name, i.id, list(map(of_pods.name, i.pods))) for c in t.walk() for i in c.instances] for t in trees
            ]
            assert taken[0] == taken[1], frame.index


SAID = Path(__file__).parent / "said-by-pods.yaml"
"""Pods, and what each says of itself."""


@pytest.mark.parametrize(
    "case", yaml.safe_load(SAID.read_text("utf-8")), ids=lambda case: f"{case['phase']}-{case['reason']}"
)
def test_what_a_pod_says_of_itself(case: dict[str, Any]) -> None:
    pod = case.pop("pod")
    found = {"phase": of_pods.phase(pod), "current": of_pods.is_current(pod), "reason": of_pods.reason(pod)}
    assert found == case


def test_states_are_counted_in_the_order_of_a_pods_life() -> None:
    pods = [{"status": {"phase": phase}, "spec": {"nodeName": node}} for phase, node in
            (("Failed", "n3"), ("Running", "n2"), ("Pending", ""), ("Running", "n1"), ("Unknown", "n4"))]  # fmt: skip
    found = states(pods)
    assert list(found.phases.items()) == [("Pending", 1), ("Running", 2), ("Failed", 1), ("Unknown", 1)]
    assert found.nodes == ("n1", "n2")
    assert all(a <= b for a, b in pairwise(found.nodes))
