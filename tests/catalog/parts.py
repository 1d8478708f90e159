"""What the modules of this folder share: parts of an object, and strategies for the fields a controller writes."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

type_status = st.sampled_from(["True", "False", "Unknown"])
counts = st.integers(0, 3)
Obj = dict[str, Any]


def status_of(obj: Obj) -> Obj:
    return obj.get("status") or {}


def spec_of(obj: Obj) -> Obj:
    return obj.get("spec") or {}


def conditions_of(obj: Obj) -> dict[str, Obj]:
    """Conditions of the object by type."""
    return {c["type"]: c for c in status_of(obj).get("conditions") or []}


def holds(conditions: dict[str, Obj], type_: str, status: str, reason: str | None = None) -> bool:
    """Whether a condition is there with this status and, where given, this reason."""
    found = conditions.get(type_)
    return found is not None and found["status"] == status and (reason is None or found.get("reason") == reason)


def number(value: Any, default: int = 0) -> int:
    return default if value is None else int(value)


def some(fields: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[Obj]:
    """Any part of the fields, as a controller leaves out what is 0 or not known yet."""
    return st.fixed_dictionaries({}, optional=fields)


def any_conditions(reasons: dict[str, list[str]]) -> st.SearchStrategy[list[Obj]]:
    """Some of the types, each once, in any order; per type the reasons it may carry."""

    def condition(type_: str) -> st.SearchStrategy[Obj]:
        return st.fixed_dictionaries(
            {"type": st.just(type_), "status": type_status, "reason": st.sampled_from(reasons[type_])}
        )

    types = st.lists(st.sampled_from(sorted(reasons)), unique=True)
    return types.flatmap(lambda chosen: st.tuples(*map(condition, chosen)).map(list))


def objects(
    api_version: str, kind: str, spec: st.SearchStrategy[Obj], status: st.SearchStrategy[Obj]
) -> st.SearchStrategy[Obj]:
    """Objects of a kind with that spec, with or without that status."""
    metadata = st.fixed_dictionaries({"name": st.just("x")}, optional={"generation": st.integers(1, 3)})
    head: dict[str, st.SearchStrategy[Any]] = {
        "apiVersion": st.just(api_version),
        "kind": st.just(kind),
        "metadata": metadata,
        "spec": spec,
    }
    return st.fixed_dictionaries(head, optional={"status": status})
