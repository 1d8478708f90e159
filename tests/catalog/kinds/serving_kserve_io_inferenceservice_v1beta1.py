"""What KServe means by an InferenceService's status, by hand, and objects as it may write them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.catalog.parts import Obj, any_conditions, conditions_of, holds, objects, some, status_of

# the container is a runtime's, and a role may be nothing but a count
TEMPLATE_ELSEWHERE = frozenset({"predictor", "worker", "transformer", "explainer"})
_STOP = "serving.kserve.io/stop"


def status(obj: Obj) -> str:
    status, conditions = status_of(obj), conditions_of(obj)
    stopped = holds(conditions, "Stopped", "True")
    if (obj["metadata"].get("annotations") or {}).get(_STOP, "").lower() == "true":
        return "Suspended" if stopped else "Suspending"
    if stopped:
        return "Resuming"
    down = holds(conditions, "TransformerReady", "False") or holds(conditions, "ExplainerReady", "False")
    if holds(conditions, "Ready", "True") and not down:
        return "Running"
    model = status.get("modelStatus") or {}
    if model.get("transitionStatus") in ("BlockedByFailedLoad", "InvalidSpec"):
        return "Degraded" if (model.get("states") or {}).get("activeModelState") == "Loaded" else "Failed"
    roles = (status.get("components") or {}).values()
    served = bool(status.get("url")) and all(role.get("url") for role in roles)
    return "Degraded" if (down or holds(conditions, "Ready", "False")) and served else "Initializing"


def _annotated(drawn: tuple[Obj, str | None]) -> Obj:
    obj, stop = drawn
    metadata: dict[str, Any] = dict(obj["metadata"])
    if stop is not None:
        metadata["annotations"] = {_STOP: stop}
    return {**obj, "metadata": metadata}


_ROLE = st.sampled_from([{}, {"url": "http://role.x.example"}])
_plain = objects(
    "serving.kserve.io/v1beta1",
    "InferenceService",
    some({"predictor": some({"minReplicas": st.integers(0, 3)})}),
    some(
        {
            "url": st.just("http://x.example"),
            "components": some({"predictor": _ROLE, "transformer": _ROLE}),
            "observedGeneration": st.integers(1, 3),
            "modelStatus": some(
                {
                    "transitionStatus": st.sampled_from(
                        ["InProgress", "UpToDate", "BlockedByFailedLoad", "InvalidSpec"]
                    ),
                    "states": some({"activeModelState": st.sampled_from(["", "Pending", "Loaded", "FailedToLoad"])}),
                    "lastFailureInfo": st.just({"reason": "ModelLoadFailed"}),
                }
            ),
            "conditions": any_conditions(
                {
                    "Ready": ["MinimumReplicasUnavailable", "Stopped"],
                    "PredictorReady": ["MinimumReplicasUnavailable", "Stopped"],
                    "TransformerReady": ["MinimumReplicasUnavailable"],
                    "ExplainerReady": ["MinimumReplicasUnavailable"],
                    "RoutesReady": [""],
                    "Stopped": [""],
                }
            ),
        }
    ),
)
OBJECTS = st.tuples(_plain, st.none() | st.sampled_from(["true", "True", "false"])).map(_annotated)
