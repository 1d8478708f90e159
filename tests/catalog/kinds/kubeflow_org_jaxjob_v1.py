"""What JAXJob's controller means by its status, by hand, and objects as it may write them."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.catalog.parts import Obj, any_conditions, conditions_of, holds, objects, some


def status(obj: Obj) -> str:
    conditions = conditions_of(obj)
    suspend = (obj.get("spec", {}).get("runPolicy") or {}).get("suspend")
    if holds(conditions, "Succeeded", "True"):
        return "Completed"
    if holds(conditions, "Failed", "True"):
        return "Failed"
    if holds(conditions, "Suspended", "True") and suspend is not False:  # absent asks for nothing
        return "Suspended"
    if suspend:
        return "Suspending"
    if holds(conditions, "Suspended", "True"):
        return "Resuming"
    if holds(conditions, "Running", "True"):
        return "Running"
    return "Degraded" if holds(conditions, "Restarting", "True") else "Initializing"


OBJECTS = objects(
    "kubeflow.org/v1",
    "JAXJob",
    some({"runPolicy": some({"suspend": st.booleans()})}),
    some(
        {
            "conditions": any_conditions(
                {
                    "Created": ["JAXJobCreated"],
                    "Running": ["JAXJobRunning", "JAXJobSuspended"],
                    "Restarting": ["JAXJobRestarting"],
                    "Succeeded": ["JAXJobSucceeded"],
                    "Failed": ["JAXJobFailed"],
                    "Suspended": ["JAXJobSuspended", "JAXJobResumed"],
                }
            ),
        }
    ),
)
