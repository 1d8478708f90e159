"""What an Argo Workflow's controller means by its status, by hand, and objects as it may write them."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.catalog.parts import Obj, any_conditions, conditions_of, holds, objects, some, spec_of, status_of

_ENDS = {"Succeeded": "Completed", "Failed": "Failed", "Error": "Failed"}


def status(obj: Obj) -> str:
    phase = status_of(obj).get("phase", "")
    if phase in _ENDS:
        return _ENDS[phase]
    if spec_of(obj).get("suspend"):
        return "Suspending" if holds(conditions_of(obj), "PodRunning", "True") else "Suspended"
    return "Running" if phase == "Running" else "Initializing"


_NODES = st.dictionaries(
    st.sampled_from(["x-1", "x-2"]),
    some(
        {
            "type": st.sampled_from(["Pod", "Steps", "Suspend"]),
            "templateName": st.sampled_from("ab"),
            "phase": st.sampled_from(["Pending", "Running", "Succeeded"]),
        }
    ),
)
_TEMPLATES = st.lists(
    some({"name": st.sampled_from("ab"), "container": st.just({"image": "i"}), "steps": st.just([])}), max_size=2
)
OBJECTS = objects(
    "argoproj.io/v1alpha1",
    "Workflow",
    some({"suspend": st.booleans(), "templates": _TEMPLATES}),
    some(
        {
            "phase": st.sampled_from(["", "Pending", "Running", *_ENDS]),
            "conditions": any_conditions({"PodRunning": [""], "Completed": [""]}),
            "nodes": _NODES,
        }
    ),
)
