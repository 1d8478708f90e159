"""What NIMService's controller means by its status, by hand, and objects as it may write them."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.catalog.parts import Obj, any_conditions, counts, objects, some, status_of

WORDS = {"Ready": "Running", "Failed": "Failed"}


def status(obj: Obj) -> str:
    return WORDS.get(status_of(obj).get("state", ""), "Initializing")


OBJECTS = objects(
    "apps.nvidia.com/v1alpha1",
    "NIMService",
    some({"replicas": counts}),
    some(
        {
            "state": st.sampled_from(["", "PVC-Created", "Pending", "NotReady", "Ready", "Failed"]),
            "availableReplicas": counts,
            "conditions": any_conditions(
                {
                    "Ready": ["Ready", "NotReady", "NIMCacheNotReady", "Failed"],
                    "Failed": ["Ready", "NIMCacheNotFound", "NIMCacheFailed", "DeploymentFailed"],
                    "NIM_CACHE_PVC_CREATED": ["PVCCreated"],
                }
            ),
        }
    ),
)
