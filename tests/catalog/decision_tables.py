"""What each kind's controller means by its status, by hand: one function per kind, from the object to the one word.

Written from the controllers' behaviour, not from the definitions: the tests compare the two. First match wins.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Obj = dict[str, Any]


def _conditions(obj: Obj) -> dict[str, Obj]:
    return {c["type"]: c for c in _status(obj).get("conditions") or []}


def _status(obj: Obj) -> Obj:
    return obj.get("status") or {}


def _is(conditions: dict[str, Obj], type_: str, status: str, reason: str | None = None) -> bool:
    found = conditions.get(type_)
    return found is not None and found["status"] == status and (reason is None or found.get("reason") == reason)


def _number(value: Any, default: int = 0) -> int:
    return default if value is None else int(value)


def deployment(obj: Obj) -> str:
    status, conditions = _status(obj), _conditions(obj)
    generation = _number((obj.get("metadata") or {}).get("generation"))
    if not status or _number(status.get("observedGeneration"), generation) < generation:
        return "Initializing"
    wanted = _number(obj.get("spec", {}).get("replicas"), 1)
    available = _number(status.get("availableReplicas"))
    stuck = _is(conditions, "Progressing", "False", "ProgressDeadlineExceeded")
    if stuck or _is(conditions, "ReplicaFailure", "True"):
        return "Degraded" if available else "Failed"
    if conditions.get("Progressing", {}).get("reason") == "NewReplicaSetAvailable":
        uncounted = status.get("replicas") is None and status.get("unavailableReplicas") is None
        served = available >= wanted or (uncounted and _is(conditions, "Available", "True"))
        return "Running" if served else "Degraded"
    if "Progressing" not in conditions:  # no deadline: only the counters tell
        updated = _number(status.get("updatedReplicas"))
        if min(updated, available) >= wanted and _number(status.get("replicas")) <= updated:
            return "Running"
    return "Initializing"


def jobset(obj: Obj) -> str:
    status, conditions, spec = _status(obj), _conditions(obj), obj.get("spec", {})
    jobs = status.get("replicatedJobsStatus") or []

    def total(counter: str) -> int:
        return sum(_number(job.get(counter)) for job in jobs)

    if _is(conditions, "Completed", "True"):
        return "Completed"
    if _is(conditions, "Failed", "True"):
        return "Failed"
    if spec.get("suspend") is True:
        # an entry that lacks a counter is no count of now
        active = sum(_number(job.get("active")) for job in jobs if job.get("suspended") is not None)
        return "Suspended" if _is(conditions, "Suspended", "True") and not active else "Suspending"
    if _is(conditions, "Suspended", "True") or total("suspended"):
        return "Resuming"
    if total("failed") or _is(conditions, "RestartingJobSet", "True"):
        return "Degraded"
    if "RestartingJobSet" not in conditions and _number(status.get("restarts")):
        wanted = sum(_number(entry.get("replicas"), 1) for entry in spec.get("replicatedJobs") or [])
        if total("ready") + total("succeeded") < wanted:
            return "Degraded"
    if total("active") or total("ready"):
        return "Running"
    begun = [bool(_number(job.get("succeeded"))) for job in jobs]
    return "Running" if True in begun and False in begun else "Initializing"  # between two stages


def pytorchjob(obj: Obj) -> str:
    conditions = _conditions(obj)
    suspend = (obj.get("spec", {}).get("runPolicy") or {}).get("suspend")
    if _is(conditions, "Succeeded", "True"):
        return "Completed"
    if _is(conditions, "Failed", "True"):
        return "Failed"
    if _is(conditions, "Suspended", "True") and suspend is not False:  # absent asks for nothing
        return "Suspended"
    if suspend:
        return "Suspending"
    if _is(conditions, "Suspended", "True"):
        return "Resuming"
    if _is(conditions, "Running", "True"):
        return "Running"
    return "Degraded" if _is(conditions, "Restarting", "True") else "Initializing"


def raycluster(obj: Obj) -> str:
    status, conditions = _status(obj), _conditions(obj)
    state = status.get("state")
    if obj.get("spec", {}).get("suspend") is True:
        gone = "HeadPodReady" not in conditions or _is(conditions, "HeadPodReady", "False", "HeadPodNotFound")
        confirmed = state == "suspended" and (gone or _is(conditions, "RayClusterSuspended", "True"))
        return "Suspended" if confirmed or not status else "Suspending"
    if _is(conditions, "RayClusterSuspended", "True") or _is(conditions, "RayClusterSuspending", "True"):
        return "Resuming"
    if state == "suspended":
        return "Initializing" if "RayClusterSuspended" in conditions else "Resuming"
    if state == "ready":
        short = _number(status.get("readyWorkerReplicas")) < _number(status.get("desiredWorkerReplicas"))
        return "Degraded" if short or _is(conditions, "HeadPodReady", "False") else "Running"
    return "Failed" if state == "failed" or _is(conditions, "ReplicaFailure", "True") else "Initializing"


def leaderworkerset(obj: Obj) -> str:
    conditions = _conditions(obj)
    if _is(conditions, "Available", "True"):
        return "Running"
    if _is(conditions, "UpdateInProgress", "True"):
        return "Initializing"
    ready = _number(_status(obj).get("readyReplicas"))
    return "Degraded" if ready and _is(conditions, "Available", "False") else "Initializing"


TABLES: dict[str, Callable[[Obj], str]] = {
    "apps-deployment-v1": deployment,
    "jobset-x-k8s-io-jobset-v1alpha2": jobset,
    "kubeflow-org-pytorchjob-v1": pytorchjob,
    "leaderworkerset-x-k8s-io-leaderworkerset-v1": leaderworkerset,
    "ray-io-raycluster-v1": raycluster,
}
