"""What KServe means by an LLMInferenceService's status (v1alpha2), by hand, and objects as it may write them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.catalog.parts import Obj, any_conditions, conditions_of, holds, objects, some

# presets may hold what is not in the object
TEMPLATE_ELSEWHERE = frozenset({"main", "worker", "prefill-main", "prefill-worker", "scheduler"})
_STOP = "serving.kserve.io/stop"
_NO_FAULT = {
    "Progressing",
    "MinimumReplicasUnavailable",
    "AllGroupsReady",
    "WaitingForGateway",
    "GatewaysNotReady",
    "HTTPRoutesNotReady",
    "InferencePoolNotReady",
}


def status(obj: Obj) -> str:
    conditions = conditions_of(obj)
    stopped = holds(conditions, "Ready", "False", "Stopped")
    if (obj["metadata"].get("annotations") or {}).get(_STOP, "").lower() == "true":
        return "Suspended" if stopped else "Suspending"
    if stopped:
        return "Resuming"
    if holds(conditions, "Ready", "True"):
        return "Running"
    if holds(conditions, "PresetsCombined", "False"):
        return "Failed"
    fault = holds(conditions, "Ready", "False") and conditions["Ready"].get("reason") not in _NO_FAULT
    return "Failed" if fault else "Initializing"


def _annotated(drawn: tuple[Obj, str | None]) -> Obj:
    obj, stop = drawn
    metadata: dict[str, Any] = dict(obj["metadata"])
    if stop is not None:
        metadata["annotations"] = {_STOP: stop}
    return {**obj, "metadata": metadata}


def objects_of(version: str) -> st.SearchStrategy[Obj]:
    """Objects of that API version, some of them with the annotation that stops."""
    plain = objects(
        f"serving.kserve.io/{version}",
        "LLMInferenceService",
        some({"replicas": st.integers(0, 3)}),
        some(
            {
                "observedGeneration": st.integers(1, 3),
                "conditions": any_conditions(
                    {
                        "Ready": [*sorted(_NO_FAULT), "Stopped", "RefsInvalid", "ReconcileSingleNodeWorkloadError"],
                        "PresetsCombined": ["ConfigNotFound", "ValidationUnavailable"],
                        "WorkloadsReady": ["Stopped", "Progressing"],
                        "RouterReady": ["GatewaysNotReady"],
                    }
                ),
            }
        ),
    )
    return st.tuples(plain, st.none() | st.sampled_from(["true", "True", "false"])).map(_annotated)


OBJECTS = objects_of("v1alpha2")
