"""Scenarios run, and what they show is recorded, here in the fake cluster with a controller of ours."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest

from kartatest.cluster.fake import FakeCluster
from kartatest.cluster.play import Played, play
from kartatest.cluster.scenario import load, load_file
from kartatest.definition.model import Gvk
from kartatest.errors import ClusterError
from kartatest.recording.load import load as load_recordings
from kartatest.recording.mask import mask
from kartatest.recording.write import text
from kartatest.source import Source
from tests.cluster.controller import become, running

CASES = Path(__file__).parent / "scenarios"
HEAD = """
definition: apps-deployment-v1
operator: kubernetes
versions: [v1]
when:
  Running: .status.availableReplicas == .spec.replicas
  Degraded: (.status.availableReplicas // 0) < .spec.replicas
steps:
- apply: {resource: {apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 1}}}
  through: [Initializing]
  expect: Running
"""


@pytest.fixture
def cluster() -> Iterator[FakeCluster]:
    found = FakeCluster()
    with running(found):
        yield found


def played(cluster: FakeCluster, steps: str = "") -> Played:
    loaded = load(Source("x.yaml", HEAD + steps))
    assert loaded.scenario is not None, loaded.diagnostics
    return play(cluster, loaded.scenario, version="v1", become=become)


def test_a_scenario_becomes_a_recording(cluster: FakeCluster) -> None:
    scenario = load_file(CASES / "good.yaml", name="good.yaml").scenario
    assert scenario is not None
    told: list[str] = []
    done = play(
        cluster, scenario, version="v1", become=become, unmarked=["lab/secret-word"], source="a test", told=told.append
    )
    assert done.faults == ()
    made = done.recording
    assert made is not None
    assert (made.definition, made.operator, made.version, made.name) == (
        "apps-deployment-v1", "kubernetes", "v1", "v1-good",
    )  # fmt: skip
    assert made.want == "Running"
    written = text(made)
    assert load_recordings(Source("v1-good.yaml", written)).recordings == (made,)
    assert mask(made) == made
    assert "SECRET" not in written
    assert "lab/secret-word" not in written
    words = [word for word, _ in groupby(word for frame in made.frames for word in frame.expected or ())]
    assert words == ["Initializing", "Running", "Degraded", "Running", "Degraded", "Running"]
    assert [frame.note for frame in made.frames if frame.note] == ["starts", "a pod is lost"]
    assert sum(line.startswith("step ") for line in told) == 7
    frames = [line for line in told if line.startswith("  frame ")]
    assert all(line.endswith(" 1 pod") or (line.endswith(" pods") and not line.endswith(" 1 pods")) for line in frames)
    last = made.frames[-1]
    assert sorted(pod["metadata"]["generateName"] for pod in last.pods) == ["other-1-", *["web-1-"] * 4]
    kinds = {f"{owner['kind']} {owner['metadata']['name']}" for owner in last.owners}
    assert kinds == {"ReplicaSet web-1", "ReplicaSet other-1", "Deployment other"}
    assert not any("status" in owner for owner in last.owners)


@pytest.mark.parametrize(
    ("steps", "fault"),
    [
        (
            "- wait: {}\n  timeout: 1s\n  expect: {status: Completed, when: .status.done}",
            "step 2 (wait): Completed was not reached within 1 s, it is Running",
        ),
        (
            "- scale: {replicas: 2}\n  timeout: 2s\n  through: [{status: Failed, when: .no, must: true}]\n"
            "  expect: Running",
            "step 2 (scale): Failed was never seen on the way",
        ),
        (
            "- pods: {become: failed, count: 2}\n  timeout: 1s",
            "step 2 (pods): not done within 1 s: there are 1 such pods",
        ),
        (
            "- assert: {resource: {spec: {replicas: 3}}}\n  name: three\n  timeout: 1s",
            "step 2 (three): not done within 1 s: .spec.replicas is 1, not 3",
        ),
        ("- delete: {ref: {name: another}}", "step 2 (delete): there is no Deployment another to delete"),
        (
            "- patch: {resource: {apiVersion: v1, kind: Pod, metadata: {name: x}, spec: {}}}",
            "step 2 (patch): pods 'x' not found",
        ),
    ],
    ids=["late", "missing", "pods", "assert", "delete", "patch"],
)
def test_what_is_not_as_expected_is_told(cluster: FakeCluster, steps: str, fault: str) -> None:
    done = played(cluster, steps)
    assert done.faults == (fault,)
    assert done.recording is not None
    assert cluster.get(Gvk("", "v1", "Namespace"), "deployment-x") is None


def test_a_predicate_that_fails_is_told(cluster: FakeCluster) -> None:
    done = played(cluster, "- scale: {replicas: 2}\n  expect: {status: Running, when: .status + 1}\n  timeout: 1s")
    assert len(done.faults) == 2
    assert done.faults[0] == "step 2 (scale): it reads Running, but '.status + 1' did not come to hold within 1 s"
    assert done.faults[1].startswith("what tells Running apart fails: ")


def test_frames_of_which_nobody_said_anything_are_told(cluster: FakeCluster) -> None:
    loaded = load(Source("x.yaml", HEAD.replace("  through: [Initializing]\n", "")))
    assert loaded.scenario is not None
    done = play(cluster, loaded.scenario, version="v1", become=become)
    assert done.faults
    assert done.faults[0].startswith("nothing says what frames 0")


def test_nothing_is_done_in_a_namespace_that_is_there(cluster: FakeCluster) -> None:
    cluster.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "deployment-x"}})
    with pytest.raises(ClusterError, match="deployment-x exists already"):
        played(cluster)


def test_a_deleted_object_ends_the_recording(cluster: FakeCluster) -> None:
    done = played(cluster, "- delete: {}")
    assert done.faults == ()
    assert done.recording is not None
    assert done.recording.want == "Running"
