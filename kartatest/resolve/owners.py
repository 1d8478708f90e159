"""Whether a live pod is the workload's, by who owns it: references are followed as far as the objects given reach.

The controller's reference counts, over any number of levels; of the pod itself the others too, where the controller
leads to no workload of the kind (semantics 8.6). What is not given shows nothing, unless others of its kind are given:
then it is gone. A pod that is gone leaves pods behind that labels and names may still give to the workload.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kartatest.definition.model import Gvk
from kartatest.source import Json, JsonObject

ELSEWHERE = "it belongs to another workload"

_Kind = tuple[str, str]
_Key = tuple[str, str, str]
_POD: _Kind = ("", "Pod")


class Verdict(NamedTuple):
    """mine: True, False, or None where nothing shows it. named: then, whether a name speaks for the workload.

    text: why it is not the workload's, a sentence. foreign: it is another workload's, rather than nobody's.
    kinds: group and kind of the owners, nearest first. owner: the object that owns the pod directly, where it is given
    and is not the workload.
    """

    mine: bool | None
    text: str = ""
    foreign: bool = False
    kinds: tuple[_Kind, ...] = ()
    owner: JsonObject | None = None
    named: bool = True


class Owners:
    """The objects around one workload. pods are among them, as a leader owns its workers.

    roles: the texts of a definition that read roles off pods; labels that they name say nothing of workloads.
    """

    def __init__(self, obj: Json, owners: Sequence[JsonObject], pods: Sequence[JsonObject], roles: str = "") -> None:
        self.obj: JsonObject = obj if isinstance(obj, dict) else {}
        self.meta = metadata(obj)
        self.kind = _kind(self.obj)
        self.is_pod = self.obj.get("kind") == "Pod" and self.obj.get("apiVersion") == "v1"
        self._pods: Sequence[JsonObject] = pods
        self._by_uid: dict[str, JsonObject] = {}
        self._by_name: dict[_Key, JsonObject] = {}
        self._given: set[_Kind] = {_kind(owner) for owner in owners}
        self._above: dict[str, Verdict] = {}
        self._keep(owners)
        siblings = [one for one in owners if self.kind[1] and _kind(one) == self.kind and not self._is_this(one)]
        self.names = Names(self.obj, siblings, pods, roles)

    def _keep(self, objects: Sequence[JsonObject]) -> None:
        for obj in objects:
            meta = metadata(obj)
            uid, name = meta.get("uid"), meta.get("name")
            if isinstance(uid, str) and uid:
                self._by_uid.setdefault(uid, obj)
            elif isinstance(name, str):
                self._by_name.setdefault((*_kind(obj), name), obj)

    def _is_this(self, obj: JsonObject) -> bool:
        """Whether an object of the workload's kind is the workload."""
        one, other = self.meta, metadata(obj)
        if one.get("uid") and other.get("uid"):
            return bool(one["uid"] == other["uid"])
        return bool(one.get("name") == other.get("name") and one.get("namespace") == other.get("namespace"))

    def of(self, pod: JsonObject) -> Verdict:
        """What the references of a pod say."""
        space, own = metadata(pod).get("namespace"), self.meta.get("namespace")
        if space and own and space != own:
            return Verdict(False, f"{ELSEWHERE}: it is in the namespace {space}", foreign=True)
        found = references(pod)
        if not found:
            return Verdict(False, f"{ELSEWHERE}: nobody owns it", foreign=True) if self.is_pod else Verdict(None)
        reference = _controller(found)
        above = self._climb(reference)
        if above.mine:
            return above
        if not above.foreign or above.kinds[-1:] != (self.kind,):
            for one in found:
                if self._is_workload(one):
                    return Verdict(True, kinds=(self.kind,))
                if self.kind[1] and _kind(one) == self.kind:
                    return Verdict(False, f"{ELSEWHERE}: {_called(one)}", True, above.kinds)
        return self._by_names(pod, reference, above) if above.mine is None else above

    def _climb(self, reference: JsonObject) -> Verdict:
        """What the owner named says, kept for the next pod of the same owner."""
        uid = reference.get("uid")
        key = uid if isinstance(uid, str) and uid else repr((*_kind(reference), reference.get("name")))
        found = self._above.get(key)
        if found is None:
            found = self._above[key] = self._walk(reference)
        return found

    def _walk(self, reference: JsonObject) -> Verdict:
        kinds: list[_Kind] = []
        seen: set[int] = set()
        nearest: JsonObject | None = None
        while True:
            kind = _kind(reference)
            kinds.append(kind)
            if self._is_workload(reference):
                return Verdict(True, "", False, tuple(kinds), nearest)
            owner = self._find(reference, kind)
            above = references(owner) if owner is not None else []
            if owner is None or not above:
                if self.kind[1] and kind == self.kind:
                    again = " of an earlier time" if reference.get("name") == self.meta.get("name") else ""
                    return Verdict(False, f"{ELSEWHERE}: {_called(reference)}{again}", True, tuple(kinds), nearest)
                if owner is not None:
                    return Verdict(False, f"{ELSEWHERE}: {_called(reference)}", True, tuple(kinds), nearest)
                if kind in self._given:
                    text = f"its owner {_called(reference)} is not among the objects given"
                    return Verdict(False, text, False, tuple(kinds), nearest)
                gone = f"its owner {_called(reference)} is not among the objects given" if kind == _POD else ""
                return Verdict(None, gone, False, tuple(kinds), nearest)
            if id(owner) in seen:
                text = f"its owners lead in a circle, at {_called(reference)}"
                return Verdict(False, text, False, tuple(kinds), nearest)
            seen.add(id(owner))
            nearest = owner if nearest is None else nearest
            reference = _controller(above)

    def _find(self, reference: JsonObject, kind: _Kind) -> JsonObject | None:
        if kind == _POD and self._pods:
            self._keep(self._pods)  # few workloads have pods that own others
            self._pods = ()
        uid, name = reference.get("uid"), reference.get("name")
        found = self._by_uid.get(uid) if isinstance(uid, str) else None
        return found if found is not None or not isinstance(name, str) else self._by_name.get((*kind, name))

    def _is_workload(self, reference: JsonObject) -> bool:
        if self.meta.get("uid") and reference.get("uid"):
            return bool(self.meta["uid"] == reference["uid"])
        if not reference.get("name") or reference["name"] != self.meta.get("name"):
            return False
        return bool(self.kind[1]) and _kind(reference) == self.kind

    def _by_names(self, pod: JsonObject, reference: JsonObject, above: Verdict) -> Verdict:
        """Where the objects in between are not given: by labels, and by the owner's name."""
        if not self.names.known:
            return above
        whose, text = self.names.whose(pod, reference.get("name"))
        if whose == 0:
            return above._replace(text="")
        if whose is not None:
            return Verdict(False, f"{ELSEWHERE}: {text}", True, above.kinds)
        if above.kinds[-1:] == (_POD,):  # pods are given, so it is gone
            return Verdict(False, above.text, False, above.kinds)
        text = f"its owner {_called(reference)} is not given, so it may be of {text}"
        return (
            Verdict(False, text, False, above.kinds) if self.names.several else above._replace(named=False, text=text)
        )


