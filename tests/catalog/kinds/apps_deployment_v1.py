"""What Deployment's controller means by its status, by hand, and objects as it may write them."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.catalog.parts import Obj, any_conditions, conditions_of, counts, holds, number, objects, some, status_of


def status(obj: Obj) -> str:
    status, conditions = status_of(obj), conditions_of(obj)
    generation = number((obj.get("metadata") or {}).get("generation"))
    if not status or number(status.get("observedGeneration"), generation) < generation:
        return "Initializing"
    wanted = number(obj.get("spec", {}).get("replicas"), 1)
    available = number(status.get("availableReplicas"))
    stuck = holds(conditions, "Progressing", "False", "ProgressDeadlineExceeded")
    if stuck or holds(conditions, "ReplicaFailure", "True"):
        return "Degraded" if available else "Failed"
    if conditions.get("Progressing", {}).get("reason") == "NewReplicaSetAvailable":
        uncounted = status.get("replicas") is None and status.get("unavailableReplicas") is None
        served = available >= wanted or (uncounted and holds(conditions, "Available", "True"))
        return "Running" if served else "Degraded"
    if "Progressing" not in conditions:  # no deadline: only the counters tell
        updated = number(status.get("updatedReplicas"))
        if min(updated, available) >= wanted and number(status.get("replicas")) <= updated:
            return "Running"
    return "Initializing"


OBJECTS = objects(
    "apps/v1",
    "Deployment",
    some({"replicas": counts, "paused": st.booleans()}),
    some(
        {
            "observedGeneration": st.integers(1, 3),
            "replicas": counts,
            "updatedReplicas": counts,
            "readyReplicas": counts,
            "availableReplicas": counts,
            "unavailableReplicas": counts,
            "conditions": any_conditions(
                {
                    "Progressing": ["NewReplicaSetAvailable", "ReplicaSetUpdated", "ProgressDeadlineExceeded"],
                    "Available": ["MinimumReplicasAvailable", "MinimumReplicasUnavailable"],
                    "ReplicaFailure": ["FailedCreate"],
                }
            ),
        }
    ),
)
