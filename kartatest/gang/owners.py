"""From a pod up to what owns it, as a pod grouper goes: the first owner reference, level by level (section 13)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from kartatest.definition.model import Gvk
from kartatest.gang.names import metadata_of, name_of
from kartatest.gang.native import steps_back
from kartatest.source import JsonObject

_LEVELS = 16


class Top(NamedTuple):
    """The owner that groups a pod. fault: why there is none, "" when there is; obj then is the owner.

    assumed: an owner in between that was not given, and is taken to be the workload's; "" for none.
    elsewhere: it is another object of the workload's kind, which was not given; "" otherwise.
    above: the owner that was stepped over last, whose labels and annotations the one below takes on.
    """

    obj: JsonObject
    fault: str = ""
    assumed: str = ""
    elsewhere: str = ""
    above: JsonObject | None = None


class Owners:
    """Objects by kind and name; the first one given of each is kept. workload is the one that is asked about."""

    def __init__(self, workload: JsonObject, others: Iterable[JsonObject]) -> None:
        self.workload = workload
        self._known: dict[tuple[str, str, str], JsonObject] = {}
        for obj in (workload, *others):
            gvk = Gvk.of(obj)
            self._known.setdefault((gvk.api_version, gvk.kind, name_of(obj)), obj)

    def top(self, pod: JsonObject) -> Top | None:
        """What owns the pod, at the top; None for a pod without owner.

        Owners that leave the grouping to what they own are no top: what is below them is, in the end the pod. What is
        not given shows nothing: a missing owner in between is taken for the workload's.
        """
        passed: list[Top] = []
        here = pod
        for _ in range(_LEVELS):
            references = _references(here)
            if not references:
                break
            if passed and len(references) > 1:  # of the pod itself the first counts
                return Top(here, f"{Gvk.of(here).kind} {name_of(here)} above it has several owners")
            found = self._owner(references[0])
            if found.fault or found.elsewhere:
                return found
            if found.assumed:
                if steps_back(Gvk.of(found.obj)):
                    passed.append(Top(_named(references[0]), assumed=found.assumed))
                passed.append(found)
                break
            passed.append(found)
            here = found.obj
        else:
            return Top(here, "its owners lead in a circle")
        above: JsonObject | None = None
        while passed and steps_back(Gvk.of(passed[-1].obj), again=above is not None):
            above = passed.pop().obj
        if above is None:
            return passed[-1] if passed else None
        return passed[-1]._replace(above=above) if passed else Top(pod, above=above)

    def _owner(self, reference: JsonObject) -> Top:
        gvk, name = Gvk.of(reference), str(reference.get("name") or "")
        obj = self._known.get((gvk.api_version, gvk.kind, name))
        mine = Gvk.of(self.workload)
        if obj is None and (gvk.group, gvk.kind) == (mine.group, mine.kind) and name != name_of(self.workload):
            return Top({}, elsewhere=f"{gvk.kind} {name}")
        if obj is None:
            return Top(self.workload, assumed=f"{gvk.kind} {name}")
        uids = metadata_of(obj).get("uid"), reference.get("uid")
        if all(isinstance(uid, str) and uid for uid in uids) and uids[0] != uids[1]:
            return Top({}, f"{gvk.kind} {name} is not its owner any more: the uid differs")
        return Top(obj)


def _named(reference: JsonObject) -> JsonObject:
    """What a reference says of an object that was not given."""
    metadata = {key: reference[key] for key in ("name", "uid") if key in reference}
    return {"apiVersion": reference.get("apiVersion"), "kind": reference.get("kind"), "metadata": metadata}


def _references(obj: JsonObject) -> list[JsonObject]:
    found = metadata_of(obj).get("ownerReferences")
    return [r for r in found if isinstance(r, dict)] if isinstance(found, list) else []
