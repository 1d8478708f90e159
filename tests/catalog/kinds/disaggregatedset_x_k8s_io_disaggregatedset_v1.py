"""What DisaggregatedSet's controller means by its status, by hand, and objects as it may write them."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.catalog.parts import Obj, conditions_of, counts, number, objects, some, status_of, type_status

COUNTERS = ("replicas", "readyReplicas", "updatedReplicas")


def status(obj: Obj) -> str:
    conditions, spec = conditions_of(obj), obj.get("spec", {})
    roles = status_of(obj).get("roleStatuses") or []
    available = conditions.get("Available")
    written = available or conditions.get("Progressing")
    seen = number(written.get("observedGeneration"), 9) if written else 9
    if seen < number(obj["metadata"].get("generation")):
        return "Initializing"
    if available and available["status"] == "True":
        return "Running"
    if available and available["status"] == "False":
        updated = all(number(r.get("updatedReplicas")) >= number(r.get("replicas")) for r in roles)
        ready = any(number(r.get("readyReplicas")) for r in roles)
        return "Degraded" if updated and ready else "Initializing"
    if "Progressing" in conditions or not roles:
        return "Initializing"
    by_name = {r["name"]: r for r in reversed(roles)}
    slices = number(spec.get("slices"), 1)
    return (
        "Running"
        if all(_whole(r, by_name.get(r["name"], {}), slices) for r in spec.get("roles", []))
        else "Initializing"
    )


def _whole(role: Obj, found: Obj, slices: int) -> bool:
    groups, ready, updated = (number(found.get(name)) for name in COUNTERS)
    if role.get("scaling", {}).get("mode") == "External":
        return groups > 0 and groups == ready == updated
    return groups == ready == updated == number(role["spec"].get("replicas"), 1) * slices


def _condition(type_: str) -> st.SearchStrategy[Obj]:
    head = {"type": st.just(type_), "status": type_status}
    return st.fixed_dictionaries(head, optional={"observedGeneration": st.integers(1, 3)})


_names = st.sampled_from(["prefill", "decode"])
_role = st.fixed_dictionaries(
    {"name": _names, "spec": some({"replicas": st.integers(0, 2)})},
    optional={"scaling": some({"mode": st.sampled_from(["Static", "External"])})},
)
_found = st.fixed_dictionaries({"name": _names}, optional=dict.fromkeys(COUNTERS, counts))
_types = st.lists(st.sampled_from(["Available", "Progressing"]), unique=True)
OBJECTS = objects(
    "disaggregatedset.x-k8s.io/v1",
    "DisaggregatedSet",
    some({"slices": st.integers(1, 2), "roles": st.lists(_role, max_size=2)}),
    some(
        {
            "roleStatuses": st.lists(_found, max_size=2),
            "conditions": _types.flatmap(lambda chosen: st.tuples(*map(_condition, chosen)).map(list)),
        }
    ),
)
