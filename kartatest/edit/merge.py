"""Patches merged into what is there: maps key by key, containers by name, all else replaced (semantics 5.4)."""

from __future__ import annotations

from kartatest.edit.model import CLEAR
from kartatest.edit.places import shown
from kartatest.edit.target import listed
from kartatest.edit.values import fresh
from kartatest.source import DocPath, Json

NAMED_LISTS = ("containers", "initContainers", "ephemeralContainers")


class Unmergeable(Exception):  # noqa: N818 - a signal within this package, it ends as a reason of an EditError
    """Why a patch does not go into what is there."""


def merged(value: Json, patch: Json, at: DocPath) -> Json:
    """The value with the patch in it; at is where the value stands in a PodTemplateSpec. Raises Unmergeable.

    Maps merge, CLEAR takes a key out, containers merge by name, everything else is replaced.
    """
    if at[:1] == ("spec",) and len(at) == 2 and at[1] in NAMED_LISTS:
        return containers_merged(value, patch)
    if not isinstance(patch, dict):
        return fresh(patch)
    if value is not None and not isinstance(value, dict):
        raise Unmergeable(f"{shown(at)} is no object there")
    made = dict(value or {})
    for key, part in patch.items():
        if part is CLEAR:
            made.pop(key, None)
        elif made.get(key) is not None or not only_clears(part):
            made[key] = merged(made.get(key), part, (*at, key))
    return made


def only_clears(patch: Json) -> bool:
    """Whether a patch does nothing but take keys out. {} is a value to write."""
    return isinstance(patch, dict) and bool(patch) and all(p is CLEAR or only_clears(p) for p in patch.values())


def containers_merged(value: Json, patch: list[dict[str, Json]]) -> Json:
    """The list with each entry of the patch merged into the container of its name. Raises Unmergeable.

    An entry without a name, if it is the only one, goes to the only container.
    """
    made = list(value) if isinstance(value, list) else []
    names = [c.get("name") if isinstance(c, dict) else None for c in made]
    for entry in patch:
        name = entry.get("name")
        if name is None and len(made) != 1:
            there = f"there are the containers {listed([str(n) for n in names])}" if made else "there are no containers"
            raise Unmergeable(f"the patch names no container, and {there}")
        if name is not None and names.count(name) != 1:
            raise Unmergeable(
                f"there is no container {name!r}, only {listed([str(n) for n in names])}"
                if name not in names
                else f"several containers are named {name!r}"
            )
        index = 0 if name is None else names.index(name)
        if not isinstance(made[index], dict):
            raise Unmergeable(f"container {index} is no object")
        made[index] = merged(made[index], entry, ("container",))
    return made