_OTHER = -1
_LONGEST_NAME = 253


class Names:
    """What names a workload: 0 is this one, the others are its siblings as given, and _OTHER is one that is not given.

    A label names workloads if any pod has it with this one's name or uid.
    """

    def __init__(self, obj: JsonObject, siblings: Sequence[JsonObject], pods: Sequence[JsonObject], roles: str) -> None:
        self.several = bool(siblings)
        self._every = [obj, *siblings]
        self._roles = roles
        self._whose: dict[str, int] = {}
        self._names: dict[str, int] = {}
        for i, one in enumerate(self._every):
            name, uid = metadata(one).get("name"), metadata(one).get("uid")
            for token in (name, uid):
                if isinstance(token, str) and token:
                    self._whose.setdefault(token, i)
            if isinstance(name, str) and name:
                self._names.setdefault(name, i)
        self.known = bool(self._whose)
        """Whether the workload has a name that anything could say."""
        self._pods = pods
        self._telling: frozenset[str] | None = None

    def labels(self, obj: JsonObject) -> Iterator[tuple[str, str, int]]:
        """Labels that say the name or uid of a workload, and whose; those that tell roles are left out."""
        found = metadata(obj).get("labels")
        for label, text in sorted(found.items()) if isinstance(found, dict) else ():
            whose = self._whose.get(text) if isinstance(text, str) else None
            if whose is not None and label not in self._roles:
                yield label, text, whose

    @property
    def telling(self) -> frozenset[str]:
        """The labels that name workloads."""
        if self._telling is None:
            self._telling = frozenset(label for pod in self._pods for label, _, whose in self.labels(pod) if not whose)
        return self._telling

    def whose(self, pod: JsonObject, owner: Json) -> tuple[int | None, str]:
        """Whose pod it is by its labels and its owner's name, which controllers make from theirs; and what says so.

        None where that is not certain, with the workloads that it may be of.
        """
        by_label = {whose: f"its label {label} says {text!r}" for label, text, whose in self.labels(pod)}
        if len(by_label) == 1:
            return next(iter(by_label.items()))
        text = owner if isinstance(owner, str) else ""
        fits = [own for own in _beginnings(text) if own in self._names]
        if not by_label and (other := self._other(pod, text, mine=any(self._names[own] == 0 for own in fits))):
            return _OTHER, other
        named = [self._names[own] for own in fits]
        if named and (not by_label or named[-1] in by_label):
            return named[-1], f"{self.word(named[-1])} by its owner's name"
        return None, self.every()

    def _other(self, pod: JsonObject, owner: str, *, mine: bool) -> str:
        """The label that says a name which is none of the workloads', where the owner's name does not gainsay it."""
        found = metadata(pod).get("labels")
        labels = found if isinstance(found, dict) else {}
        for label in sorted(self.telling):
            text = labels.get(label)
            if isinstance(text, str) and text and (not mine or _starts(owner, text)):
                return f"its label {label} says {text!r}"
        return ""

    def word(self, index: int) -> str:
        """Kind and name: "JobSet b"."""
        return named(self._every[index])

    def every(self) -> str:
        """The workloads, as "JobSet a or JobSet b"."""
        words = [self.word(i) for i in range(len(self._every))]
        return " or ".join([*words[:4], "another"] if len(words) > 4 or not self.several else words)


