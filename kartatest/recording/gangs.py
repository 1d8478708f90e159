"""Reads and writes what a frame says of pod groups: its key `gang`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kartatest.recording import codes
from kartatest.recording.codes import Part, kind_of
from kartatest.recording.model import GangExpectation
from kartatest.source import DocPath, Json

_KEYS = ("groups", "pods")


def expected(part: Part, value: Json, at: DocPath) -> tuple[GangExpectation, ...]:
    """The expectations under a frame's `gang`, in order; () where it is absent. Says what is wrong in part."""
    if value is None:
        return ()
    if not isinstance(value, dict):
        _wrong(part, at, "'gang' must be a mapping of `definition` or a scheduler@version to what it makes", value)
        return ()
    return tuple(_of(part, value, at))


def _of(part: Part, value: Mapping[str, Json], at: DocPath) -> Iterator[GangExpectation]:
    for key, said in value.items():
        place = (*at, key)
        if not isinstance(said, dict):
            _wrong(part, place, f"what {key!r} makes must be a mapping with 'groups' or 'pods'", said)
            continue
        for name in said:
            if name not in _KEYS:
                text = codes.near(name, _KEYS) or "known keys: " + ", ".join(_KEYS)
                part.add(codes.UNKNOWN_KEY, (*place, name), f"unknown key {name!r}", text, on_key=True)
        groups = _groups(part, said.get("groups"), (*place, "groups"))
        yield GangExpectation(key, groups, _pods(part, said.get("pods"), (*place, "pods")), place)


def _groups(part: Part, value: Json, at: DocPath) -> Mapping[str, int | Mapping[str, int]] | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        _wrong(part, at, "'groups' must be a mapping of names to minima", value)
        return None
    found: dict[str, int | Mapping[str, int]] = {}
    for name, needs in value.items():
        if isinstance(needs, dict):
            found[name] = {sub: n for sub, n in needs.items() if _count(part, n, (*at, name, sub))}
        elif _count(part, needs, (*at, name)):
            found[name] = needs
    return found


def _count(part: Part, value: Json, at: DocPath) -> bool:
    if isinstance(value, int) and not isinstance(value, bool):
        return True
    _wrong(part, at, "a minimum must be a whole number, or a mapping of subgroups to such", value)
    return False


def _pods(part: Part, value: Json, at: DocPath) -> Mapping[str, str]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        _wrong(part, at, "'pods' must be a mapping of names to places", value)
        return {}
    for name, place in value.items():
        if not isinstance(place, str):
            _wrong(part, (*at, name), "the place of a pod must be text", place)
    return {name: place for name, place in value.items() if isinstance(place, str)}


def _wrong(part: Part, at: DocPath, message: str, value: Json) -> None:
    part.add(codes.WRONG_TYPE, at, f"{message}, not {kind_of(value)}")


def data(expectations: Sequence[GangExpectation]) -> dict[str, Json]:
    """As a frame holds them."""
    found: dict[str, Json] = {}
    for one in expectations:
        said: dict[str, Json] = {}
        if one.groups is not None:
            said["groups"] = {name: n if isinstance(n, int) else dict(n) for name, n in one.groups.items()}
        if one.pods:
            said["pods"] = dict(one.pods)
        found[one.key] = said
    return found
