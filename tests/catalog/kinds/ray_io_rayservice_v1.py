"""What RayService's controller means by its status, by hand, and objects as it may write them."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.catalog.parts import (
    Obj,
    any_conditions,
    conditions_of,
    counts,
    holds,
    number,
    objects,
    some,
    spec_of,
    status_of,
)


def status(obj: Obj) -> str:
    conditions = conditions_of(obj)
    if spec_of(obj).get("suspend") is True:
        return "Suspended" if holds(conditions, "Suspended", "True") else "Suspending"
    if holds(conditions, "Suspended", "True") or holds(conditions, "Suspending", "True"):
        return "Resuming"
    if holds(conditions, "Ready", "True"):
        return "Running" if _serves_well(status_of(obj).get("activeServiceStatus") or {}) else "Degraded"
    reason = conditions.get("Ready", {}).get("reason")
    if reason in ("InitializingTimeout", "ValidationFailed"):
        return "Failed"
    return "Degraded" if reason == "ZeroServeEndpoints" else "Initializing"


def _serves_well(active: Obj) -> bool:
    cluster = active.get("rayClusterStatus") or {}
    head_lost = any(c["type"] == "HeadPodReady" and c["status"] == "False" for c in cluster.get("conditions") or [])
    short = number(cluster.get("readyWorkerReplicas")) < number(cluster.get("desiredWorkerReplicas"))
    applications = (active.get("applicationStatuses") or {}).values()
    return not (head_lost or short or any(a.get("status") in ("UNHEALTHY", "DEPLOY_FAILED") for a in applications))


_cluster = some(
    {
        "rayClusterName": st.sampled_from(["", "a", "b"]),
        "applicationStatuses": st.dictionaries(
            st.sampled_from(["a", "b"]),
            some({"status": st.sampled_from(["RUNNING", "DEPLOYING", "UNHEALTHY", "DEPLOY_FAILED"])}),
            max_size=2,
        ),
        "rayClusterStatus": some(
            {
                "desiredWorkerReplicas": counts,
                "readyWorkerReplicas": counts,
                "conditions": any_conditions({"HeadPodReady": ["HeadPodNotFound", "HeadPodRunningAndReady"]}),
            }
        ),
    }
)
OBJECTS = objects(
    "ray.io/v1",
    "RayService",
    some({"suspend": st.booleans()}),
    some(
        {
            "serviceStatus": st.sampled_from(["", "Running"]),
            "activeServiceStatus": _cluster,
            "pendingServiceStatus": _cluster,
            "conditions": any_conditions(
                {
                    "Ready": [
                        "Initializing",
                        "InitializingTimeout",
                        "ZeroServeEndpoints",
                        "NonZeroServeEndpoints",
                        "ValidationFailed",
                        "SuspendInProgress",
                    ],
                    "UpgradeInProgress": ["NoPendingCluster", "BothActivePendingClustersExist"],
                    "Suspending": ["SuspendRequested", "SuspendInProgress", "SuspendComplete"],
                    "Suspended": ["SuspendComplete", "RayServiceResumed"],
                }
            ),
        }
    ),
)
