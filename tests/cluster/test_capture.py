"""Whose a pod is, what stands between it and the object, and what a watch does when nothing more comes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from kartatest.cluster.capture import Moment, watching
from kartatest.cluster.fake import FakeCluster
from kartatest.cluster.kinds import named
from kartatest.cluster.model import ApiError, Event
from kartatest.cluster.scenario import Reference
from kartatest.definition.model import Gvk
from kartatest.errors import ClusterError
from kartatest.source import JsonObject
from tests.cluster.controller import DEPLOYMENT, POD, owner

STATEFUL_SET = Gvk("apps", "v1", "StatefulSet")


@pytest.fixture
def cluster() -> FakeCluster:
    return FakeCluster()


def made(cluster: FakeCluster, gvk: Gvk, name: str, above: JsonObject | None = None) -> JsonObject:
    metadata: dict[str, Any] = {"name": name, "namespace": "default"}
    if above is not None:
        metadata["ownerReferences"] = owner(above)
    return cluster.create({"apiVersion": gvk.api_version, "kind": gvk.kind, "metadata": metadata, "spec": {}})


def last(moments: Iterator[Moment | None]) -> Moment:
    """What there is once nothing changes any more."""
    found = None
    while (moment := next(moments)) is not None:
        found = moment
    assert found is not None
    return found


def moments(watch: Any) -> Iterator[Moment | None]:
    while True:
        yield watch.next(0.5)


def test_a_pod_may_hang_off_a_pod_that_is_gone(cluster: FakeCluster) -> None:
    """As the workers of a LeaderWorkerSet do while their group is made anew: the chain stays whole."""
    top = made(cluster, DEPLOYMENT, "top")
    leader = made(cluster, POD, "leader", made(cluster, STATEFUL_SET, "leaders", top))
    made(cluster, POD, "worker", made(cluster, STATEFUL_SET, "workers", leader))
    made(cluster, POD, "stranger", made(cluster, STATEFUL_SET, "other"))
    with watching(cluster, Reference(DEPLOYMENT, "top", "default")) as watch:
        seen = last(moments(watch))
        assert [pod["metadata"]["name"] for pod in seen.pods] == ["leader", "worker"]
        assert {one["metadata"]["name"] for one in seen.owners} == {"leaders", "workers"}
        cluster.delete(POD, "leader", "default")
        seen = last(moments(watch))
        assert [pod["metadata"]["name"] for pod in seen.pods] == ["worker"]
        assert {one["metadata"]["name"] for one in seen.owners} == {"leaders", "workers", "leader"}


def test_pods_that_come_before_the_object_are_its_own_all_the_same(cluster: FakeCluster) -> None:
    with watching(cluster, Reference(DEPLOYMENT, "top", "default")) as watch:
        assert watch.next(0.2) is None
        top = made(cluster, DEPLOYMENT, "top")
        made(cluster, POD, "pod", made(cluster, STATEFUL_SET, "set", top))
        assert [pod["metadata"]["name"] for pod in last(moments(watch)).pods] == ["pod"]
        assert [pod["metadata"]["name"] for pod in watch.own_pods()] == ["pod"]


def test_a_refusal_ends_the_watch_with_its_reason(cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_args: object, **_given: object) -> Iterator[Event]:
        raise ApiError("pods is forbidden", code=403, reason="Forbidden")

    monkeypatch.setattr(cluster, "watch", refused)
    with watching(cluster, Reference(DEPLOYMENT, "top", "default")) as watch:
        assert watch.next(5) is None
        assert watch.lost == "pods is forbidden"


def test_an_unknown_kind_is_told_at_once(cluster: FakeCluster) -> None:
    with (
        pytest.raises(ClusterError, match="serves no"),
        watching(cluster, Reference(Gvk("demo.io", "v1", "Rig"), "x", "default")),
    ):
        pass


@pytest.mark.parametrize(
    "word", ["deployment", "deployments", "deploy", "Deployment", "deploy.apps", "deployments.apps"]
)
def test_kinds_by_kubectls_words(word: str, cluster: FakeCluster) -> None:
    assert named(cluster, word).gvk == DEPLOYMENT


def test_a_word_that_means_nothing(cluster: FakeCluster) -> None:
    with pytest.raises(ClusterError, match="serves no kind 'rocket'"):
        named(cluster, "rocket")
