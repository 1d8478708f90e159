"""What the CronJob controller means by its status, by hand, and objects as it may write them."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.catalog.parts import Obj, objects, some, spec_of, status_of


def status(obj: Obj) -> str:
    runs = bool(status_of(obj).get("active"))
    if spec_of(obj).get("suspend"):
        return "Suspending" if runs else "Suspended"
    return "Running" if runs else "Initializing"


_JOB = {"apiVersion": "batch/v1", "kind": "Job", "name": "x-1"}
OBJECTS = objects(
    "batch/v1",
    "CronJob",
    some({"suspend": st.booleans(), "schedule": st.just("@daily")}),
    some(
        {
            "active": st.lists(st.just(_JOB), max_size=3),
            "lastScheduleTime": st.just("2026-01-01T00:00:00Z"),
            "lastSuccessfulTime": st.just("2026-01-01T00:00:00Z"),
        }
    ),
)
