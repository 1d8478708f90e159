"""Patches in the form of a PodTemplateSpec: checked, and merged into what is there (semantics 5.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kartatest.edit.model import CLEAR, PodPatch
from kartatest.edit.places import shown
from kartatest.edit.target import listed
from kartatest.edit.values import fresh, not_json
from kartatest.errors import EditError
from kartatest.source import DocPath, Json

NAMED_LISTS = ("containers", "initContainers", "ephemeralContainers")


class Unmergeable(Exception):  # noqa: N818 - a signal within this package, it ends as a reason of an EditError
    """Why a patch does not go into what is there."""


def merged(value: Json, patch: Json, at: DocPath) -> Json:
    """The value with the patch in it; at is where the value stands in a PodTemplateSpec. Raises Unmergeable.

    Maps merge, CLEAR takes a key out, containers merge by name, everything else is replaced.
    """
    if at[:1] == ("spec",) and len(at) == 2 and at[1] in NAMED_LISTS:
        return containers_merged(value, patch)
    if not isinstance(patch, dict):
        return fresh(patch)
    if value is not None and not isinstance(value, dict):
        raise Unmergeable(f"{shown(at)} is no object there")
    made = dict(value or {})
    for key, part in patch.items():
        if part is CLEAR:
            made.pop(key, None)
        else:
            made[key] = merged(made.get(key), part, (*at, key))
    return made


def containers_merged(value: Json, patch: list[dict[str, Json]]) -> Json:
    """The list with each entry of the patch merged into the container of its name. Raises Unmergeable.

    An entry without a name, if it is the only one, goes to the only container.
    """
    made = list(value) if isinstance(value, list) else []
    names = [c.get("name") if isinstance(c, dict) else None for c in made]
    for entry in patch:
        name = entry.get("name")
        if name is None and len(made) != 1:
            there = f"there are the containers {listed([str(n) for n in names])}" if made else "there are no containers"
            raise Unmergeable(f"the patch names no container, and {there}")
        if name is not None and names.count(name) != 1:
            raise Unmergeable(
                f"there is no container {name!r}, only {listed([str(n) for n in names])}"
                if name not in names
                else f"several containers are named {name!r}"
            )
        index = 0 if name is None else names.index(name)
        if not isinstance(made[index], dict):
            raise Unmergeable(f"container {index} is no object")
        made[index] = merged(made[index], entry, ("container",))
    return made


def template_patch(patch: PodPatch) -> dict[str, Json]:
    """The whole patch in one form. Raises EditError with everything that is wrong with it, before anything is read."""
    given = patch.template or {}
    reasons = [f"{shown(at)} of the patch {what}" for at, what in not_json(_plain(given)) if what]
    reasons += reasons or list(_wrong(given))
    if reasons:
        raise EditError(reasons)
    fields = _from_fields(patch)
    reasons = [f"{shown(at)} {what}" for at, what in not_json(fields)]
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
            yield from (
                f"`metadata.{key}` has a value that is no text under {name!r}"
                for name, text in part.items()
                if text is not CLEAR and not isinstance(text, str)
            )
    spec = whole.get("spec", {})
    for key in ("schedulerName", "priorityClassName"):
        if spec.get(key) == "":
            yield f"`spec.{key}` is empty; to take it out, clear it"
    for key in NAMED_LISTS:
        yield from _bad_entries(spec.get(key, []), key)
    if strict:
        yield from _unknown(whole)


def _bad_entries(entries: list[dict[str, Json]], key: str) -> Iterator[str]:
    names = [entry.get("name") for entry in entries]
    for name in dict.fromkeys(n for n in names if names.count(n) > 1):
        yield f"`spec.{key}` of the patch names {name!r} twice" if name else "a container of the patch has no name"
    if None in names and len(names) > 1 and names.count(None) == 1:
        yield "a container of the patch has no name"
    for entry in entries:
        if entry.get("image") == "":
            yield "the image is empty"
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
