"""What the StatefulSet controller means by its status, by hand, and objects as it may write them."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.catalog.parts import Obj, counts, number, objects, some, spec_of, status_of


def status(obj: Obj) -> str:
    status, spec = status_of(obj), spec_of(obj)
    generation = number((obj.get("metadata") or {}).get("generation"))
    if not status or number(status.get("observedGeneration"), generation) < generation:
        return "Initializing"
    wanted = number(spec.get("replicas"), 1)
    strategy = spec.get("updateStrategy") or {}
    rolls = strategy.get("type", "RollingUpdate") == "RollingUpdate"
    rolls = rolls and not (strategy.get("rollingUpdate") or {}).get("partition")
    if status.get("replicas") != wanted or (rolls and number(status.get("updatedReplicas")) != wanted):
        return "Initializing"
    ready = number(status.get("readyReplicas"))
    if ready >= wanted:
        return "Running"
    return "Degraded" if ready else "Initializing"


_STRATEGY = some(
    {
        "type": st.sampled_from(["RollingUpdate", "RollingUpdate", "OnDelete"]),
        "rollingUpdate": some({"partition": st.integers(0, 1)}),
    }
)
OBJECTS = objects(
    "apps/v1",
    "StatefulSet",
    some({"replicas": counts, "updateStrategy": _STRATEGY}),
    some(
        {
            "observedGeneration": st.integers(1, 3),
            **dict.fromkeys(("replicas", "readyReplicas", "availableReplicas", "updatedReplicas"), counts),
        }
    ),
)
