"""Pod groups as they are against what a recording says they are."""

from __future__ import annotations

from collections.abc import Mapping

from kartatest.gang.model import UID, Gangs, Place, PodGroup

DEFINITION = "definition"
KNOWN: Mapping[str, str | None] = {DEFINITION: None, "kai@2026-08": "kai"}
"""Keys of expectations: the definition's own words, and schedulers with the version that is predicted; each with the
consumer's name for `groups`.
"""

_WORDS = ("default", "refused", "crash", "ignored")


def differences(
    gangs: Gangs, groups: Mapping[str, int | Mapping[str, int]] | None, pods: Mapping[str, str], uid: str
) -> tuple[str, ...]:
    """Lines that say where the groups or the places of the pods are not as expected; () when all are.

    Every group has to be expected, where groups are; pods that are not named are not judged. "<uid>" in a name stands
    for uid.
    """
    lines: list[str] = []
    found = {group.name: group for group in gangs.groups}
    wanted = {name.replace(UID, uid): needs for name, needs in (groups or {}).items()}
    if groups is not None:
        lines += [
            f"group {name!r} is not expected, it needs {_needs(g)}" for name, g in found.items() if name not in wanted
        ]
    for name, needs in wanted.items():
        if name not in found:
            lines.append(f"group {name!r} is expected, and there is none")
        elif _minima(found[name]) != needs:
            lines.append(f"group {name!r} needs {_needs(found[name])}, expected {_shown(needs)}")
    places = {place.pod: place for place in gangs.pods}
    for pod, place in pods.items():
        if pod not in places:
            lines.append(f"pod {pod!r} is not in the frame")
        elif place.replace(UID, uid) not in (real := _places(places[pod])):
            why = f": {places[pod].text}" if places[pod].text else ""
            lines.append(f"pod {pod!r} is {real[0]}{why}, expected {place}")
    return tuple(lines)


def _places(place: Place) -> tuple[str, ...]:
    """How a place may be written: a word for what becomes of the pod, or its group and subgroup."""
    where = " ".join(filter(None, [place.group, place.sub_group]))
    return (where,) if place.outcome == "grouped" else (place.outcome, where) if where else (place.outcome,)


def _minima(group: PodGroup) -> int | Mapping[str, int] | None:
    return {sub.name: sub.min_member for sub in group.sub_groups} if group.sub_groups else group.min_member


def _needs(group: PodGroup) -> str:
    return _shown(_minima(group) or 0)


def _shown(needs: int | Mapping[str, int]) -> str:
    return str(needs) if isinstance(needs, int) else ", ".join(f"{name} {n}" for name, n in needs.items())
