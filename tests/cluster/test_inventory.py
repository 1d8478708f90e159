"""What `karta get` and `karta describe TYPE NAME` see: each workload once, each pod with the workload that owns it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from kartatest import catalog
from kartatest.cluster.fake import FakeCluster
from kartatest.cluster.inventory import POD, definitions_for, inventory, workload
from kartatest.cluster.model import ApiError
from kartatest.definition.model import Definition, Gvk
from kartatest.errors import NothingFoundError
from kartatest.report.inventory import cells, data
from kartatest.resolve.totals import totals
from kartatest.source import JsonObject

DEPLOYMENT = Gvk("apps", "v1", "Deployment")


def _definition(name: str) -> Definition:
    loaded = catalog.by_name(name)
    assert loaded is not None
    return loaded.definition


def _make(
    cluster: FakeCluster, api_version: str, kind: str, name: str, *, owner: JsonObject | None = None, **rest: Any
):
    metadata: dict[str, Any] = {"name": name, "namespace": rest.pop("namespace", "default")}
    metadata["labels"] = rest.pop("labels", {})
    if owner is not None:
        reference = {key: owner[key] for key in ("apiVersion", "kind")}
        reference |= {key: owner["metadata"][key] for key in ("name", "uid")}
        metadata["ownerReferences"] = [{**reference, "controller": True}]
    status = rest.pop("status", None)
    made = cluster.create({"apiVersion": api_version, "kind": kind, "metadata": metadata, **rest})
    return made if status is None else cluster.replace({**made, "status": status}, subresource="status")


READY = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
TEMPLATE = {
    "metadata": {"labels": {"app": "x"}},
    "spec": {"containers": [{"name": "c", "image": "i", "resources": {"limits": {"nvidia.com/gpu": 2}}}]},
}


def _deployment(cluster: FakeCluster, name: str, pods: int, namespace: str = "default") -> JsonObject:
    """A Deployment with its ReplicaSet and ready pods."""
    selector = {"matchLabels": {"app": "x"}}
    top = _make(
        cluster,
        "apps/v1",
        "Deployment",
        name,
        namespace=namespace,
        spec={"replicas": pods + 1, "selector": selector, "template": TEMPLATE},
    )
    middle = _make(
        cluster,
        "apps/v1",
        "ReplicaSet",
        f"{name}-1",
        owner=top,
        namespace=namespace,
        spec={"replicas": pods, "selector": selector, "template": TEMPLATE},
    )
    for i in range(pods):
        spec = TEMPLATE["spec"]
        _make(cluster, "v1", "Pod", f"{name}-1-{i}", owner=middle, namespace=namespace, spec=spec, status=READY)
    return top


@pytest.fixture
def cluster() -> FakeCluster:
    """Two Deployments alike, side by side, one elsewhere, a pod of nobody and a Job that a CronJob owns."""
    made = FakeCluster()
    made.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "other"}})
    _deployment(made, "a", 2)
    _deployment(made, "b", 3)
    _deployment(made, "c", 1, "other")
    _make(made, "v1", "Pod", "alone", spec=TEMPLATE["spec"], status=READY)
    return made


def _shown(cluster: FakeCluster, **options: Any) -> list[tuple[str, str, int, int]]:
    """Kind, name, ready pods, desired pods of each workload."""
    rows = []
    for found in inventory(cluster, **options).workloads:
        counts = totals(found.resolved()).pods
        rows.append((found.resource.gvk.kind, found.obj["metadata"]["name"], counts.ready, counts.desired))
    return rows


def test_each_workload_is_there_once_with_its_own_pods(cluster: FakeCluster) -> None:
    assert _shown(cluster) == [
        ("Deployment", "a", 2, 3),
        ("Deployment", "b", 3, 4),
        ("Pod", "alone", 1, 1),
        ("Deployment", "c", 1, 2),
    ]


def test_a_namespace_shows_nothing_of_another(cluster: FakeCluster) -> None:
    assert [row[:2] for row in _shown(cluster, namespace="other")] == [("Deployment", "c")]


def test_a_type_shows_objects_of_that_type_with_owned_ones(cluster: FakeCluster) -> None:
    pods = _shown(cluster, only=definitions_for("pods"), namespace="default")
    assert [name for _, name, _, _ in pods] == ["a-1-0", "a-1-1", "alone", "b-1-0", "b-1-1", "b-1-2"]
    assert {kind for kind, _, _, _ in _shown(cluster, only=definitions_for("deploy"))} == {"Deployment"}


def test_what_may_not_be_listed_is_a_note(cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    there = cluster.list

    def refuse(gvk: Gvk, *args: Any, **options: Any) -> Any:
        if gvk == DEPLOYMENT:
            raise ApiError("deployments is forbidden", code=403, reason="Forbidden")
        return there(gvk, *args, **options)

    monkeypatch.setattr(cluster, "list", refuse)
    found = inventory(cluster, namespace="default")
    # the Deployments cannot be seen, so their pods lead nowhere that is shown, and are shown themselves
    assert {w.resource.gvk.kind for w in found.workloads} == {"Pod"}
    assert found.notes == ("deployments are not shown: deployments is forbidden",)


def refusing(cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch, *kinds: str) -> None:
    there = cluster.list

    def refuse(gvk: Gvk, *args: Any, **options: Any) -> Any:
        if not kinds or gvk.kind in kinds:
            raise ApiError(f"{gvk.kind} is forbidden", code=403, reason="Forbidden")
        return there(gvk, *args, **options)

    monkeypatch.setattr(cluster, "list", refuse)


@pytest.mark.parametrize("kind", ["Pod", "ReplicaSet"])
def test_pods_that_cannot_be_seen_are_not_said_to_be_away(
    kind: str, cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """0 of 3 pods ready is a fact only when pods and what is between can be seen; elsewhere nothing is hidden."""
    refusing(cluster, monkeypatch, kind)
    found = [w for w in inventory(cluster, namespace="default").workloads if w.resource.gvk == DEPLOYMENT]
    assert [cells(w, datetime.now(UTC))[4] for w in found] == ["0?/3", "0?/4"]
    assert [data(w, datetime.now(UTC))["unseen"] for w in found] == [True, True]
    one, notes = workload(cluster, definitions_for("deploy"), "a", "default")
    assert one.unseen
    assert notes[-1] == "Deployment a may have more pods, which cannot be seen"


def test_what_is_whole_has_nothing_unseen(cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    refusing(cluster, monkeypatch, "CronJob")
    assert not any(w.unseen for w in inventory(cluster).workloads)


@pytest.mark.parametrize("only", ["", "deploy"])
def test_nothing_that_may_be_listed_is_a_refusal(
    only: str, cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That there is no workload is not known then."""
    refusing(cluster, monkeypatch)
    with pytest.raises(ApiError, match="is forbidden"):
        inventory(cluster, only=definitions_for(only) if only else ())


