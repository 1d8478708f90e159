"""Requests that an API server refuses: of devices and huge pages it wants a limit that is the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kartatest.edit.model import Change
from kartatest.edit.places import shown
from kartatest.edit.values import at_place
from kartatest.resolve.quantity import QuantityError, parse
from kartatest.source import DocPath, Json, JsonObject


def notes(changes: Sequence[Change], obj: JsonObject) -> Iterator[str]:
    """One sentence for each resource that a change leaves with a request but no equal limit, with the first place."""
    places: dict[str, list[DocPath]] = {}
    for at in dict.fromkeys(at for change in changes for at in _resources(change, obj)):
        found = at_place(obj, at)
        limits = found.get("limits")
        for name, amount in found["requests"].items():
            if _counted_once(name) and not _equal(amount, limits.get(name) if isinstance(limits, dict) else None):
                places.setdefault(name, []).append(at)
    for name, where in places.items():
        more = f" and {len(where) - 1} more" if len(where) > 1 else ""
        yield f"{name!r} needs a limit that equals its request, or no pod is made: {shown(where[0])}{more}"


def _resources(change: Change, obj: JsonObject) -> Iterator[DocPath]:
    """Places of objects with requests that a change is in, or makes."""
    ways = [change.path[:n] for n in range(1, len(change.path) + 1)] + [(*change.path, "resources")]
    for at in ways:
        value = at_place(obj, at)
        if isinstance(value, dict) and isinstance(value.get("requests"), dict):
            yield at


def _counted_once(name: str) -> bool:
    """Whether a resource cannot be promised twice: huge pages, and what other domains than Kubernetes' own name."""
    domain, slash, _ = name.rpartition("/")
    own = domain == "kubernetes.io" or domain.endswith(".kubernetes.io")
    return name.startswith("hugepages-") or bool(slash and not own)


def _equal(left: Json, right: Json) -> bool:
    try:
        return parse(left) == parse(right)
    except QuantityError:
        return False
