"""What happens to a pod is written to its status as a kubelet would write it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from kartatest.cluster.become import HOLD, POD, become, status
from kartatest.cluster.fake import FakeCluster
from kartatest.definition.scenarios import BECOME
from kartatest.errors import ClusterError

NOW = "2026-01-02T03:04:05Z"
WORDS = [word for word in BECOME if word != "deleted"]


def pod(**status: Any) -> dict[str, Any]:
    containers = [{"name": "main", "image": "a"}, {"name": "side", "image": "b"}]
    init = [{"name": "load", "image": "c"}, {"name": "proxy", "image": "d", "restartPolicy": "Always"}]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p", "namespace": "default"},
        "spec": {"nodeName": "node-0", "containers": containers, "initContainers": init},
        "status": status,
    }


def ready(seen: Mapping[str, Any]) -> str:
    return next(c["status"] for c in seen["conditions"] if c["type"] == "Ready")


def states(seen: Mapping[str, Any]) -> list[Any]:
    return [next(iter(c["state"].items())) for c in seen["containerStatuses"]]


@pytest.mark.parametrize(
    ("what", "phase", "reason", "code"),
    [
        ("succeeded", "Succeeded", "Completed", 0),
        ("failed", "Failed", "Error", 1),
        ("out-of-memory", "Failed", "OOMKilled", 137),
        ("evicted", "Failed", "Error", 137),
    ],
)
def test_an_end(what: str, phase: str, reason: str, code: int) -> None:
    seen = status(pod(phase="Running"), what, "", None, NOW)
    assert seen["phase"] == phase
    assert ready(seen) == "False"
    for kind, state in states(seen):
        assert kind == "terminated"
        assert (state["reason"], state["exitCode"], state["finishedAt"]) == (reason, code, NOW)
    assert (seen.get("reason") == "Evicted") == (what == "evicted")


def test_a_held_pod_that_runs_has_an_address_so_that_services_lead_to_it() -> None:
    seen = status(pod(phase="Pending"), "running", "", None, NOW)
    assert seen["podIPs"] == [{"ip": seen["podIP"]}]
    assert seen["podIP"].startswith("10.64.")
    assert "podIP" not in status(pod(phase="Running", podIP="10.0.0.1"), "running", "", None, NOW)
    assert "podIP" not in status(pod(phase="Pending"), "failed", "", None, NOW)


def test_the_scenario_says_reason_and_code() -> None:
    seen = status(pod(phase="Running"), "failed", "StartError", 128, NOW)
    assert [(state["reason"], state["exitCode"]) for _, state in states(seen)] == [("StartError", 128)] * 2


def test_crashing_counts_restarts_and_keeps_the_last_end() -> None:
    before = {"name": "main", "restartCount": 2, "state": {"running": {"startedAt": "2026-01-01T00:00:00Z"}}}
    seen = status(pod(phase="Running", containerStatuses=[before]), "crashing", "", 3, NOW)
    main, side = seen["containerStatuses"]
    assert (main["restartCount"], side["restartCount"]) == (3, 1)
    assert main["state"]["waiting"]["reason"] == "CrashLoopBackOff"
    assert main["lastState"]["terminated"]["exitCode"] == 3
    assert main["lastState"]["terminated"]["startedAt"] == "2026-01-01T00:00:00Z"
    assert seen["phase"] == "Running"
    assert ready(seen) == "False"


def test_readiness_comes_and_goes_and_other_conditions_stay() -> None:
    gate = {"type": "example.com/gate", "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z"}
    lost = status(pod(phase="Running", conditions=[gate]), "unready", "", None, NOW)
    assert gate in lost["conditions"]
    assert ready(lost) == "False"
    assert [c["ready"] for c in lost["containerStatuses"]] == [False, False]
    back = status(pod(**lost), "ready", "", None, "2026-01-02T03:05:00Z")
    assert ready(back) == "True"
    since = {c["type"]: c["lastTransitionTime"] for c in back["conditions"]}
    assert since["Ready"] == "2026-01-02T03:05:00Z"
    assert since["Initialized"] == NOW  # it did not change


def test_unschedulable_is_pending_without_containers() -> None:
    seen = status(pod(phase="Pending"), "unschedulable", "", None, NOW)
    (only,) = seen["conditions"]
    assert (only["type"], only["status"], only["reason"]) == ("PodScheduled", "False", "Unschedulable")
    assert seen["containerStatuses"] is None


@pytest.mark.parametrize("what", WORDS)
def test_init_containers_have_run_and_sidecars_go_with_the_pod(what: str) -> None:
    seen = status(pod(phase="Running"), what, "", None, NOW)
    if what == "unschedulable":
        return
    load, proxy = seen["initContainerStatuses"]
    assert load["state"]["terminated"]["exitCode"] == 0
    assert ("running" in proxy["state"]) == (seen["phase"] == "Running")


@pytest.mark.parametrize("what", WORDS)
def test_any_pod_can_become_anything(what: str) -> None:
    cluster = FakeCluster()
    made = cluster.create(pod())
    cluster.patch(POD, "p", "default", {"status": {"phase": "Running", "podIP": "10.0.0.1"}}, subresource="status")
    become(cluster, made, what)
    found = cluster.get(POD, "p", "default")
    assert found is not None
    assert found["status"]["phase"] == status(pod(), what, "", None, NOW)["phase"]


def test_a_pod_that_is_held_need_not_have_started() -> None:
    cluster = FakeCluster()
    held = pod(phase="Pending")
    held["metadata"]["annotations"] = {HOLD: "true"}
    become(cluster, cluster.create(held), "failed")
    found = cluster.get(POD, "p", "default")
    assert found is not None
    assert found["status"]["phase"] == "Failed"


def test_a_pod_that_is_gone_and_a_word_that_means_nothing_are_told() -> None:
    cluster = FakeCluster()
    with pytest.raises(ClusterError, match="pod p is gone and cannot become failed"):
        become(cluster, pod(), "failed")
    with pytest.raises(ClusterError, match="a pod cannot become 'dead'"):
        become(cluster, pod(), "dead")
