"""What Knative Serving means by a Service's status, by hand, and objects as it may write them."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.catalog.parts import Obj, any_conditions, conditions_of, holds, objects, some, status_of


def status(obj: Obj) -> str:
    status, conditions = status_of(obj), conditions_of(obj)
    if status.get("observedGeneration") != obj["metadata"].get("generation"):
        return "Initializing"
    if holds(conditions, "Ready", "True"):
        return "Running"
    if not holds(conditions, "Ready", "False"):
        return "Initializing"
    served = {t.get("revisionName") for t in status.get("traffic") or []} - {None}
    return "Degraded" if status.get("latestReadyRevisionName") in served else "Failed"


_revisions = st.sampled_from(["x-00001", "x-00002"])
OBJECTS = objects(
    "serving.knative.dev/v1",
    "Service",
    some({"traffic": st.just([{"latestRevision": True, "percent": 100}])}),
    some(
        {
            "observedGeneration": st.integers(1, 2),
            "latestCreatedRevisionName": _revisions,
            "latestReadyRevisionName": _revisions,
            "traffic": st.lists(some({"revisionName": _revisions, "percent": st.just(50)}), max_size=2),
            "conditions": any_conditions(
                {
                    "ConfigurationsReady": ["RevisionFailed", "OutOfDate"],
                    "Ready": ["RevisionFailed", "RevisionMissing", "NotOwned"],
                    "RoutesReady": ["TrafficNotMigrated"],
                }
            ),
        }
    ),
)
