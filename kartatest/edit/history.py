"""Which of the states that a workload went through is the one from before it was suspended."""

from __future__ import annotations

from collections.abc import Sequence

from kartatest.definition.model import Definition, Gvk
from kartatest.edit.actions import suspends
from kartatest.errors import EditError, NothingFoundError
from kartatest.source import JsonObject


def before_suspending(
    definition: Definition, obj: JsonObject, states: Sequence[JsonObject], *, component: str | None = None
) -> JsonObject:
    """The last of the states, oldest first, in which the same object was not suspended: suspending would change it.

    Raises NothingFoundError without one.
    """
    own = [s for s in states if _key(s) == _key(obj)]
    if not own:
        raise NothingFoundError(f"there is no earlier state of {Gvk.of(obj)} {_key(obj)[-1]!r}")
    for state in reversed(own):
        try:
            if suspends(definition, state, component=component):
                return state
        except EditError:
            continue
    raise NothingFoundError(f"in its earlier states {Gvk.of(obj)} {_key(obj)[-1]!r} is suspended already")


def _key(obj: JsonObject) -> tuple[str, ...]:
    gvk, metadata = Gvk.of(obj), obj.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    return gvk.group, gvk.kind, str(metadata.get("namespace") or ""), str(metadata.get("name") or "")
