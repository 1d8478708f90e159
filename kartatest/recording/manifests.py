"""Recordings out of what others write: manifests, lists, watch dumps, and recorded-flow files of `schemaVersion: 1`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePath

from kartatest.recording import codes
from kartatest.recording.codes import Part, kind_of
from kartatest.recording.model import Frame, Recording
from kartatest.source import DocPath, Json, JsonObject
from kartatest.value import value

SUFFIXES = (".yaml", ".yml", ".json")

# Objects that never are a workload's state: definitions, and what kubectl says about its own call.
_NO_STATES = frozenset(
    {("run.ai", "Karta"), ("optimization.nvidia.com", "ResourceInterface"), ("", "Status"), ("", "Event")}
)


def stem(file: str) -> str:
    """The name of a file without folder and suffix; "stdin" for "<stdin>"."""
    name = PurePath(file).name
    return next((name.removesuffix(s) for s in SUFFIXES if name.endswith(s)), name).strip("<>")


def default_flow(file: str, version: str) -> str:
    """The flow that a file's name says: "resumed" for "v0.12.0-resumed.yaml" of version v0.12.0."""
    return stem(file).removeprefix(f"{version}-") if version else stem(file)


def has_kind(obj: JsonObject) -> bool:
    """Whether an object says what it is."""
    return all(isinstance(obj.get(key), str) and obj[key] for key in ("apiVersion", "kind"))


@value
class State:
    """One object as it stands in a document."""

    obj: JsonObject
    at: DocPath
    document: int


def states(part: Part) -> Iterator[State]:
    """The objects in a document, in order: itself, a list's items, or a watch event's object. Says what is neither."""
    yield from _states(part, part.document.value, ())


def _states(part: Part, value: Json, at: DocPath) -> Iterator[State]:
    if not isinstance(value, dict):
        part.add(codes.NO_RECORDING, at, f"neither a recording nor a Kubernetes object, but {kind_of(value)}")
    elif isinstance(value.get("object"), dict) and isinstance(value.get("type"), str) and "metadata" not in value:
        if value["type"] not in ("BOOKMARK", "ERROR"):
            yield from _states(part, value["object"], (*at, "object"))
    elif isinstance(value.get("items"), list) and str(value.get("kind", "List")).endswith("List") and not at:
        kind, api_version = str(value.get("kind", "List")).removesuffix("List"), value.get("apiVersion")
        for index, item in enumerate(value["items"]):
            if isinstance(item, dict) and kind:  # the API server leaves the kind out inside a list of one kind
                item = {"apiVersion": api_version, "kind": kind} | item
            yield from _states(part, item, ("items", index))
    elif has_kind(value):
        if (value["apiVersion"].rpartition("/")[0], value["kind"]) not in _NO_STATES:
            yield State(value, at, part.index)
    else:
        help_text = "a recording has 'frames', an object 'apiVersion' and 'kind'"
        part.add(codes.NO_RECORDING, at, "neither a recording nor a Kubernetes object", help_text)


def flows(file: str, found: Iterable[State]) -> tuple[Recording, ...]:
    """One recording per object, in the order of first appearance; its states are the frames, with no expectations."""
    grouped: dict[tuple[str, str, str, str], list[State]] = {}
    for state in found:
        grouped.setdefault(_identity(state.obj), []).append(state)
    kinds_and_names = [(kind, name) for _, kind, _, name in grouped]
    recordings = []
    for (_, kind, namespace, name), frames in grouped.items():
        part = ""
        if len(grouped) > 1:
            twins = kinds_and_names.count((kind, name)) > 1
            part = "-".join(filter(None, (kind.lower(), namespace if twins else "", name)))
        recordings.append(
            Recording(
                file=file,
                definition="",
                operator="",
                version="",
                flow="-".join(filter(None, (stem(file), part))),
                frames=tuple(Frame(i, s.obj, at=s.at, document=s.document) for i, s in enumerate(frames)),
                part=part,
            )
        )
    return tuple(recordings)


def _identity(obj: JsonObject) -> tuple[str, str, str, str]:
    """Group, kind, namespace and name: what makes two states those of one object, whatever their version."""
    metadata = obj.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    name = metadata.get("name") or metadata.get("generateName") or ""
    return obj["apiVersion"].rpartition("/")[0], obj["kind"], str(metadata.get("namespace") or ""), str(name)


def recorded_flow(part: Part) -> Recording | None:
    """A recorded-flow file (semantics 11.2): the STATE events are the frames, each expecting its `state` alone.

    `state` is the strongest predicate that held; that weaker ones held too (`phases`) is no expectation.
    """
    value: JsonObject = part.document.value
    events = value["events"] if isinstance(value["events"], list) else []
    frames: list[Frame] = []
    for index, event in enumerate(events):
        at: DocPath = ("events", index)
        if not isinstance(event, dict):
            part.add(codes.WRONG_TYPE, at, f"an event must be a mapping, not {kind_of(event)}")
        elif event.get("kind") == "STATE":
            obj = event.get("object")
            if not isinstance(obj, dict):
                part.add(codes.FRAME_OBJECT, at, "a STATE event has no 'object'")
                continue
            if not has_kind(obj):
                part.add(codes.NO_KIND, (*at, "object"), "the object lacks 'apiVersion' or 'kind'")
            state = None if event.get("state") is None else part.status(event["state"], (*at, "state"))
            frames.append(Frame(len(frames), obj, (), (), None if state is None else (state,), at, part.index))
    if not frames:
        part.add(codes.NO_FRAMES, ("events",), "the recorded flow has no STATE events", on_key=True)
        return None
    words = {key: value[key] if isinstance(value.get(key), str) else "" for key in ("operator", "version", "flow")}
    want = None if value.get("want") is None else part.status(value["want"], ("want",))
    return Recording(
        part.source.name,
        _definition_name(value),
        words["operator"],
        words["version"],
        words["flow"] or default_flow(part.source.name, words["version"]),
        tuple(frames),
        want,
    )


def _definition_name(value: JsonObject) -> str:
    name, file = value.get("kartaName"), value.get("kartaFile")
    if isinstance(name, str) and name:
        return name
    return stem(file) if isinstance(file, str) else ""
