"""A recording: one workload through time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from kartatest.source import DocPath, Json, JsonObject
from kartatest.value import value


@value
class GangExpectation:
    """The pod groups that a person says there are at one moment.

    key: by whose words: "definition", or a scheduler and its version ("kai@2026-08").
    groups: every group's name, with its minimum, or the minima of its subgroups by name; None where nobody said.
    pods: names of pods, each with its group and subgroup ("pg-<uid>-gang lead"), or with the word for what becomes of
    it ("refused"); pods that are not named are not judged. "<uid>" stands for the workload's uid.
    """

    key: str
    groups: Mapping[str, int | Mapping[str, int]] | None = None
    pods: Mapping[str, str] = field(default_factory=dict)
    at: DocPath = field(default=(), compare=False)


@value
class Frame:
    """One moment. obj is the whole object (merge patches applied); pods and owners are whole objects.

    expected: statuses that a person or a predicate over the object's own fields says hold; None where nobody said.
    at: where the frame stands in its file. note: what a person wants to say about it. gang: expected pod groups.
    """

    index: int
    obj: JsonObject
    pods: tuple[JsonObject, ...] = ()
    owners: tuple[JsonObject, ...] = ()
    expected: tuple[str, ...] | None = None
    at: DocPath = ()
    document: int = 0
    note: str = ""
    gang: tuple[GangExpectation, ...] = ()


@value
class Recording:
    """One flow. file is the name of its source as the user knows it.

    definition is "" where the file does not say (a plain manifest); operator, version and flow likewise.
    want is the status the last frame should read, None where nobody said. part tells the recordings of one file
    apart: "" when it holds only one.
    """

    file: str
    definition: str
    operator: str
    version: str
    flow: str
    frames: tuple[Frame, ...]
    want: str | None = None
    source: Json = None
    part: str = ""

    @property
    def name(self) -> str:
        """Short name for people and test ids: "v0.12.0-resumed", or the file's stem."""
        return f"{self.version}-{self.flow}" if self.version else self.flow
