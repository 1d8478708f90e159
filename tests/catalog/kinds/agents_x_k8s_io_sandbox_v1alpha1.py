"""What Sandbox's controllers mean by their v1alpha1 status, by hand, and objects as they may write them."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.catalog.kinds.agents_x_k8s_io_sandbox_v1beta1 import BY_REASON, CONFLICT, REASONS, conditions, in_conflict
from tests.catalog.parts import Obj, conditions_of, holds, number, objects, some, status_of

BY_MESSAGE = {
    "Pod exists with phase: Succeeded": "Completed",
    "Pod exists with phase: Failed": "Failed",
    "Pod is Running but not Ready": "Degraded",
}
SAID = ["Pod exists with phase: Pending", *BY_MESSAGE]


def status(obj: Obj) -> str:
    conditions = conditions_of(obj)
    ready = conditions.get("Ready", {})
    if holds(conditions, "Ready", "False", "SandboxExpired"):
        return "Completed"
    converted = "Suspended" in conditions
    none = holds(conditions, "Suspended", "True") if converted else not number(status_of(obj).get("replicas"))
    if obj.get("spec", {}).get("replicas") == 0:
        return "Suspended" if none else "Suspending"
    if none and (converted or ready.get("status") == "True"):
        return "Resuming"
    if holds(conditions, "Finished", "True"):
        return "Completed" if holds(conditions, "Finished", "True", "PodSucceeded") else "Failed"
    if ready.get("status") != "False":
        return "Running" if ready.get("status") == "True" else "Initializing"
    of_the_pod, _, _ = str(ready.get("message", "")).partition("; Service ")
    reason, said = BY_REASON.get(ready["reason"]), BY_MESSAGE.get(of_the_pod)
    if "Completed" in (reason, said) or "Failed" in (reason, said):
        return "Completed" if "Completed" in (reason, said) else "Failed"
    if said == "Degraded" and not converted:
        return "Degraded"
    return "Failed" if ready["reason"] == "ReconcilerError" and not in_conflict(ready) else "Initializing"


OBJECTS = objects(
    "agents.x-k8s.io/v1alpha1",
    "Sandbox",
    some({"replicas": st.integers(0, 1)}),
    some(
        {
            "replicas": st.integers(0, 1),
            "conditions": conditions(REASONS, [CONFLICT, "", *SAID, *(f"{said}; Service Exists" for said in SAID)]),
        }
    ),
)
