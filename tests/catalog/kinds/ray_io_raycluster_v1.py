"""What RayCluster's controller means by its status, by hand, and objects as it may write them."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.catalog.parts import Obj, any_conditions, conditions_of, counts, holds, number, objects, some, status_of


def status(obj: Obj) -> str:
    status, conditions = status_of(obj), conditions_of(obj)
    state = status.get("state")
    if obj.get("spec", {}).get("suspend") is True:
        gone = "HeadPodReady" not in conditions or holds(conditions, "HeadPodReady", "False", "HeadPodNotFound")
        confirmed = state == "suspended" and (gone or holds(conditions, "RayClusterSuspended", "True"))
        return "Suspended" if confirmed or not status else "Suspending"
    if holds(conditions, "RayClusterSuspended", "True") or holds(conditions, "RayClusterSuspending", "True"):
        return "Resuming"
    if state == "suspended":
        return "Initializing" if "RayClusterSuspended" in conditions else "Resuming"
    if state == "ready":
        short = number(status.get("readyWorkerReplicas")) < number(status.get("desiredWorkerReplicas"))
        return "Degraded" if short or holds(conditions, "HeadPodReady", "False") else "Running"
    return "Failed" if state == "failed" or holds(conditions, "ReplicaFailure", "True") else "Initializing"


OBJECTS = objects(
    "ray.io/v1",
    "RayCluster",
    some({"suspend": st.booleans()}),
    some(
        {
            "state": st.sampled_from(["", "ready", "suspended", "failed"]),
            "desiredWorkerReplicas": counts,
            "readyWorkerReplicas": counts,
            "conditions": any_conditions(
                {
                    "HeadPodReady": ["HeadPodNotFound", "ContainersNotReady", "HeadPodRunningAndReady"],
                    "RayClusterProvisioned": ["RayClusterPodsProvisioning"],
                    "ReplicaFailure": ["FailedCreateHeadPod"],
                    "RayClusterSuspending": ["RayClusterSuspending"],
                    "RayClusterSuspended": ["RayClusterSuspended"],
                }
            ),
        }
    ),
)
