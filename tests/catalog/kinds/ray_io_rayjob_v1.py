"""What RayJob's controller means by its status, by hand, and objects as it may write them."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.catalog.parts import Obj, counts, number, objects, some, spec_of, status_of

# without submitterPodTemplate the operator makes the submitter's template from the head's image
TEMPLATE_ELSEWHERE = frozenset({"submitter"})
_ENDS = {"Complete": "Completed", "Failed": "Failed", "ValidationFailed": "Failed"}


def status(obj: Obj) -> str:
    asked = spec_of(obj).get("suspend") is True
    deployment, job = status_of(obj).get("jobDeploymentStatus") or "", status_of(obj).get("jobStatus") or ""
    if deployment in _ENDS:
        return _ENDS[deployment]
    if deployment == "Suspended":
        return "Suspended" if asked else "Resuming"
    if deployment == "Suspending" or asked:
        return "Suspending"
    if deployment == "Retrying":
        return "Degraded"
    if deployment == "Running" and job in ("SUCCEEDED", "STOPPED"):
        return "Completed"
    if deployment == "Running" and job == "FAILED":
        again = number(status_of(obj).get("failed")) < number(spec_of(obj).get("backoffLimit"))
        return "Degraded" if again else "Failed"
    return "Running" if deployment == "Running" and job == "RUNNING" else "Initializing"


OBJECTS = objects(
    "ray.io/v1",
    "RayJob",
    some({"suspend": st.booleans(), "backoffLimit": counts}),
    some(
        {
            "jobDeploymentStatus": st.sampled_from(
                ["", "Initializing", "Running", "Running", "Waiting", "Retrying", "Suspending", "Suspended", *_ENDS]
            ),
            "jobStatus": st.sampled_from(["", "PENDING", "RUNNING", "STOPPED", "SUCCEEDED", "FAILED"]),
            "failed": counts,
            "reason": st.sampled_from(["DeadlineExceeded", "AppFailed"]),
        }
    ),
)
