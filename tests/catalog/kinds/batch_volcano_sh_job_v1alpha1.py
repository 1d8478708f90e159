"""What the phases of a Volcano Job mean, by hand, and objects as its controller may write them."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.catalog.parts import Obj, counts, objects, some, status_of

_WORDS = {
    "": "Initializing",
    "Pending": "Initializing",
    "Running": "Running",
    "Completing": "Running",
    "Completed": "Completed",
    "Restarting": "Degraded",
    "Terminating": "Degraded",
    "Terminated": "Failed",
    "Failed": "Failed",
    "Aborting": "Suspending",
    "Aborted": "Suspended",
}


def status(obj: Obj) -> str:
    return _WORDS[(status_of(obj).get("state") or {}).get("phase", "")]


OBJECTS = objects(
    "batch.volcano.sh/v1alpha1",
    "Job",
    some(
        {
            "minAvailable": counts,
            "tasks": st.lists(some({"name": st.sampled_from("ab"), "replicas": counts}), max_size=2),
        }
    ),
    some({"state": some({"phase": st.sampled_from(sorted(_WORDS))}), "running": counts, "failed": counts}),
)
