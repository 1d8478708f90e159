"""What an edit asks for, and what it made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kartatest.source import DocPath, Json, JsonObject
from kartatest.value import value


class Word:
    """A value that is only itself, also after copying."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name

    def __copy__(self) -> Word:
        return self

    def __deepcopy__(self, memo: object) -> Word:
        return self

    def __reduce__(self) -> str:
        return self._name


ABSENT: Final = Word("ABSENT")
"""In a Change: there is no such key; unlike None, which is a null that is written down (Q44)."""

CLEAR: Final = Word("CLEAR")
"""In a patch: take the key out (Q24)."""


@value
class Change:
    """One place that is written differently. old or new is ABSENT where the key is not there; never both."""

    path: DocPath
    old: Json
    new: Json


@value
class Edited:
    """The object after an edit, all its own, and the changes in the object's order. () when it was so already.

    notes are sentences for people: what an edit left alone, or changed beside what was asked for.
    """

    obj: JsonObject
    changes: tuple[Change, ...] = ()
    notes: tuple[str, ...] = ()


@value
class PodPatch:
    """What to change in pods. None leaves alone, CLEAR takes out; nothing is ever written as null.

    Maps merge, scalars and lists replace, containers merge by name (semantics 5.4). image, requests and limits are of
    the container named, "" being the only one there is; images go by container. template is a patch in the form of a
    PodTemplateSpec; where it and a field say different things, the field counts.
    """

    scheduler_name: str | Word | None = None
    priority_class: str | Word | None = None
    labels: Mapping[str, str | Word] | None = None
    annotations: Mapping[str, str | Word] | None = None
    image: str | None = None
    requests: Mapping[str, str | int | Word] | None = None
    limits: Mapping[str, str | int | Word] | None = None
    container: str = ""
    images: Mapping[str, str] | None = None
    node_affinity: JsonObject | Word | None = None
    pod_affinity: JsonObject | Word | None = None
    template: JsonObject | None = None