def test_another_failure_is_no_note(cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(gvk: Gvk, *args: Any, **options: Any) -> Any:
        raise ApiError("the server is away", code=503)

    monkeypatch.setattr(cluster, "list", fail)
    with pytest.raises(ApiError, match="away"):
        inventory(cluster)


def test_one_workload_has_only_its_pods(cluster: FakeCluster) -> None:
    found, notes = workload(cluster, [_definition("apps-deployment-v1")], "b", "default")
    assert notes == []
    assert [pod["metadata"]["name"] for pod in found.pods] == ["b-1-0", "b-1-1", "b-1-2"]
    assert [owner["kind"] for owner in found.owners] == ["ReplicaSet"]
    assert totals(found.resolved()).pods.ready == 3


def test_a_pod_is_its_own_pod(cluster: FakeCluster) -> None:
    found, _ = workload(cluster, [_definition("core-pod-v1")], "alone", "default")
    assert totals(found.resolved()).pods.ready == 1
    assert found.type == "pods"


def test_what_is_not_there_says_where_it_was_looked_for(cluster: FakeCluster) -> None:
    with pytest.raises(NothingFoundError, match="no Deployment 'nope' in the namespace 'default'"):
        workload(cluster, [_definition("apps-deployment-v1")], "nope", "default")
    with pytest.raises(NothingFoundError, match="does not serve"):
        workload(cluster, [_definition("ray-io-raycluster-v1")], "nope", "default")
    with pytest.raises(NothingFoundError, match="near are"):
        definitions_for("deploymant")


def test_each_kind_is_asked_for_once_and_only_where_a_reference_leads(
    cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Gvk] = []
    there = cluster.list

    def listed(gvk: Gvk, *args: Any, **options: Any) -> Any:
        asked.append(gvk)
        return there(gvk, *args, **options)

    monkeypatch.setattr(cluster, "list", listed)
    workload(cluster, [_definition("apps-deployment-v1")], "b", "default")
    assert asked == [POD, Gvk("apps", "v1", "ReplicaSet"), DEPLOYMENT]
