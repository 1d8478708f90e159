"""What LeaderWorkerSet's controller means by its status, by hand, and objects as it may write them."""

from __future__ import annotations

from tests.catalog.parts import Obj, any_conditions, conditions_of, counts, holds, number, objects, some, status_of


def status(obj: Obj) -> str:
    conditions = conditions_of(obj)
    if holds(conditions, "Available", "True"):
        return "Running"
    if holds(conditions, "UpdateInProgress", "True"):
        return "Initializing"
    ready = number(status_of(obj).get("readyReplicas"))
    return "Degraded" if ready and holds(conditions, "Available", "False") else "Initializing"


OBJECTS = objects(
    "leaderworkerset.x-k8s.io/v1",
    "LeaderWorkerSet",
    some({"replicas": counts}),
    some(
        {
            "replicas": counts,
            "readyReplicas": counts,
            "updatedReplicas": counts,
            "conditions": any_conditions(
                {
                    "Progressing": ["GroupsProgressing"],
                    "Available": ["AllGroupsReady"],
                    "UpdateInProgress": ["GroupsUpdating"],
                }
            ),
        }
    ),
)
