"""Stand-in for Ray: answers as the dashboards and Serve proxies of all clusters would, as the HTTP proxy of KubeRay.

`python -m kartatest.cluster.standins.ray_dashboard PORT KUBECONFIG`. A job is as its submitter pod is: unknown before
that runs, then RUNNING, SUCCEEDED or FAILED; without one (HTTPMode) it is RUNNING once it was submitted. Applications
of Serve are DEPLOYING for a second after they were handed over, then RUNNING. Annotations of the head pod say
otherwise: lab.karta/ray-job: FAILED, lab.karta/serve: UNHEALTHY.
"""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock
from urllib.parse import urlsplit

from kartatest.cluster.model import Access, Cluster
from kartatest.definition.model import Gvk
from kartatest.source import Json

_POD = Gvk("", "v1", "Pod")
_DASHBOARD = re.compile(r"(?P<cluster>.+?)(?:-head-svc)?\.(?P<namespace>[^.]+)\.svc\..*")
_DEPLOYING_SECONDS = 1.0
_OF_PHASES = {"Running": "RUNNING", "Succeeded": "SUCCEEDED", "Failed": "FAILED"}


@dataclass
class Ray:
    """What all Ray clusters of a lab were told: jobs by number and host, applications by host."""

    cluster: Cluster
    submitted: dict[str, float] = field(default_factory=dict)
    stopped: set[str] = field(default_factory=set)
    served: dict[str, tuple[float, Json]] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def answer(self, method: str, host: str, path: str, body: bytes) -> tuple[int, Json]:
        """HTTP status and JSON."""
        with self.lock:
            if path == "/-/healthz":
                return 200, "success"
            if path.startswith("/api/serve/applications"):
                return self._serve(method, host, body)
            if path.startswith("/api/jobs"):
                return self._jobs(method, host, path.removeprefix("/api/jobs").strip("/"), body)
            return 404, {"error": "the stand-in for Ray answers for jobs and applications alone"}

    def _jobs(self, method: str, host: str, path: str, body: bytes) -> tuple[int, Json]:
        job, _, action = path.partition("/")
        if method == "POST" and not job:
            job = json.loads(body)["submission_id"]
            self.submitted.setdefault(job, time.time())
            return 200, {"job_id": job, "submission_id": job}
        if method == "DELETE" or action == "stop":
            self.stopped.add(job)
            return 200, {"stopped": True}
        if action == "logs":
            return 200, {"logs": ""}
        if not job:
            return 200, [self._job(host, one) for one in self.submitted]
        found = self._job(host, job)
        return (200, found) if found else (404, {"error": f"job {job} does not exist"})

    def _job(self, host: str, job: str) -> dict[str, Json] | None:
        pods, head = self._pods(host)
        told = (head["metadata"].get("annotations") or {}).get("lab.karta/ray-job") if head else None
        phases = [pod["status"].get("phase", "Pending") for pod in pods if _submits(pod, job)]
        word = next((_OF_PHASES[p] for p in ("Succeeded", "Running", "Failed") if p in phases), None)
        if word is None and job not in self.submitted:
            return None
        begun = self.submitted.setdefault(job, time.time())
        status = told or ("STOPPED" if job in self.stopped else word or "RUNNING")
        found = {"job_id": job, "submission_id": job, "status": status, "entrypoint": "", "message": _MESSAGES[status]}
        found |= {"start_time": int(begun * 1000)}
        return found | ({} if status in ("PENDING", "RUNNING") else {"end_time": int(time.time() * 1000)})

    def _serve(self, method: str, host: str, body: bytes) -> tuple[int, Json]:
        if method == "PUT":
            self.served[host] = (time.time(), json.loads(body))
            return 200, {}
        since, config = self.served.get(host, (0.0, {}))
        _, head = self._pods(host)
        told = (head["metadata"].get("annotations") or {}).get("lab.karta/serve") if head else None
        status = told or ("RUNNING" if time.time() - since > _DEPLOYING_SECONDS else "DEPLOYING")
        health = {"RUNNING": "HEALTHY", "DEPLOYING": "UPDATING"}.get(status, "UNHEALTHY")
        applications = {
            app.get("name", "default"): {
                "name": app.get("name", "default"),
                "status": status,
                "message": "",
                "route_prefix": app.get("route_prefix", "/"),
                "deployments": {
                    deployed["name"]: {"name": deployed["name"], "status": health, "message": ""}
                    for deployed in app.get("deployments") or ()
                },
            }
            for app in config.get("applications") or ()
        }
        return 200, {"applications": applications, "deploy_mode": "MULTI_APP"}

    def _pods(self, host: str) -> tuple[list[Json], Json]:
        """The pods of the namespace that a dashboard's host names, and the head of its cluster (None without one)."""
        found = _DASHBOARD.fullmatch(host)
        if found is None:
            return [], None
        pods: list[Json] = list(self.cluster.list(_POD, found["namespace"]))
        wanted = {"ray.io/cluster": found["cluster"], "ray.io/node-type": "head"}
        heads = [pod for pod in pods if wanted.items() <= (pod["metadata"].get("labels") or {}).items()]
        return pods, heads[0] if heads else None


_MESSAGES = {
    "PENDING": "Job has not started yet.",
    "RUNNING": "Job is currently running.",
    "SUCCEEDED": "Job finished successfully.",
    "FAILED": "Job failed: the stand-in for Ray was told so.",
    "STOPPED": "Job was intentionally stopped.",
}


def _submits(pod: Json, job: str) -> bool:
    wanted = {"name": "RAY_JOB_SUBMISSION_ID", "value": job}
    return any(wanted in (container.get("env") or ()) for container in pod["spec"]["containers"])


def handler(ray: Ray) -> type[BaseHTTPRequestHandler]:
    """A request of KubeRay comes as to a proxy: with the whole address."""

    class Handler(BaseHTTPRequestHandler):
        def _any(self) -> None:
            asked = urlsplit(self.path)
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            status, found = ray.answer(self.command, asked.hostname or "", asked.path, body)
            text = json.dumps(found).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        do_GET = do_POST = do_PUT = do_DELETE = _any  # noqa: N815  # the names that http.server asks for

    return Handler


def main() -> None:
    """Answer until killed."""
    import sys

    from kartatest.cluster.client import connect

    cluster, _ = connect(Access(kubeconfig=Path(sys.argv[2])))
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), handler(Ray(cluster))).serve_forever()


if __name__ == "__main__":
    main()
