"""Stand-ins answer as the programs whose part they play."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kartatest.cluster.fake import FakeCluster
from kartatest.cluster.standins import spark
from kartatest.cluster.standins.ray_dashboard import Ray
from kartatest.definition.model import Gvk

POD = Gvk("", "v1", "Pod")
HOST = "mine-head-svc.default.svc.cluster.local"
HEAD = {"ray.io/cluster": "mine", "ray.io/node-type": "head"}
SUBMITTER = [{"name": "RAY_JOB_SUBMISSION_ID", "value": "job-1"}]


def pod(name: str, phase: str, *, labels: Any = None, env: Any = (), annotations: Any = None) -> dict[str, Any]:
    meta = {"name": name, "namespace": "default", "labels": labels or {}, "annotations": annotations or {}}
    spec = {"containers": [{"name": "main", "image": "x", "env": list(env)}]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": spec, "status": {"phase": phase}}


def lab(*pods: dict[str, Any]) -> FakeCluster:
    cluster = FakeCluster()
    for one in pods:
        cluster.create(one)
        meta = one["metadata"]
        cluster.patch(POD, meta["name"], meta["namespace"], {"status": one["status"]}, subresource="status")
    return cluster


@pytest.mark.parametrize(
    ("phase", "word"),
    [("Pending", None), ("Running", "RUNNING"), ("Succeeded", "SUCCEEDED"), ("Failed", "FAILED")],
)
def test_a_ray_job_is_as_its_submitter(phase: str, word: str | None) -> None:
    ray = Ray(lab(pod("submitter", phase, env=SUBMITTER), pod("head", "Running", labels=HEAD)))
    status, found = ray.answer("GET", HOST, "/api/jobs/job-1", b"")
    assert status == (404 if word is None else 200)
    assert found.get("status") == word
    assert ("end_time" in found) == (word in ("SUCCEEDED", "FAILED"))
    assert ray.answer("GET", HOST, "/api/jobs/job-2", b"")[0] == 404


def test_a_retry_of_the_submitter_goes_before_one_that_failed() -> None:
    ray = Ray(lab(pod("a", "Failed", env=SUBMITTER), pod("b", "Running", env=SUBMITTER)))
    assert ray.answer("GET", HOST, "/api/jobs/job-1", b"")[1]["status"] == "RUNNING"


def test_a_ray_job_without_submitter_runs_once_it_was_handed_over_until_the_head_says_otherwise() -> None:
    cluster = lab(pod("head", "Running", labels=HEAD))
    ray = Ray(cluster)
    body = json.dumps({"entrypoint": "x", "submission_id": "job-1"}).encode()
    assert ray.answer("POST", HOST, "/api/jobs/", body) == (200, {"job_id": "job-1", "submission_id": "job-1"})
    assert ray.answer("GET", HOST, "/api/jobs/job-1", b"")[1]["status"] == "RUNNING"
    cluster.patch(POD, "head", "default", {"metadata": {"annotations": {"lab.karta/ray-job": "FAILED"}}})
    assert ray.answer("GET", HOST, "/api/jobs/job-1", b"")[1]["status"] == "FAILED"
    assert [one["job_id"] for one in ray.answer("GET", HOST, "/api/jobs/", b"")[1]] == ["job-1"]


def test_a_ray_job_can_be_stopped() -> None:
    ray = Ray(lab(pod("submitter", "Running", env=SUBMITTER)))
    assert ray.answer("POST", HOST, "/api/jobs/job-1/stop", b"") == (200, {"stopped": True})
    assert ray.answer("GET", HOST, "/api/jobs/job-1", b"")[1]["status"] == "STOPPED"


def test_applications_of_serve_deploy_and_run(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = lab(pod("head", "Running", labels=HEAD))
    ray = Ray(cluster)
    path = "/api/serve/applications/"
    assert ray.answer("GET", HOST, path, b"") == (200, {"applications": {}, "deploy_mode": "MULTI_APP"})
    config = {"applications": [{"name": "app", "deployments": [{"name": "D"}]}]}
    assert ray.answer("PUT", HOST, path, json.dumps(config).encode())[0] == 200

    def seen() -> tuple[str, str]:
        app = ray.answer("GET", HOST, path, b"")[1]["applications"]["app"]
        return app["status"], app["deployments"]["D"]["status"]

    assert seen() == ("DEPLOYING", "UPDATING")
    since, held = ray.served[HOST]
    ray.served[HOST] = (since - 2, held)
    assert seen() == ("RUNNING", "HEALTHY")
    cluster.patch(POD, "head", "default", {"metadata": {"annotations": {"lab.karta/serve": "UNHEALTHY"}}})
    assert seen() == ("UNHEALTHY", "UNHEALTHY")
    assert ray.answer("GET", "10.0.0.7", "/-/healthz", b"") == (200, "success")


ARGS = [
    *("--master", "k8s://https://127.0.0.1:6443", "--deploy-mode", "cluster", "--name", "pi"),
    *("--conf", "spark.kubernetes.namespace=default", "--conf", "spark.kubernetes.driver.pod.name=pi-driver"),
    *("--conf", "spark.kubernetes.container.image=spark:4", "--conf", "spark.executor.instances=2"),
    *("--conf", "spark.executor.memory=512m", "--conf", "spark.executor.cores=2"),
    *("--conf", "spark.kubernetes.driver.label.sparkoperator.k8s.io/app-name=pi", "local:///x.jar"),
]


def test_spark_submit_makes_the_driver_and_the_driver_executors() -> None:
    cluster = FakeCluster()
    cluster.create(spark.driver(spark.confs(ARGS), "spark-1"))
    spark.drive(cluster)
    (driver,) = cluster.list(POD, "default")
    assert driver["metadata"]["name"] == "pi-driver"
    assert driver["metadata"]["labels"] == {
        "sparkoperator.k8s.io/app-name": "pi",
        "spark-app-selector": "spark-1",
        "spark-role": "driver",
    }
    cluster.patch(POD, "pi-driver", "default", {"status": {"phase": "Running"}}, subresource="status")
    for _ in range(2):
        spark.drive(cluster)
    made = [one for one in cluster.list(POD, "default") if one["metadata"]["labels"]["spark-role"] == "executor"]
    assert [one["metadata"]["name"] for one in made] == ["pi-exec-1", "pi-exec-2"]
    (container,) = made[0]["spec"]["containers"]
    assert container["image"] == "spark:4"
    assert container["resources"]["requests"] == {"cpu": "2", "memory": "512Mi"}
    assert made[0]["metadata"]["ownerReferences"][0]["name"] == "pi-driver"
    cluster.patch(POD, "pi-driver", "default", {"status": {"phase": "Succeeded"}}, subresource="status")
    spark.drive(cluster)
    assert [one["metadata"]["name"] for one in cluster.list(POD, "default")] == ["pi-driver"]


@pytest.mark.parametrize(("text", "memory"), [("512m", "512Mi"), ("1g", "1Gi"), ("4Gi", "4Gi"), ("1024", "1024")])
def test_sparks_units(text: str, memory: str) -> None:
    made = spark.driver({"spark.driver.memory": text}, "s")
    assert made["spec"]["containers"][0]["resources"]["requests"]["memory"] == memory
