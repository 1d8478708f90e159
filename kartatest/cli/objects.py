"""Objects out of a file that a user names: workloads with the pods and owners that come along."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

import click

from kartatest.definition.model import Gvk
from kartatest.errors import FileError, NothingFoundError, UsageError
from kartatest.source import Json, JsonObject, Source


class Workload(NamedTuple):
    """One object to look at, at one moment. definition: the catalog name that its recording states, or ""."""

    obj: JsonObject
    pods: tuple[JsonObject, ...] = ()
    owners: tuple[JsonObject, ...] = ()
    definition: str = ""

    @property
    def gvk(self) -> Gvk:
        """What the object says it is."""
        return Gvk.of(self.obj)


def text(file: str) -> Source:
    """The text of a file, or of stdin for "-". Raises FileError."""
    from kartatest.yamlpos import decoded, read

    found = decoded(sys.stdin.buffer.read(), "<stdin>") if file == "-" else read(Path(file))
    if isinstance(found, Source):
        return found
    raise FileError(f"cannot read {file}: {found.message}")


def workloads(source: Source, *, frame: int | None = None) -> tuple[Workload, ...]:
    """The objects in a text, in order; of a recording the last frame, or the one of that number (from 0).

    Beside other objects, those that an owner controls are no workloads of their own: pods and what stands between go
    along with each workload. Faults in the file are told on stderr. Raises NothingFoundError when nothing is left.
    """
    from kartatest.diagnostics import Severity
    from kartatest.recording.load import load
    from kartatest.report.text import finding

    loaded = load(source)
    for diagnostic in loaded.diagnostics:
        click.echo(finding(diagnostic), err=True, nl=False)
    if not loaded.recordings and any(d.severity >= Severity.ERROR for d in loaded.diagnostics):
        raise FileError(f"{source.name} could not be read")
    if not loaded.recordings:
        raise NothingFoundError(f"there is no object in {source.name}")
    found = []
    for recording in loaded.recordings:
        frames = recording.frames
        if not frames:
            continue
        if frame is not None and not 0 <= frame < len(frames):
            raise UsageError(f"--frame {frame}: {source.name} has the frames 0 to {len(frames) - 1}")
        chosen = frames[-1 if frame is None else frame]
        found.append(Workload(chosen.obj, chosen.pods, chosen.owners, recording.definition))
    return _told_apart(found)


def _told_apart(found: list[Workload]) -> tuple[Workload, ...]:
    owned = [w for w in found if _controlled(w.obj)]
    if not owned or len(owned) == len(found):
        return tuple(found)
    pods = tuple(w.obj for w in owned if w.obj.get("kind") == "Pod" and w.obj.get("apiVersion") == "v1")
    owners = tuple(w.obj for w in owned if not (w.obj.get("kind") == "Pod" and w.obj.get("apiVersion") == "v1"))
    return tuple(
        Workload(w.obj, w.pods + pods, w.owners + owners, w.definition) for w in found if not _controlled(w.obj)
    )


def _controlled(obj: JsonObject) -> bool:
    metadata = obj.get("metadata")
    references: Json = metadata.get("ownerReferences") if isinstance(metadata, dict) else None
    return isinstance(references, list) and any(isinstance(r, dict) and r.get("controller") is True for r in references)


def pods_and_owners(source: Source) -> tuple[tuple[JsonObject, ...], tuple[JsonObject, ...]]:
    """The pods in a text, and all else in it, which may be owners of pods."""
    from kartatest.recording.load import load

    pods: list[JsonObject] = []
    owners: list[JsonObject] = []
    for recording in load(source).recordings:
        for frame in recording.frames[-1:]:
            is_pod = frame.obj.get("kind") == "Pod" and frame.obj.get("apiVersion") == "v1"
            (pods if is_pod else owners).append(frame.obj)
    if not pods:
        raise NothingFoundError(f"there is no pod in {source.name}")
    return tuple(pods), tuple(owners)
