"""What DynamoGraphDeployment's controller means by its status, by hand, and objects as it may write them."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.catalog.parts import Obj, any_conditions, counts, objects, some, status_of

READ_ONLY = frozenset({"resourcesPath"})  # gpu and custom stand beside cpu and memory, in a shape of their own
WORDS = {"successful": "Running", "failed": "Failed"}


def status(obj: Obj) -> str:
    return WORDS.get(status_of(obj).get("state", ""), "Initializing")


OBJECTS = objects(
    "nvidia.com/v1alpha1",
    "DynamoGraphDeployment",
    some({"annotations": st.just({"a": "b"})}),
    some(
        {
            "state": st.sampled_from(["", "initializing", "pending", "successful", "failed"]),
            "observedGeneration": counts,
            "conditions": any_conditions({"Ready": ["all_resources_are_ready", "some_resources_are_not_ready"]}),
        }
    ),
)
