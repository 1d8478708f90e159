"""A pod patch in one form, that of a PodTemplateSpec, checked before anything is read (semantics 5.4)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from kartatest.edit.merge import NAMED_LISTS
from kartatest.edit.model import CLEAR, PodPatch
from kartatest.edit.places import shown
from kartatest.errors import EditError
from kartatest.source import DocPath, Json, not_json


def template_patch(patch: PodPatch) -> dict[str, Json]:
    """The whole patch in one form. Raises EditError with everything that is wrong with it, before anything is read."""
    given = patch.template or {}
    reasons = [f"{shown(at)} of the patch {what}" for at, what in not_json(_plain(given), CLEAR)]
    reasons += reasons or list(_wrong(given))
    if reasons:
        raise EditError(reasons)
    fields = _from_fields(patch)
    reasons = [f"{shown(at)} {what}" for at, what in not_json(fields, CLEAR)]
    reasons += reasons or list(_faults(_plain(given), strict=bool(given)))
    whole = _combined(_plain(given), fields) if not reasons else {}
    reasons += reasons or list(_faults(whole, strict="affinity" in fields.get("spec", {})))
    if not reasons and not whole:
        reasons = ["there is nothing to set"]
    if reasons:
        raise EditError(tuple(dict.fromkeys(reasons)))
    return whole


def _plain(value: Json) -> Json:
    """The value with every mapping a dict of its own."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def _from_fields(patch: PodPatch) -> dict[str, Json]:
    metadata: dict[str, Json] = {}
    for key, entries in (("labels", patch.labels), ("annotations", patch.annotations)):
        if entries:
            metadata[key] = dict(entries)
    words = (("schedulerName", patch.scheduler_name), ("priorityClassName", patch.priority_class))
    spec: dict[str, Json] = {key: word for key, word in words if word is not None}
    affinity = {
        key: _plain(part)
        for key, part in (("nodeAffinity", patch.node_affinity), ("podAffinity", patch.pod_affinity))
        if part is not None
    }
    if affinity:
        spec["affinity"] = affinity
    if containers := _containers(patch):
        spec["containers"] = containers
    return {key: part for key, part in (("metadata", metadata), ("spec", spec)) if part}


def _containers(patch: PodPatch) -> list[Json]:
    entries: dict[str, dict[str, Json]] = {}
    images = dict(patch.images or {})
    if patch.image is not None:
        images[patch.container] = patch.image
    for name, image in images.items():
        entries.setdefault(name, {})["image"] = image
    resources = {
        key: dict(amounts) for key, amounts in (("requests", patch.requests), ("limits", patch.limits)) if amounts
    }
    if resources:
        entries.setdefault(patch.container, {})["resources"] = resources
    return [({"name": name} if name else {}) | entry for name, entry in entries.items()]


def _combined(left: dict[str, Json], right: dict[str, Json]) -> dict[str, Json]:
    """Two patches in one; the right one's values count. Containers of one name become one entry."""
    made = dict(left)
    for key, part in right.items():
        old = made.get(key)
        if isinstance(old, dict) and isinstance(part, dict):
            made[key] = _combined(old, part)
        elif key == "containers" and isinstance(old, list):
            by_name = {entry.get("name"): entry for entry in old}
            for entry in part:
                name = entry.get("name")
                by_name[name] = _combined(by_name.get(name, {}), entry)
            made[key] = list(by_name.values())
        else:
            made[key] = part
    return made


def _wrong(given: Mapping[str, Json]) -> Iterator[str]:
    """What makes a template's form useless for the checks that come after: it is not shaped as one."""
    for key, part in given.items():
        if key not in ("metadata", "spec"):
            yield f"a patch has `metadata` and `spec`, not {key!r}"
        elif not isinstance(part, Mapping):
            yield f"`{key}` of the patch is no object; CLEAR goes to its keys"
    spec = given.get("spec")
    for key in NAMED_LISTS:
        entries = spec.get(key, []) if isinstance(spec, Mapping) else []
        if not isinstance(entries, list) or not all(isinstance(e, Mapping) for e in entries):
            yield f"`spec.{key}` of the patch is no list of objects"


