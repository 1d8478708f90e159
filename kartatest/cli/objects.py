"""Objects out of a file that a user names: workloads with the pods and owners that come along."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from kartatest.definition.model import Gvk
from kartatest.errors import FileError, NothingFoundError, UsageError
from kartatest.source import Json, JsonObject, Source

if TYPE_CHECKING:
    from kartatest.diagnostics import Diagnostic
    from kartatest.recording.load import Loaded


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
    if file == "-":
        return decoded(sys.stdin.buffer.read(), "<stdin>")
    from kartatest.yamlpos import read

    return _text(read(Path(file)), file)


def decoded(data: bytes, name: str) -> Source:
    """Bytes as text. Raises FileError where they are none, or too many."""
    from kartatest.yamlpos import decoded as as_text

    return _text(as_text(data, name), name)


def _text(found: Source | Diagnostic, name: str) -> Source:
    if isinstance(found, Source):
        return found
    raise FileError(f"cannot read {name}: {found.message}")


def workloads(source: Source, *, frame: int | None = None) -> tuple[Workload, ...]:
    """The objects in a text, in order; of a recording the last frame, or the one of that number (from 0).

    Beside other objects, those that an owner controls are no workloads of their own: pods and what stands between go
    along with each workload. Faults in the file are told on stderr. Raises NothingFoundError when nothing is left.
    """
    alone = _alone(source) if frame is None else None
    if alone is not None:
        return (Workload(alone),)
    loaded = _loaded(source)
    if not loaded.recordings:
        raise NothingFoundError(f"there is no object in {source.name}")
    found = []
    for recording in loaded.recordings:
        frames = recording.frames
        if not frames:
            continue
        if frame is not None and not 0 <= frame < len(frames):
            raise no_frame(frame, source, len(frames))
        chosen = frames[-1 if frame is None else frame]
        found.append(Workload(chosen.obj, chosen.pods, chosen.owners, recording.definition))
    return told_apart(found)


def states(source: Source) -> tuple[JsonObject, ...]:
    """Every state of every object in a text, in order: all frames of recordings, all documents."""
    return tuple(frame.obj for recording in _loaded(source).recordings for frame in recording.frames)


def no_frame(frame: int, source: Source, count: int) -> UsageError:
    """What is wrong with a call for a frame that a recording of so many frames does not have."""
    return UsageError(
        f"--frame {frame}: {source.name} has " + (f"the frames 0 to {count - 1}" if count > 1 else "only frame 0")
    )


def told_apart(found: Sequence[Workload]) -> tuple[Workload, ...]:
    """Those that nothing else in the file owns, with the rest as their pods and owners."""
    here = {key for w in found for key in _identities(w.obj)}
    owners = [_owner_keys(w.obj) for w in found]
    owned = [any(key in here for key in keys) for keys in owners]
    pods = [bool(keys) and is_pod(w.obj) for w, keys in zip(found, owners, strict=True)]
    if not all(a or b for a, b in zip(owned, pods, strict=True)):
        owned = [a or b for a, b in zip(owned, pods, strict=True)]  # what owns the pods may be left out of the file
    if not any(owned) or all(owned):
        return tuple(found)
    rest = [w.obj for w, is_owned in zip(found, owned, strict=True) if is_owned]
    live = tuple([obj for obj in rest if is_pod(obj)])
    between = tuple([obj for obj in rest if not is_pod(obj)])
    tops = [w for w, is_owned in zip(found, owned, strict=True) if not is_owned]
    return tuple([Workload(w.obj, w.pods + live, w.owners + between, w.definition) for w in tops])


def is_pod(obj: JsonObject) -> bool:
    """Whether the object is a Pod."""
    return obj.get("kind") == "Pod" and obj.get("apiVersion") == "v1"


_Key = tuple[str, ...]


def _identities(obj: JsonObject) -> Iterator[_Key]:
    metadata = obj.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    yield from _keys(metadata.get("uid"), obj.get("kind"), metadata.get("name"))


def _owner_keys(obj: JsonObject) -> list[_Key]:
    """What the controller's reference says: its uid, or where there is none its kind and name."""
    metadata = obj.get("metadata")
    references: Json = metadata.get("ownerReferences") if isinstance(metadata, dict) else None
    keys: list[_Key] = []
    for reference in references if isinstance(references, list) else ():
        if isinstance(reference, dict) and reference.get("controller") is True:
            named = list(_keys(reference.get("uid"), reference.get("kind"), reference.get("name")))
            keys += named[:1]
    return keys


def _keys(uid: Json, kind: Json, name: Json) -> Iterator[_Key]:
    if isinstance(uid, str) and uid:
        yield (uid,)
    if isinstance(kind, str) and isinstance(name, str) and name:
        yield (kind, name)


def pods_and_owners(source: Source) -> tuple[tuple[JsonObject, ...], tuple[JsonObject, ...]]:
    """The pods in a text, and all else in it, which may be owners of pods. An empty list is no pods.

    Raises NothingFoundError where there are objects but no pods, FileError where the text cannot be read.
    """
    loaded = _loaded(source)
    pods: list[JsonObject] = []
    owners: list[JsonObject] = []
    for recording in loaded.recordings:
        for frame in recording.frames[-1:]:
            (pods if is_pod(frame.obj) else owners).append(frame.obj)
    if owners and not pods:
        raise NothingFoundError(f"there is no pod in {source.name}")
    return tuple(pods), tuple(owners)


_SHORT = 200_000
_MANY = ("\n---", "\nframes:", "List", "WatchEvent")
NO_WORKLOADS = ("Karta", "ResourceInterface", "Status", "Event")


def _alone(source: Source) -> JsonObject | None:
    """The object of a short text that holds just one and has no fault, as most do; None says nothing.

    Reading recordings costs a short call a twentieth of its time, and there is none to read here.
    """
    text = source.text
    if len(text) > _SHORT or text.lstrip().startswith("{") or any(word in text for word in _MANY):
        return None
    from kartatest.yamlpos import documents

    read = documents(source)
    if len(read.documents) != 1 or read.diagnostics:
        return None
    obj = read.documents[0].value
    if not isinstance(obj, dict) or "metadata" not in obj:
        return None
    gvk = Gvk.of(obj)
    return obj if gvk.version and gvk.kind and gvk.kind not in NO_WORKLOADS else None


def _loaded(source: Source) -> Loaded:
    """What the text holds; faults are told on stderr, and a text that holds nothing but faults is a FileError."""
    from kartatest.diagnostics import Severity
    from kartatest.recording.load import load
    from kartatest.report.text import finding

    loaded = load(source)
    for diagnostic in loaded.diagnostics:
        click.echo(finding(diagnostic), err=True, nl=False)
    if not loaded.recordings and any(d.severity >= Severity.ERROR for d in loaded.diagnostics):
        raise FileError(f"{source.name} could not be read")
    return loaded
