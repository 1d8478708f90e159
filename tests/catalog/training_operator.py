"""What the training operator means by the status of each of its kinds, by hand, and objects as it may write them."""

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


def objects_of(kind: str) -> st.SearchStrategy[Obj]:
    """Objects of one of its kinds: the reasons bear the kind's name."""
    reasons = {
        "Created": ["Created"],
        "Running": ["Running", "Suspended"],
        "Restarting": ["Restarting"],
        "Succeeded": ["Succeeded"],
        "Failed": ["Failed"],
        "Suspended": ["Suspended", "Resumed"],
    }
    named = {type_: [f"{kind}{word}" for word in words] for type_, words in reasons.items()}
    spec = some({"runPolicy": some({"suspend": st.booleans()})})
    return objects("kubeflow.org/v1", kind, spec, some({"conditions": any_conditions(named)}))
