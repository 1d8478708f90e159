"""Stand-in for Spark: `submit ARGS` makes the driver's pod as spark-submit would, `drive` its executors as a driver.

Executors come once the driver runs and go when it has ended. What pods are made of comes from the --conf arguments.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from kartatest.cluster.model import Access, ApiError, Cluster
from kartatest.definition.model import Gvk
from kartatest.source import Json, JsonObject

_POD = Gvk("", "v1", "Pod")
_CONF = "lab.karta/spark-conf"
"""Annotation of a driver's pod: the settings it was submitted with, as JSON."""


def confs(args: Sequence[str]) -> dict[str, str]:
    """The settings of spark-submit's arguments: `--conf key=value`, and its --name as spark.app.name."""
    found = {}
    for option, text in pairwise(args):
        if option == "--conf":
            key, _, held = text.partition("=")
            found[key] = held
        elif option == "--name":
            found["spark.app.name"] = text
    return found


def _under(conf: Mapping[str, str], prefix: str) -> dict[str, str]:
    return {key.removeprefix(prefix): text for key, text in conf.items() if key.startswith(prefix)}


def _memory(text: str) -> str:
    """Spark's units as Kubernetes': 512m is 512Mi."""
    return f"{text[:-1]}{text[-1].upper()}i" if text[-1:].lower() in ("k", "m", "g", "t") else text


def _pod(conf: Mapping[str, str], role: str, name: str, labels: Mapping[str, str]) -> dict[str, Json]:
    image = conf.get(f"spark.kubernetes.{role}.container.image") or conf.get(
        "spark.kubernetes.container.image", "spark"
    )
    cores = conf.get(f"spark.kubernetes.{role}.request.cores") or conf.get(f"spark.{role}.cores", "1")
    memory = _memory(conf.get(f"spark.{role}.memory", "1g"))
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name,
            "namespace": conf.get("spark.kubernetes.namespace", "default"),
            "labels": {**_under(conf, f"spark.kubernetes.{role}.label."), **labels, "spark-role": role},
            "annotations": _under(conf, f"spark.kubernetes.{role}.annotation."),
        },
        "spec": {
            "restartPolicy": "Never",
            "containers": [
                {
                    "name": f"spark-kubernetes-{role}",
                    "image": image,
                    "args": [role],
                    "resources": {"requests": {"cpu": cores, "memory": memory}, "limits": {"memory": memory}},
                }
            ],
        },
    }


def driver(conf: Mapping[str, str], selector: str) -> dict[str, Json]:
    """The driver's pod; selector is the label by which it and its executors are found."""
    name = conf.get("spark.kubernetes.driver.pod.name") or f"{conf.get('spark.app.name', 'spark')}-driver"
    pod = _pod(conf, "driver", name, {"spark-app-selector": selector})
    # The operator reads SUBMITTED only when it looks before the driver runs.
    pod["metadata"]["annotations"].setdefault("lab.karta/ready-after", "2s")
    pod["metadata"]["annotations"][_CONF] = json.dumps(conf, sort_keys=True)
    return pod


def executors(pod: JsonObject) -> list[dict[str, Json]]:
    """The executors' pods of a driver's, which owns them."""
    meta = pod["metadata"]
    conf = json.loads(meta["annotations"][_CONF])
    owner = {"apiVersion": "v1", "kind": "Pod", "name": meta["name"], "uid": meta["uid"], "controller": True}
    found = []
    for number in range(1, int(conf.get("spark.executor.instances", "2")) + 1):
        labels = {"spark-app-selector": meta["labels"]["spark-app-selector"], "spark-exec-id": str(number)}
        made = _pod(conf, "executor", f"{meta['name'].removesuffix('-driver')}-exec-{number}", labels)
        made["metadata"]["ownerReferences"] = [owner]
        found.append(made)
    return found


def drive(cluster: Cluster) -> None:
    """One look: executors for drivers that run and have had none, their end for drivers that have ended."""
    for pod in list(cluster.list(_POD, labels="spark-role=driver")):
        phase = (pod.get("status") or {}).get("phase")
        if _CONF not in (pod["metadata"].get("annotations") or {}) or phase not in ("Running", "Succeeded", "Failed"):
            continue
        namespace = pod["metadata"]["namespace"]
        if phase == "Running" and "lab.karta/executors" not in pod["metadata"]["annotations"]:
            note = {"metadata": {"annotations": {"lab.karta/executors": "made"}}}
            cluster.patch(_POD, pod["metadata"]["name"], namespace, note)
            for made in executors(pod):
                cluster.create(made)
        elif phase != "Running":
            chosen = f"spark-role=executor,spark-app-selector={pod['metadata']['labels']['spark-app-selector']}"
            for one in list(cluster.list(_POD, namespace, labels=chosen)):
                cluster.delete(_POD, one["metadata"]["name"], namespace)


def main() -> None:
    """`submit` ends at once, with 1 and a reason when the API server refuses; `drive` looks twice a second."""
    import os
    import uuid

    from kartatest.cluster.client import connect

    cluster, _ = connect(Access(kubeconfig=Path(os.environ["KUBECONFIG"])))
    if sys.argv[1] == "submit":
        try:
            cluster.create(driver(confs(sys.argv[2:]), f"spark-{uuid.uuid4().hex}"))
        except ApiError as error:
            sys.stderr.write(f"{'code: 409 pods already exists' if error.code == 409 else error}\n")
            sys.exit(1)
        return
    while True:
        try:
            drive(cluster)
        except ApiError as error:
            sys.stderr.write(f"{error}\n")
        time.sleep(0.5)


if __name__ == "__main__":
    main()
