"""Workloads and live pods out of files with very many objects: what `kubectl get -o json` prints.

A list as JSON is read without the places of its values, so that it may be large; every other text goes to `objects`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from kartatest.cli import objects
from kartatest.errors import FileError, NothingFoundError
from kartatest.source import Json, JsonObject

_LARGEST = 512 * 1024 * 1024
"""Bytes of a file that are read."""

Live = tuple[tuple[JsonObject, ...], tuple[JsonObject, ...]]


def workloads(file: str, *, frame: int | None = None) -> tuple[objects.Workload, ...]:
    """As objects.workloads, of the text in a file, or in stdin for "-". Raises FileError as well."""
    data = _bytes(file)
    listed = _listed(data) if frame is None else None
    if not listed:
        return objects.workloads(objects.decoded(data, _shown(file)), frame=frame)
    return objects.told_apart([objects.Workload(obj) for obj in listed])


def pods_and_owners(file: str) -> Live:
    """The pods in a file, or in stdin for "-", and all else in it, which may be owners of pods.

    An empty list is no pods. Raises NothingFoundError where there are objects but no pods, FileError where the file
    cannot be read.
    """
    data = _bytes(file)
    listed = _listed(data)
    if listed is None:
        return objects.pods_and_owners(objects.decoded(data, _shown(file)))
    del data  # the objects alone may be most of what there is room for
    pods = tuple([obj for obj in listed if objects.is_pod(obj)])
    owners = tuple([obj for obj in listed if not objects.is_pod(obj)])
    if owners and not pods:
        raise NothingFoundError(f"there is no pod in {_shown(file)}")
    return pods, owners


def _shown(file: str) -> str:
    return "<stdin>" if file == "-" else file


def _bytes(file: str) -> bytes:
    try:
        if file == "-":
            data = sys.stdin.buffer.read(_LARGEST + 1)
        else:
            with Path(file).open("rb") as stream:
                data = stream.read(_LARGEST + 1)
    except OSError as error:
        raise FileError(f"cannot read {_shown(file)}: {(error.strerror or str(error)).lower()}") from None
    if len(data) > _LARGEST:
        raise FileError(f"cannot read {_shown(file)}: it has more than {_LARGEST // 1024 // 1024} MiB")
    return data


def _listed(data: bytes) -> list[JsonObject] | None:
    """The objects of one JSON list, of each the last state; None for every other text, which is read with more care.

    An API server leaves the kind out inside a list of one kind.
    """
    if data.lstrip()[:1] != b"{":
        return None
    import json

    from kartatest.yamlpos.scalars import plain

    try:
        value: Json = json.loads(data, parse_int=plain, parse_float=plain, parse_constant=_refused)
    except (ValueError, RecursionError):
        return None
    kind, items = (value.get("kind"), value.get("items")) if isinstance(value, dict) else (None, None)
    if not isinstance(kind, str) or not kind.endswith("List") or not isinstance(items, list):
        return None
    stated = {} if kind == "List" else {"apiVersion": value.get("apiVersion"), "kind": kind.removesuffix("List")}
    found: dict[tuple[Json, ...], JsonObject] = {}
    for item in items:
        obj = item if not isinstance(item, dict) or "kind" in item else stated | item
        metadata = obj.get("metadata") if isinstance(obj, dict) else None
        if not isinstance(metadata, dict) or any(not isinstance(obj.get(key), str) for key in ("apiVersion", "kind")):
            return None
        at = (obj["apiVersion"], obj["kind"], metadata.get("namespace"), metadata.get("name"))
        if obj["kind"] in objects.NO_WORKLOADS or any(part is not None and not isinstance(part, str) for part in at):
            return None
        found[at] = obj
    return list(found.values())


def _refused(text: str) -> Json:
    raise ValueError(text)  # NaN and Infinity are no JSON
