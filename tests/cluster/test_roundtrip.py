"""Recordings through a server in memory: what it drops, fills in and refuses is told with its place."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from kartatest.cluster import excerpt
from kartatest.cluster.crds import open_crd
from kartatest.cluster.fake import FakeCluster
from kartatest.cluster.roundtrip import Outcome, Trip, kinds, through, unwritable
from kartatest.cluster.waits import CRD
from kartatest.definition.model import Gvk
from kartatest.recording.model import Frame, Recording

UID = "6d1f0a34-0000-4000-8000-000000000021"
THING = Gvk("example.test", "v1", "Thing")


def crd() -> dict[str, Any]:
    condition = {
        "type": "object",
        "required": ["type", "status", "lastTransitionTime", "message"],
        "properties": {
            "type": {"type": "string"},
            "status": {"type": "string"},
            "message": {"type": "string"},
            "lastTransitionTime": {"type": "string", "format": "date-time"},
        },
    }
    properties = {
        "spec": {
            "type": "object",
            "required": ["size"],
            "properties": {
                "size": {"type": "integer"},
                "policy": {"type": "string", "default": "Recreate"},
                "suspend": {"type": "boolean"},
            },
        },
        "status": {
            "type": "object",
            "properties": {
                "phase": {"type": "string", "enum": ["Up", "Down"]},
                "owner": {"type": "string"},
                "conditions": {"type": "array", "items": condition},
            },
        },
    }
    made = open_crd(THING)
    made["spec"]["versions"][0]["schema"] = {"openAPIV3Schema": {"type": "object", "properties": properties}}
    return made


@pytest.fixture
def cluster() -> FakeCluster:
    made = FakeCluster()
    made.create(crd())
    return made


def thing(status: dict[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
    metadata = {"name": "one", "namespace": "team", "uid": UID, "generation": 4, "resourceVersion": "77"}
    made = {"apiVersion": "example.test/v1", "kind": "Thing", "metadata": metadata, "spec": {"size": 1, **spec}}
    return made | ({"status": status} if status is not None else {})


def pod(**rest: Any) -> dict[str, Any]:
    owner = {"apiVersion": "example.test/v1", "kind": "Thing", "name": "one", "uid": UID, "controller": True}
    metadata = {"name": "one-0", "namespace": "team", "ownerReferences": [owner]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": []}, **rest}


def recorded(*frames: Frame) -> Recording:
    return Recording("flow.yaml", "thing", "operator", "v1", "flow", frames)


def trip(cluster: FakeCluster, *frames: Frame) -> Trip:
    before = {
        (obj["kind"], obj["metadata"]["name"]) for gvk in (THING, Gvk("", "v1", "Pod")) for obj in cluster.list(gvk)
    }
    made = through(cluster, recorded(*frames))
    after = {
        (obj["kind"], obj["metadata"]["name"]) for gvk in (THING, Gvk("", "v1", "Pod")) for obj in cluster.list(gvk)
    }
    assert before == after
    return made


def told(found: Trip) -> list[str]:
    return [str(finding) for finding in found.findings]


def test_what_fits_comes_back_as_it_was(cluster: FakeCluster) -> None:
    frames = [
        Frame(0, thing(policy="Recreate"), pods=(pod(),)),
        Frame(1, thing({"phase": "Up", "owner": UID}, policy="Recreate"), pods=(pod(status={"phase": "Running"}),)),
        Frame(2, thing({"phase": "Down"}, policy="Recreate", size=2)),
    ]
    found = trip(cluster, *frames)
    assert found.findings == ()
    assert found.recording == recorded(*frames)


def test_places_that_the_server_changes_are_told(cluster: FakeCluster) -> None:
    found = trip(cluster, Frame(0, thing({"phase": "Up", "started": 3}, other={"a": 1})))
    assert told(found) == [
        "frame 0, Thing one: spec.other is dropped (was {'a': 1})",
        "frame 0, Thing one: spec.policy is filled in with 'Recreate'",
        "frame 0, Thing one: status.started is dropped (was 3)",
    ]
    assert "other" not in found.recording.frames[0].obj["spec"]


def test_what_the_server_refuses_is_told_and_left_as_it_was(cluster: FakeCluster) -> None:
    frames = [Frame(0, thing({"phase": "Elsewhere"})), Frame(1, thing({"phase": "Up"}, policy="Recreate"))]
    found = trip(cluster, *frames)
    assert [(f.outcome, f.at, f.frame) for f in found.findings] == [(Outcome.REFUSED, ("status", "phase"), 0)]
    assert found.recording.frames[0].obj == frames[0].obj
    assert found.recording.frames[1].obj["status"] == {"phase": "Up"}


def test_times_and_messages_that_a_recording_leaves_out_are_put_there_for_the_server_alone(
    cluster: FakeCluster,
) -> None:
    short = {"type": "Ready", "status": "True"}
    long = {**short, "message": "it is", "lastTransitionTime": "2026-01-01T00:00:00Z"}
    frames = [Frame(i, thing({"conditions": [c]}, policy="Recreate")) for i, c in enumerate([short, long, short])]
    found = trip(cluster, *frames)
    assert found.findings == ()
    assert found.recording == recorded(*frames)


def test_owners_of_which_only_the_name_is_known_are_created(cluster: FakeCluster) -> None:
    reference = {"apiVersion": "example.test/v1", "kind": "Thing", "name": "one", "uid": UID}
    job = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "one-job", "uid": "job-1", "ownerReferences": [reference]},
    }
    nameless = {**pod(), "metadata": {"name": "p", "ownerReferences": [{"kind": "Job", "name": "one-job"}]}}
    frame = Frame(0, thing(policy="Recreate"), owners=(job,), pods=(nameless,))
    found = trip(cluster, frame)
    assert found.findings == ()
    assert found.recording == recorded(frame)


def test_uids_are_those_of_the_server_while_there(cluster: FakeCluster) -> None:
    seen: list[str] = []
    create = cluster.create

    def spy(obj: Any, **rest: Any) -> Any:
        made = create(obj, **rest)
        if obj["kind"] == "Pod":
            seen.append(obj["metadata"]["ownerReferences"][0]["uid"])
        if obj["kind"] == "Thing":
            seen.append(made["metadata"]["uid"])
        return made

    cluster.create = spy  # type: ignore[method-assign]
    trip(cluster, Frame(0, thing(policy="Recreate"), pods=(pod(),)))
    assert seen[0] == seen[1] != UID


def test_finalizers_do_not_hold_objects_back(cluster: FakeCluster) -> None:
    held = thing(policy="Recreate")
    held["metadata"]["finalizers"] = ["example.test/hold"]
    assert trip(cluster, Frame(0, held), Frame(1, {**held, "spec": {"size": 3, "policy": "x"}})).findings == ()


def test_a_status_that_went_is_gone(cluster: FakeCluster) -> None:
    frames = (Frame(0, thing({"phase": "Up"}, policy="x")), Frame(1, thing(policy="x")))
    assert trip(cluster, *frames).recording == recorded(*frames)


def test_edits_that_the_server_does_not_keep_are_told(cluster: FakeCluster) -> None:
    before = thing()
    kept = {**before, "spec": {**before["spec"], "suspend": True}}
    assert unwritable(cluster, before, kept) == ()
    dropped = {**before, "spec": {**before["spec"], "paused": True}}
    (finding,) = unwritable(cluster, before, dropped)
    assert (finding.outcome, finding.at) == (Outcome.DROPPED, ("spec", "paused"))
    refused = {**before, "spec": {**before["spec"], "suspend": "yes"}}
    (finding,) = unwritable(cluster, before, refused)
    assert (finding.outcome, finding.at) == (Outcome.REFUSED, ("spec", "suspend"))
    assert unwritable(cluster, {**before, "spec": {}}, refused) == ()
    assert list(cluster.list(THING)) == []


def test_kinds_are_told_once() -> None:
    frame = Frame(0, thing(), pods=(pod(), pod()))
    assert kinds(recorded(frame, dataclasses.replace(frame, index=1))) == (THING, Gvk("", "v1", "Pod"))


@pytest.mark.parametrize(
    ("field", "at"),
    [
        ("status.conditions[0].lastTransitionTime", ("status", "conditions", 0, "lastTransitionTime")),
        ("metadata.labels[a.b/c]", ("metadata", "labels", "a.b/c")),
        ("<nil>", ()),
        ("", ()),
    ],
)
def test_a_servers_words_for_a_place(field: str, at: tuple[str | int, ...]) -> None:
    assert excerpt.place(field) == at


def test_only_what_says_nothing_is_made_up() -> None:
    required = "Required value"
    assert excerpt.left_out([("status.startTime", required), ("<nil>", "not looked at")]).keys() == {
        ("status", "startTime")
    }
    assert excerpt.left_out([("status.conditions[1].reason", f"{required}: must be set")]).keys() == {
        ("status", "conditions", 1, "reason")
    }
    assert excerpt.left_out([("status.replicas", required)]) == {}
    assert excerpt.left_out([("status.startTime", required), ("spec.size", "Invalid value")]) == {}
    assert excerpt.left_out([("spec.message", required)]) == {}


def test_the_crd_goes_with_its_objects(cluster: FakeCluster) -> None:
    cluster.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team"}})
    cluster.create(thing())
    cluster.delete(CRD, "things.example.test")
    assert THING not in {resource.gvk for resource in cluster.resources()}
