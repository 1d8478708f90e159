"""Reads our own recording format: a head, and frames that are whole objects or patches against the one before."""

from __future__ import annotations

from kartatest.recording import codes, gangs
from kartatest.recording.codes import Part, kind_of
from kartatest.recording.manifests import default_flow, has_kind
from kartatest.recording.model import Frame, Recording
from kartatest.recording.patch import apply, apply_each
from kartatest.source import DocPath, Json, JsonObject

_HEAD = ("definition", "operator", "version", "flow", "want", "source", "frames")
_FRAME = ("object", "patch", "pods", "owners", "expect", "gang", "note")


def recording(part: Part) -> Recording | None:
    """The recording that a document holds; None when no frame of it can be read. Says what is wrong in part."""
    value: JsonObject = part.document.value
    _unknown_keys(part, (), value, _HEAD)
    text = {key: _text(part, value, key) for key in ("definition", "operator", "version", "flow")}
    want = None if value.get("want") is None else part.status(value["want"], ("want",))
    frames = _frames(part, value.get("frames"))
    if not frames:
        return None
    return Recording(
        part.source.name,
        text["definition"],
        text["operator"],
        text["version"],
        text["flow"] or default_flow(part.source.name, text["version"]),
        frames,
        want,
        value.get("source"),
    )


def _unknown_keys(part: Part, at: DocPath, value: JsonObject, known: tuple[str, ...]) -> None:
    for key in value:
        if key not in known:
            help_text = codes.near(key, known) or "known keys: " + ", ".join(known)
            part.add(codes.UNKNOWN_KEY, (*at, key), f"unknown key {key!r}", help_text, on_key=True)


def _text(part: Part, value: JsonObject, key: str, at: DocPath = ()) -> str:
    """The text under key; "" when it is absent or null, or no text, which is a finding."""
    found = value.get(key)
    if found is None or isinstance(found, str):
        return found or ""
    help_text = "put it in quotes" if isinstance(found, int | float) else ""
    part.add(codes.WRONG_TYPE, (*at, key), f"{key!r} must be text, not {kind_of(found)}", help_text)
    return ""


def _frames(part: Part, value: Json) -> tuple[Frame, ...]:
    if not isinstance(value, list):
        part.add(codes.WRONG_TYPE, ("frames",), f"'frames' must be a list, not {kind_of(value)}", on_key=True)
        return ()
    if not value:
        part.add(codes.NO_FRAMES, ("frames",), "the recording has no frames", "give at least one with 'object'")
    frames: list[Frame] = []
    before: Frame | None = None
    lost = False  # a frame could not be read, so patches have nothing to stand on until the next whole object
    for index, entry in enumerate(value):
        at: DocPath = ("frames", index)
        if not isinstance(entry, dict):
            part.add(codes.WRONG_TYPE, at, f"a frame must be a mapping, not {kind_of(entry)}")
            lost = True
            continue
        obj = _object(part, entry, at, None if lost else before, first=index == 0)
        expected = _expected(part, entry, at)
        pods = _objects(part, entry, at, "pods", before.pods if before else ())
        owners = _objects(part, entry, at, "owners", before.owners if before else ())
        note = _text(part, entry, "note", at)
        gang = gangs.expected(part, entry.get("gang"), (*at, "gang"))
        _unknown_keys(part, at, entry, _FRAME)
        if obj is None:
            lost = lost or "patch" not in entry or index == 0 or not isinstance(entry["patch"], dict)
            continue
        lost = False
        before = Frame(index, obj, pods, owners, expected, at, part.index, note, gang)
        frames.append(before)
    return tuple(frames)


def _object(part: Part, entry: JsonObject, at: DocPath, before: Frame | None, *, first: bool) -> JsonObject | None:
    """The whole object of a frame; None when it cannot be known."""
    given = [key for key in ("object", "patch") if key in entry]
    if len(given) != 1:
        message = "a frame has both 'object' and 'patch'" if given else "a frame has neither 'object' nor 'patch'"
        part.add(codes.FRAME_OBJECT, at, message, "keep one of the two" if given else "give one of the two")
        if not given:
            return None
    key = given[0]
    value = entry[key]
    if not isinstance(value, dict):
        part.add(codes.WRONG_TYPE, (*at, key), f"{key!r} must be a mapping, not {kind_of(value)}")
        return None
    if key == "object":
        if not has_kind(value):
            part.add(codes.NO_KIND, (*at, key), "the object lacks 'apiVersion' or 'kind'")
        return value
    if first:
        help_text = "write the whole object under 'object'"
        part.add(codes.PATCH_FIRST, (*at, key), "the first frame is a patch", help_text, on_key=True)
        return None
    patched: JsonObject | None = apply(before.obj, value) if before else None
    return patched


def _expected(part: Part, entry: JsonObject, at: DocPath) -> tuple[str, ...] | None:
    value = entry.get("expect")
    if value is None:
        return None
    at = (*at, "expect")
    if not isinstance(value, list):
        help_text = f"write [{value}]" if isinstance(value, str) else ""
        part.add(codes.WRONG_TYPE, at, f"'expect' must be a list of statuses, not {kind_of(value)}", help_text)
        return None
    words = tuple(part.status(word, (*at, index)) for index, word in enumerate(value))
    return None if None in words else tuple(word for word in words if word is not None)


def _objects(
    part: Part, entry: JsonObject, at: DocPath, key: str, inherited: tuple[JsonObject, ...]
) -> tuple[JsonObject, ...]:
    """The objects under key: all of them, or those of the frame before with what changed, which is nothing by default.

    What changed is a patch for each by its name, or by kind and name for owners; null for one that is gone.
    """
    value = entry.get(key)
    if value is None:
        return inherited
    if isinstance(value, dict):
        changes = {name: change for name, change in value.items() if change is None or isinstance(change, dict)}
        for name, change in value.items():
            if name not in changes:
                message = f"what changed of {name!r} must be a mapping, or null where it is gone, not {kind_of(change)}"
                part.add(codes.WRONG_TYPE, (*at, key, name), message)
        return apply_each(inherited, changes, with_kind=key == "owners")
    if not isinstance(value, list):
        message = f"{key!r} must be a list of objects, or a mapping of names to changes, not {kind_of(value)}"
        part.add(codes.WRONG_TYPE, (*at, key), message)
        return inherited
    for index, item in enumerate(value):
        if not isinstance(item, dict):
            part.add(codes.WRONG_TYPE, (*at, key, index), f"{key!r} must hold objects, not {kind_of(item)}")
    return tuple(item for item in value if isinstance(item, dict))
