"""What NIMCache's controller means by its status, by hand, and objects as it may write them."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.catalog.parts import Obj, any_conditions, conditions_of, holds, objects, some, status_of

READ_ONLY = frozenset({"resourcesPath"})  # the spec's cpu and memory are no ResourceRequirements


def status(obj: Obj) -> str:
    state, conditions = status_of(obj).get("state"), conditions_of(obj)
    if state == "Ready":
        return "Completed"
    if state == "InProgress":
        return "Running"
    if state in ("Failed", "NotReady") or holds(conditions, "NIM_CACHE_JOB_COMPLETED", "False", "JobFailed"):
        return "Failed"
    return "Failed" if holds(conditions, "NIM_CACHE_RECONCILE_FAILED", "True") else "Initializing"


OBJECTS = objects(
    "apps.nvidia.com/v1alpha1",
    "NIMCache",
    some({"resources": st.just({"cpu": "1"})}),
    some(
        {
            "state": st.sampled_from(
                ["", "PVC-Created", "Started", "Pending", "InProgress", "Ready", "Failed", "NotReady"]
            ),
            "conditions": any_conditions(
                {
                    "NIM_CACHE_PVC_CREATED": ["PVCCreated"],
                    "NIM_CACHE_JOB_CREATED": ["JobCreated"],
                    "NIM_CACHE_JOB_PENDING": ["JobPending", "JobRunning"],
                    "NIM_CACHE_JOB_COMPLETED": ["JobCompleted", "JobFailed"],
                    "NIM_CACHE_RECONCILE_FAILED": ["ReconcileFailed", "Reconciled"],
                }
            ),
        }
    ),
)
