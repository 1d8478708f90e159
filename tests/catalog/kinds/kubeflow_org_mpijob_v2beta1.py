"""What the MPI operator means by its status, by hand, and objects as it may write them."""

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
    status, conditions = status_of(obj), conditions_of(obj)
    replicas = status.get("replicaStatuses") or {}
    suspend = (spec_of(obj).get("runPolicy") or {}).get("suspend")
    failed, suspended = (holds(conditions, type_, "True") for type_ in ("Failed", "Suspended"))
    if holds(conditions, "Succeeded", "True"):
        return "Completed"
    if failed and status.get("completionTime"):
        return "Failed"
    if suspend:
        active = any(number(role.get("active")) for role in replicas.values())
        return "Suspended" if suspended and not active else "Suspending"
    if suspended:
        return "Suspended" if suspend is None else "Resuming"  # absent asks for nothing
    if failed:  # evicted, and the launcher has not ended
        return "Degraded"
    if not holds(conditions, "Running", "True"):
        return "Initializing"
    return "Degraded" if number((replicas.get("Worker") or {}).get("failed")) else "Running"


_COUNTS = some(dict.fromkeys(("active", "succeeded", "failed"), counts))
OBJECTS = objects(
    "kubeflow.org/v2beta1",
    "MPIJob",
    some({"runPolicy": some({"suspend": st.booleans()})}),
    some(
        {
            "completionTime": st.just("2026-01-01T00:00:00Z"),
            "replicaStatuses": some({"Launcher": _COUNTS, "Worker": _COUNTS}),
            "conditions": any_conditions(
                {
                    "Created": ["MPIJobCreated"],
                    "Running": ["MPIJobRunning", "MPIJobSuspended"],
                    "Succeeded": ["MPIJobSucceeded"],
                    "Failed": ["MPIJobEvicted", "BackoffLimitExceeded/"],
                    "Suspended": ["MPIJobSuspended", "MPIJobResumed"],
                }
            ),
        }
    ),
)
