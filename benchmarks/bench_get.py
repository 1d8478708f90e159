"""What `karta get -A` costs on a cluster with 300 workloads of 6 kinds and 5,000 pods, on a real API server.

Needs the programs of the kwok provider (docs/guide/clusters.md).

python benchmarks/bench_get.py
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

from kartatest.cluster.inventory import inventory
from kartatest.cluster.model import Cluster
from kartatest.cluster.providers import PROVIDERS, Options
from kartatest.cluster.waits import established
from kartatest.report.inventory import cells

WORKLOADS, PODS = 300, 5000
KINDS = (
    ("apps/v1", "Deployment", "deployments"),
    ("apps/v1", "StatefulSet", "statefulsets"),
    ("batch/v1", "Job", "jobs"),
    ("jobset.x-k8s.io/v1alpha2", "JobSet", "jobsets"),
    ("ray.io/v1", "RayCluster", "rayclusters"),
    ("kubeflow.org/v1", "PyTorchJob", "pytorchjobs"),
)
LABELS = {
    "JobSet": {"jobset.sigs.k8s.io/replicatedjob-name": "w", "jobset.sigs.k8s.io/job-index": "0"},
    "RayCluster": {"ray.io/node-type": "worker", "ray.io/group": "w"},
    "PyTorchJob": {"training.kubeflow.org/replica-type": "worker"},
}
CONTAINER = {"name": "c", "image": "i", "resources": {"limits": {"nvidia.com/gpu": "1", "cpu": "4", "memory": "8Gi"}}}
TEMPLATE = {"metadata": {"labels": {"app": "x"}}, "spec": {"containers": [CONTAINER]}}
SELECTOR = {"matchLabels": {"app": "x"}}


def spec(kind: str, pods: int) -> dict[str, Any]:
    """The spec of a workload of so many pods."""
    job = {**TEMPLATE, "spec": {**TEMPLATE["spec"], "restartPolicy": "Never"}}
    match kind:
        case "Deployment":
            return {"replicas": pods, "selector": SELECTOR, "template": TEMPLATE}
        case "StatefulSet":
            return {"replicas": pods, "serviceName": "x", "selector": SELECTOR, "template": TEMPLATE}
        case "Job":
            return {"parallelism": pods, "completions": pods, "template": job}
        case "JobSet":
            inner = {"parallelism": pods, "completions": pods, "template": job}
            return {"replicatedJobs": [{"name": "w", "template": {"spec": inner}}]}
        case "RayCluster":
            group = {"groupName": "w", "replicas": pods - 1, "template": TEMPLATE}
            return {"headGroupSpec": {"template": TEMPLATE}, "workerGroupSpecs": [group]}
    return {"pytorchReplicaSpecs": {"Worker": {"replicas": pods, "template": TEMPLATE}}}


def crd(api_version: str, kind: str, plural: str) -> dict[str, Any]:
    """A CRD that takes anything: the figures are of reading, not of checking."""
    group, version = api_version.split("/")
    schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group}"},
        "spec": {
            "group": group,
            "scope": "Namespaced",
            "names": {"kind": kind, "plural": plural, "singular": kind.lower(), "listKind": f"{kind}List"},
            "versions": [{"name": version, "served": True, "storage": True, "schema": schema}],
        },
    }


def fill(cluster: Cluster) -> None:
    """300 workloads in 3 namespaces with their pods, a ReplicaSet or Job between where there is one."""
    for name in ("one", "two", "three"):
        cluster.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    crds = [crd(*kind) for kind in KINDS if "." in kind[0]]
    for one in crds:
        cluster.create(one)
    established(cluster, [one["metadata"]["name"] for one in crds], timeout_seconds=60)
    per = [PODS // WORKLOADS + (i < PODS % WORKLOADS) for i in range(WORKLOADS)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda i: workload(cluster, i, per[i]), range(WORKLOADS)))


def workload(cluster: Cluster, number: int, pods: int) -> None:
    """One workload, whatever stands between, and its pods."""
    api_version, kind, _ = KINDS[number % len(KINDS)]
    namespace = ("one", "two", "three")[number % 3]

    def make(api_version: str, kind: str, name: str, owner: Any = None, **rest: Any) -> Any:
        metadata: dict[str, Any] = {"name": name, "namespace": namespace, "labels": LABELS.get(top_kind, {})}
        if owner is not None:
            reference = {key: owner[key] for key in ("apiVersion", "kind")}
            reference |= {key: owner["metadata"][key] for key in ("name", "uid")}
            metadata["ownerReferences"] = [{**reference, "controller": True}]
        if kind == "Pod":
            metadata["labels"] = {**metadata["labels"], "app": "x"}
        return cluster.create({"apiVersion": api_version, "kind": kind, "metadata": metadata, **rest})

    top_kind = kind
    top = make(api_version, kind, f"w{number}", spec=spec(kind, pods))
    if kind == "Deployment":
        top = make("apps/v1", "ReplicaSet", f"w{number}-1", top, spec=spec("Deployment", pods))
    elif kind == "JobSet":
        top = make("batch/v1", "Job", f"w{number}-w-0", top, spec=spec("Job", pods))
    for i in range(pods):
        make("v1", "Pod", f"w{number}-{i}", top, spec=TEMPLATE["spec"])


def main() -> None:
    """Fill a cluster, then look at it three times."""
    with PROVIDERS["kwok"](Options()).start() as cluster:
        start = time.perf_counter()
        fill(cluster)
        print(f"{WORKLOADS} workloads and {PODS} pods made in {time.perf_counter() - start:.1f} s")
        for _ in range(3):
            start = time.perf_counter()
            found = inventory(cluster)
            listed = time.perf_counter()
            rows = [cells(one, datetime.now(UTC)) for one in found.workloads]
            done = time.perf_counter()
            names = {row[:3] for row in rows}
            print(
                f"{len(rows)} rows, {len(names)} names: {done - start:.2f} s"
                f" (asking {listed - start:.2f} s, resolving {done - listed:.2f} s)"
            )
        kinds = Counter(row[2] for row in rows)
        print(", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items())))
        if len(names) != WORKLOADS or len(rows) != WORKLOADS:
            sys.exit("not every workload is there once")


if __name__ == "__main__":
    main()