def _beginnings(name: str) -> list[str]:
    """What controllers may have made the name from, the shortest first: "a-b-c" is of "a", "a-b" or itself."""
    return [*(name[:i] for i, character in enumerate(name[:_LONGEST_NAME]) if character == "-"), name]


def _starts(name: str, own: str) -> bool:
    return name == own or name.startswith(f"{own}-")


def named(obj: JsonObject) -> str:
    """Kind and name of an object: "JobSet b"."""
    return f"{obj.get('kind') or 'object'} {metadata(obj).get('name') or '?'}"


def _called(reference: JsonObject) -> str:
    return f"{reference.get('kind') or 'object'} {reference.get('name') or '?'}"


def metadata(obj: Json) -> JsonObject:
    """The object's metadata, {} where there are none."""
    found = obj.get("metadata") if isinstance(obj, dict) else None
    return found if isinstance(found, dict) else {}


def references(obj: Json) -> list[JsonObject]:
    """The owner references that are objects."""
    found = metadata(obj).get("ownerReferences")
    return [r for r in found if isinstance(r, dict)] if isinstance(found, list) else []


def _controller(found: list[JsonObject]) -> JsonObject:
    return next((r for r in found if r.get("controller") is True), found[0])


def _kind(obj: JsonObject) -> _Kind:
    """Group and kind; "" for what is not said."""
    gvk = Gvk.of(obj)
    return gvk.group, gvk.kind
