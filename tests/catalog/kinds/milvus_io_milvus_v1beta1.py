"""What Milvus's operator means by its status, by hand, and objects as it may write them."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.catalog.parts import Obj, any_conditions, conditions_of, objects, some, status_of

# what a role leaves open stands with the settings for all of them, or nowhere
READ_ONLY = frozenset(
    {"schedulerNamePath", "priorityClassNamePath", "resourcesPath", "podAffinityPath", "nodeAffinityPath", "imagePath"}
)
WORDS = {"Healthy": "Running", "Unhealthy": "Degraded", "Deleting": "Degraded"}


def status(obj: Obj) -> str:
    word = status_of(obj).get("status", "")
    if word == "Stopped":
        reason = conditions_of(obj).get("MilvusReady", {}).get("reason")
        return "Suspending" if reason == "MilvusStopping" else "Suspended"
    return WORDS.get(word, "Initializing")


OBJECTS = objects(
    "milvus.io/v1beta1",
    "Milvus",
    some({"mode": st.sampled_from(["standalone", "cluster"])}),
    some(
        {
            "status": st.sampled_from(["", "Pending", "Healthy", "Unhealthy", "Stopped", "Deleting"]),
            "conditions": any_conditions(
                {
                    "MilvusReady": [
                        "ReasonMilvusHealthy",
                        "MilvusComponentNotHealthy",
                        "MilvusStopping",
                        "MilvusStopped",
                    ],
                    "MilvusUpdated": ["MilvusComponentsUpdated", "MilvusComponentsUpdating"],
                    "EtcdReady": ["EtcdReady", "EtcdNotReady"],
                }
            ),
        }
    ),
)
