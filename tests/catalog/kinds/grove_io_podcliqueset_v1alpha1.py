"""What PodCliqueSet's controller means by its status, by hand, and objects as it may write them."""

from __future__ import annotations

from tests.catalog.parts import Obj, any_conditions, conditions_of, counts, holds, number, objects, some, status_of

READ_ONLY = frozenset({"metadataPath"})  # labels and annotations stand among the other fields of a clique
EMPTY = "Running"  # replicas is 0 by default, and 0 wanted are all there


def status(obj: Obj) -> str:
    status = status_of(obj)
    wanted = number(obj.get("spec", {}).get("replicas"))
    available = number(status.get("availableReplicas"))
    if holds(conditions_of(obj), "TopologyLevelsUnavailable", "True"):
        return "Degraded" if available > 0 else "Failed"
    if available >= wanted:
        return "Running"
    complete = number(status.get("replicas")) == number(status.get("updatedReplicas")) == wanted
    seen = number(status.get("observedGeneration")) >= number(obj["metadata"].get("generation"))
    return "Degraded" if available > 0 and complete and seen else "Initializing"


OBJECTS = objects(
    "grove.io/v1alpha1",
    "PodCliqueSet",
    some({"replicas": counts}),
    some(
        {
            "replicas": counts,
            "availableReplicas": counts,
            "updatedReplicas": counts,
            "observedGeneration": counts,
            "conditions": any_conditions(
                {
                    "TopologyLevelsUnavailable": [
                        "ClusterTopologyLevelsUnavailable",
                        "AllClusterTopologyLevelsAvailable",
                        "ClusterTopologyNotFound",
                    ]
                }
            ),
        }
    ),
)
