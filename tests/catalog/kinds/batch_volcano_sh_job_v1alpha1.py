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
    status = status_of(obj)
    phase = (status.get("state") or {}).get("phase", "")
    if phase == "Running" and (status.get("failed") or status.get("unknown")):
        return "Degraded"
    if phase == "Restarting":
        before = [c["status"] for c in status.get("conditions") or [] if c["status"] != phase]
        return "Resuming" if before and before[-1] in ("Aborted", "Aborting") else "Degraded"
    return _WORDS[phase]


OBJECTS = objects(
    "batch.volcano.sh/v1alpha1",
    "Job",
    some(
        {
            "minAvailable": counts,
            "tasks": st.lists(some({"name": st.sampled_from("ab"), "replicas": counts}), max_size=2),
        }
    ),
    some(
        {
            "state": some({"phase": st.sampled_from(sorted(_WORDS))}),
            "conditions": st.lists(st.fixed_dictionaries({"status": st.sampled_from(sorted(_WORDS))}), max_size=3),
            **dict.fromkeys(("running", "failed", "unknown"), counts),
        }
    ),
)
