"""What RayCronJob's controller means by its object, by hand, and objects as there may be."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.catalog.parts import Obj, objects, some, spec_of

# without submitterPodTemplate the operator makes the submitter's template from the head's image
TEMPLATE_ELSEWHERE = frozenset({"submitter"})
# no run can be seen in the object, and a suspension needs no time
AT_WORK = "Initializing"
TOLD_TO_SUSPEND = "Suspended"


def status(obj: Obj) -> str:
    return "Suspended" if spec_of(obj).get("suspend") is True else "Initializing"


OBJECTS = objects(
    "ray.io/v1",
    "RayCronJob",
    some({"suspend": st.booleans(), "schedule": st.just("0 * * * *"), "jobTemplate": some({"suspend": st.booleans()})}),
    some({"lastScheduleTime": st.just("2026-11-02T09:00:00Z")}),
)
