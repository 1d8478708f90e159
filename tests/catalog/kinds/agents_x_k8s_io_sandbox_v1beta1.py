"""What Sandbox's controller means by its v1beta1 status, by hand, and objects as it may write them."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.catalog.parts import Obj, conditions_of, holds, objects, some, type_status

CONFLICT = "Error seen: Operation cannot be fulfilled on pods: the object has been modified"
BY_REASON = {
    "SandboxExpired": "Completed",
    "PodSucceeded": "Completed",
    "PodFailed": "Failed",
    "MultiplePods": "Failed",
}


def status(obj: Obj) -> str:
    conditions = conditions_of(obj)
    confirmed = holds(conditions, "Suspended", "True")
    if obj.get("spec", {}).get("operatingMode") == "Suspended":
        return "Suspended" if confirmed else "Suspending"
    if confirmed:
        return "Resuming"
    if holds(conditions, "Finished", "True"):
        return "Completed" if holds(conditions, "Finished", "True", "PodSucceeded") else "Failed"
    ready = conditions.get("Ready", {})
    if ready.get("status") != "False":
        return "Running" if ready.get("status") == "True" else "Initializing"
    if ready["reason"] == "ReconcilerError":
        return "Initializing" if in_conflict(ready) else "Failed"
    return BY_REASON.get(ready["reason"], "Initializing")


def in_conflict(ready: Obj) -> bool:
    """Whether the error is a write that met another one, which is made again."""
    return "Operation cannot be fulfilled" in ready.get("message", "")


def conditions(reasons: dict[str, list[str]], messages: list[str]) -> st.SearchStrategy[list[Obj]]:
    """Some of the types, each once; Ready perhaps with a message."""

    def one(type_: str) -> st.SearchStrategy[Obj]:
        head = {"type": st.just(type_), "status": type_status, "reason": st.sampled_from(reasons[type_])}
        return st.fixed_dictionaries(head, optional={"message": st.sampled_from(messages)})

    types = st.lists(st.sampled_from(sorted(reasons)), unique=True)
    return types.flatmap(lambda chosen: st.tuples(*map(one, chosen)).map(list))


REASONS = {
    "Ready": ["DependenciesReady", "DependenciesNotReady", "SandboxSuspended", "ReconcilerError", *BY_REASON],
    "Suspended": ["NotSuspended", "PodTerminating", "PodTerminated", "PodStateUnknown"],
    "Finished": ["PodSucceeded", "PodFailed"],
}
OBJECTS = objects(
    "agents.x-k8s.io/v1beta1",
    "Sandbox",
    some({"operatingMode": st.sampled_from(["Running", "Suspended"])}),
    some({"conditions": conditions(REASONS, [CONFLICT, "Pod is Running but not Ready", ""])}),
)