def _faults(whole: dict[str, Json], *, strict: bool) -> Iterator[str]:
    """What may not be in a patch: nulls, metadata that is the object's own business, names twice, unknown fields."""
    for at in _nulls(whole, ()):
        yield f"{shown(at)} is null; to take a key out, clear it"
    for key, part in whole.get("metadata", {}).items():
        if key not in ("labels", "annotations"):
            yield f"of the metadata only labels and annotations can be set, not {key!r}"
        elif part is CLEAR:
            continue
        elif not isinstance(part, dict):
            yield f"`metadata.{key}` is no map of texts"
        else:
            yield from _bad_entries_of(key, part)
    spec = whole.get("spec", {})
    for key in ("schedulerName", "priorityClassName"):
        word = spec.get(key, CLEAR)
        if word == "" or (word is not CLEAR and word is not None and not isinstance(word, str)):
            yield f"`spec.{key}` is {'empty; to take it out, clear it' if word == '' else 'no text'}"
    for key in NAMED_LISTS:
        yield from _bad_entries(spec.get(key, []), key)
    if strict:
        yield from _unknown(whole)


_NAME = re.compile(r"[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?")
_PREFIX = re.compile(r"[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?")


def _bad_entries_of(field: str, entries: dict[str, Json]) -> Iterator[str]:
    """Labels and annotations that an API server would not take."""
    for key, text in entries.items():
        prefix, slash, name = key.rpartition("/")
        if not _NAME.fullmatch(name) or (slash and not _PREFIX.fullmatch(prefix)):
            yield f"`metadata.{field}` cannot have the key {key!r}"
        elif text is not CLEAR and text is not None and not isinstance(text, str):
            yield f"`metadata.{field}` has a value that is no text under {key!r}"
        elif field == "labels" and isinstance(text, str) and text and not _NAME.fullmatch(text):
            yield f"{text!r} cannot be the value of label {key!r}: letters, digits, -, _ and ., at most 63"


def _bad_entries(entries: list[dict[str, Json]], key: str) -> Iterator[str]:
    names = [entry.get("name") for entry in entries]
    for name in dict.fromkeys(n for n in names if names.count(n) > 1):
        yield f"`spec.{key}` of the patch names {name!r} twice" if name else "a container of the patch has no name"
    if None in names and len(names) > 1 and names.count(None) == 1:
        yield "a container of the patch has no name"
    for entry in entries:
        image = entry.get("image", CLEAR)
        if image == "" or (image is not CLEAR and image is not None and not isinstance(image, str)):
            yield f"the image is {'empty' if image == '' else 'no text'}"
        resources = entry.get("resources")
        for kind in ("requests", "limits"):
            amounts = resources.get(kind) if isinstance(resources, dict) else None
            yield from _bad_amounts(amounts, kind) if isinstance(amounts, dict) else ()


def _bad_amounts(amounts: dict[str, Json], kind: str) -> Iterator[str]:
    from kartatest.resolve.quantity import QuantityError, parse

    for name, amount in amounts.items():
        try:
            if amount is not CLEAR and parse(amount) < 0:
                yield f"{kind} of {name!r} is below zero"
        except QuantityError as error:
            yield f"{kind} of {name!r}: {error}"


def _nulls(value: Json, at: DocPath) -> Iterator[DocPath]:
    if value is None:
        yield at
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _nulls(part, (*at, key))
    elif isinstance(value, list):
        for i, part in enumerate(value):
            yield from _nulls(part, (*at, i))


def _unknown(whole: dict[str, Json]) -> Iterator[str]:
    """Fields that no PodTemplateSpec has, and values of another type."""
    from kartatest.schema import part
    from kartatest.schema.fit import Fault, misfits

    for fault in misfits(part("PodTemplateSpec"), _without_cleared(whole)):
        if fault.fault not in (Fault.MISSING, Fault.NULL, Fault.REPEATED):
            yield f"{shown(fault.at)} of the patch: {fault.message}"


def _without_cleared(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _without_cleared(part) for key, part in value.items() if part is not CLEAR}
    return [_without_cleared(part) for part in value] if isinstance(value, list) else value
