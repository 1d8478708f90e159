"""Single facts that whole cases would hide: limits, queues, owners that are missing, names."""

from __future__ import annotations

from typing import Any

import pytest

from kartatest import definition_for
from kartatest.gang import groups
from kartatest.gang.model import UID
from kartatest.gang.names import fault_of_name, plain
from tests.gang.test_cases import definition_of, object_of, pods_of

ONE = {"children": [{"name": "hand"}], "gang": {"podGroup": {"name": "gang"}}, "object": {"hand": {"count": 2}}}
SQUADS = {
    "children": [
        {
            "name": "squad",
            "specDefinition": {"podTemplateSpecPath": ".spec.squads[].template"},
            "instanceIdPath": ".spec.squads[].name",
            "scaleDefinition": {"replicasPath": ".spec.squads[].size"},
            "podSelector": {
                "componentTypeSelector": {"keyPath": ".metadata.labels.squad"},
                "componentInstanceSelector": {"idPath": ".metadata.labels.squad"},
            },
        }
    ],
    "gang": {"podGroup": {"name": "gang"}},
    "pods": {"p": {"labels": {"squad": "s1"}}},
}


def _squads(count: int) -> dict[str, Any]:
    return {**SQUADS, "object": {"squads": [{"name": f"s{i}", "size": 1, "template": {}} for i in range(count)]}}


def _gangs(case: dict[str, Any], consumer: str | None = "kai", **more: Any) -> Any:
    return groups(definition_of(case), object_of(case), pods_of(case), consumer=consumer, **more)


@pytest.mark.parametrize(("count", "outcome"), [(999, "grouped"), (1000, "refused")])
def test_results_are_limited(count: int, outcome: str) -> None:
    (place,) = _gangs(_squads(count)).pods
    assert (place.outcome, place.reason) == (outcome, "" if outcome == "grouped" else "limit")
    (group,) = _gangs(_squads(count), None).groups
    assert group.min_member == count


@pytest.mark.parametrize(("count", "said"), [(8, False), (9, True)])
def test_many_kinds_of_pods(count: int, said: bool) -> None:
    notes = _gangs(_squads(count), None).notes
    wanted = f"the workload has {count} sets of equal pods, and Kueue takes 8, 10 since May 2026 and 18 since July 2026"
    assert [wanted] * said == list(notes)


def test_a_jobset_of_fifteen_jobs_is_more_than_a_queue_takes() -> None:
    template = {"spec": {"template": {"spec": {"containers": [{"name": "main"}]}}}}
    jobs = [{"name": f"job-{i}", "replicas": 1, "template": template} for i in range(15)]
    obj = {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "spec": {"replicatedJobs": jobs}}
    (note,) = groups(definition_for(obj), obj).notes
    assert note.startswith("the workload has 15 sets of equal pods, and Kueue takes 8")


def test_queue_is_the_owners_else_the_first_pods() -> None:
    case = {**ONE, "pods": {"a": {"role": "hand", "labels": {"kai.scheduler/queue": "first"}}, "b": "hand"}}
    assert [g.queue for g in _gangs(case).groups] == ["first"]
    assert [g.queue for g in _gangs({**case, "pods": {"b": "hand", **case["pods"]}}).groups] == ["default-queue"]  # type: ignore[dict-item]
    owned = {**case, "metadata": {"labels": {"kai.scheduler/queue": "owners"}}}
    assert [g.queue for g in _gangs(owned).groups] == ["owners"]
    assert [g.queue for g in _gangs(case, None).groups] == [None]


def test_an_owner_that_is_not_given_is_taken_for_the_workloads() -> None:
    reference = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "r", "uid": "ur", "controller": True}
    case = {**ONE, "pods": {"a": {"role": "hand", "owners": [reference]}}}
    gangs = _gangs(case)
    assert gangs.pods[0].group == "pg-u1-gang"
    assert gangs.notes == (
        "a ReplicaSet that owns pods is not among the objects given; it is taken to be this workload's",
    )
    alone = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": "r", "uid": "ur"}}
    (place,) = _gangs(case, owners=[alone]).pods
    assert (place.outcome, place.text) == (
        "default",
        "KAI Scheduler groups apps/v1 ReplicaSet by itself, no definition is asked",
    )


def test_owners_in_a_circle() -> None:
    references = [{"apiVersion": "demo.io/v1", "kind": "Half", "name": "h", "uid": "uh", "controller": True}]
    half = {
        "apiVersion": "demo.io/v1",
        "kind": "Half",
        "metadata": {"name": "h", "uid": "uh", "ownerReferences": references},
    }
    case = {**ONE, "pods": {"a": {"role": "hand", "owners": references}}}
    assert [(p.outcome, p.reason) for p in _gangs(case, owners=[half]).pods] == [("refused", "owner")]


def test_an_object_without_uid_has_groups_all_the_same() -> None:
    case = {**ONE, "pods": {}, "metadata": {"uid": None}}
    for consumer in (None, "kai"):
        assert [g.name for g in _gangs(case, consumer).groups] == [f"pg-{UID}-gang"]


def test_names_tell_groups_and_keys_apart() -> None:
    made = [
        plain("pg-1", group, keys)
        for group, keys in [
            ("a", ["b-c"]),
            ("a-b", ["c"]),
            ("a", ["b", "c"]),
            ("a", ["B", "c"]),
            ("a", ["b.c"]),
            ("a", ["b c"]),
            ("a", [""]),
            ("a", ["-"]),
            ("a", []),
            ("a", ["x" * 300]),
            ("a", ["x" * 301]),
            ("ä", ["ö" * 200]),
            *(("a", ["k" * 60, "l" * 60, "m" * 60, str(i)]) for i in range(3)),
        ]
    ]
    assert len(set(made)) == len(made)
    assert [name for name in made if fault_of_name(name)] == []
    assert made[2] == "pg-1-a.b.c"


@pytest.mark.parametrize(
    ("name", "legal"),
    [
        ("pg-1-a.b", True),
        ("pg-1-", False),
        ("pg-1-A", False),
        ("pg-1-a_b", False),
        ("pg..a", False),
        ("a" * 63, True),
        (".".join(["a" * 60] * 4), True),
        (".".join(["a" * 62] * 5), False),
        (f"pg-{UID}-a", True),
    ],
)
def test_names_that_an_api_server_takes(name: str, legal: bool) -> None:
    assert (fault_of_name(name) == "") is legal
