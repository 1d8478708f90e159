"""What the phases of a Pod mean, by hand, and objects as the kubelet may write them."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.catalog.parts import Obj, any_conditions, objects, some, status_of

_WORDS = {"Succeeded": "Completed", "Failed": "Failed", "Running": "Running", "Unknown": "Degraded"}


def status(obj: Obj) -> str:
    return _WORDS.get(status_of(obj).get("phase", "Pending"), "Initializing")


OBJECTS = objects(
    "v1",
    "Pod",
    some({"nodeName": st.just("n"), "containers": st.just([{"name": "c", "image": "i"}])}),
    some(
        {
            "phase": st.sampled_from(["Pending", "Running", "Succeeded", "Failed", "Unknown"]),
            "reason": st.sampled_from(["Evicted", "NodeLost"]),
            "conditions": any_conditions(
                {
                    "PodScheduled": ["Unschedulable", "SchedulingGated"],
                    "Ready": ["ContainersNotReady", "PodCompleted", "PodFailed"],
                }
            ),
        }
    ),
)
