"""A controller for the fake: a Deployment's pods, as many as asked for, and what its status says of them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from kartatest.cluster.fake import FakeCluster
from kartatest.cluster.model import Cluster
from kartatest.definition.model import Gvk
from kartatest.source import JsonObject

DEPLOYMENT = Gvk("apps", "v1", "Deployment")
REPLICA_SET = Gvk("apps", "v1", "ReplicaSet")
POD = Gvk("", "v1", "Pod")


def owner(obj: JsonObject) -> list[dict[str, Any]]:
    named = {key: obj["metadata"][key] for key in ("name", "uid")}
    return [{"apiVersion": obj["apiVersion"], "kind": obj["kind"], "controller": True, **named}]


def become(cluster: Cluster, pod: JsonObject, what: str, reason: str, exit_code: int | None) -> None:
    status: dict[str, Any] = {"phase": what.capitalize()} | ({"reason": reason} if reason else {})
    if exit_code is not None:
        status["containerStatuses"] = [{"name": "main", "state": {"terminated": {"exitCode": exit_code}}}]
    metadata = pod["metadata"]
    cluster.patch(POD, metadata["name"], metadata["namespace"], {"status": status}, subresource="status")


def _reconcile(cluster: FakeCluster, deployment: JsonObject) -> None:
    name, namespace = deployment["metadata"]["name"], deployment["metadata"]["namespace"]
    sets = cluster.get(REPLICA_SET, f"{name}-1", namespace) or cluster.create(
        {
            "apiVersion": "apps/v1",
            "kind": "ReplicaSet",
            "metadata": {"name": f"{name}-1", "namespace": namespace, "ownerReferences": owner(deployment)},
            "spec": {"replicas": deployment["spec"]["replicas"]},
            "status": {"replicas": 7},
        }
    )
    mine = [p for p in cluster.list(POD, namespace) if p["metadata"]["ownerReferences"] == owner(sets)]
    live = [pod for pod in mine if (pod.get("status") or {}).get("phase") != "Failed"]
    for pod in live:
        if "status" not in pod:
            become(cluster, pod, "running", "", None)
    available = [pod for pod in live if "status" in pod]
    status: dict[str, Any] = {
        "replicas": len(live),
        "availableReplicas": len(available),
        "conditions": [{"type": "Available", "status": "True"}],
    }
    cluster.patch(DEPLOYMENT, name, namespace, {"status": status}, subresource="status")
    for _ in range(deployment["spec"]["replicas"] - len(live)):
        cluster.create(
            {
                "apiVersion": "v1",
                "kind": "Pod",
                "metadata": {
                    "generateName": f"{name}-1-",
                    "namespace": namespace,
                    "labels": {"app": name},
                    "annotations": {"lab/secret-word": "x"},
                    "ownerReferences": owner(sets),
                },
                "spec": {"containers": [{"name": "main", "env": [{"name": "TOKEN", "value": "SECRET"}]}]},
            }
        )


@contextmanager
def running(cluster: FakeCluster) -> Iterator[None]:
    """Deployments of the cluster have their pods, until the context ends."""
    ended = threading.Event()

    def loop() -> None:
        while not ended.wait(0.02):
            for deployment in list(cluster.list(DEPLOYMENT)):
                _reconcile(cluster, deployment)

    thread = threading.Thread(target=loop, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
