"""Recordings through a real API server: every object of every frame is created, its status written, and read back.

What comes back is put into the words of the recording again (uids, times, generations, the namespace), so that all
that still differs is what the server made of it: fields that it dropped, filled in, wrote otherwise or refused.
"""

from __future__ import annotations

import dataclasses
import uuid
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from functools import partial

from kartatest.cluster import excerpt
from kartatest.cluster.fields import at as value_at
from kartatest.cluster.model import ApiError, Cluster
from kartatest.definition.model import Gvk
from kartatest.recording.model import Frame, Recording
from kartatest.source import DocPath, Json, JsonObject, dotted, same
from kartatest.value import value

REDUCED = "reduced"
"""The flow of recordings whose objects people cut down on purpose, to more than a server would hold."""

NAMESPACE = Gvk("", "v1", "Namespace")
_WRITABLE = ("name", "labels", "annotations", "finalizers", "ownerReferences")
"""What of an object's metadata is its writer's; the rest is the server's own."""

_MOST_TRIES = 4
"""How often a write is tried again with what the server misses; it does not always name all at once."""


class Outcome(Enum):
    """What the server made of a field, or of a whole object."""

    DROPPED = "dropped"
    FILLED_IN = "filled in"
    CHANGED = "changed"
    REFUSED = "refused"


@value
class Finding:
    """One place at which the server stored something else than was written. who: "JobSet train", "Pod train-0".

    written and read are what stood there, None for nothing. message: the server's words, where it refused.
    """

    outcome: Outcome
    frame: int
    who: str
    at: DocPath
    written: Json = None
    read: Json = None
    message: str = ""

    def __str__(self) -> str:
        place = f"frame {self.frame}, {self.who}: {dotted(self.at) or 'the object'}"
        if self.outcome is Outcome.REFUSED:
            return f"{place} is refused: {self.message}"
        if self.outcome is Outcome.DROPPED:
            return f"{place} is dropped (was {_short(self.written)})"
        if self.outcome is Outcome.FILLED_IN:
            return f"{place} is filled in with {_short(self.read)}"
        return f"{place} is stored as {_short(self.read)} (was {_short(self.written)})"


def _short(found: Json) -> str:
    text = repr(found)
    return text if len(text) <= 60 else f"{text[:57]}..."


@value
class Trip:
    """A recording after the server, and what the server did to it. An object that was refused is as it was written."""

    recording: Recording
    findings: tuple[Finding, ...]

    def of(self, *outcomes: Outcome) -> tuple[Finding, ...]:
        """The findings with one of these outcomes."""
        return tuple([finding for finding in self.findings if finding.outcome in outcomes])


def who(obj: JsonObject) -> str:
    """What findings call an object: "JobSet train"."""
    return f"{obj.get('kind')} {_name(obj)}"


def kinds(recording: Recording) -> tuple[Gvk, ...]:
    """The kinds of all objects in a recording, each once, the workload's first."""
    found = [Gvk.of(obj) for frame in recording.frames for obj in (frame.obj, *frame.owners, *frame.pods)]
    return tuple(dict.fromkeys(found))


def through(cluster: Cluster, recording: Recording) -> Trip:
    """The recording after a trip through the server, in a namespace of its own that is taken away again.

    The kinds of its objects must be served. Raises ApiError when the server is away.
    """
    namespace = f"karta-{uuid.uuid4().hex[:12]}"
    cluster.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}})
    traveller = _Traveller(cluster, namespace)
    try:
        frames = tuple([traveller.frame(frame) for frame in recording.frames])
    finally:
        traveller.clear()
        cluster.delete(NAMESPACE, namespace)
    return Trip(dataclasses.replace(recording, frames=frames), tuple(traveller.findings))


_Key = tuple[str, str, str]
"""Group, kind, name."""


class _Traveller:
    """One recording's objects in the cluster."""

    def __init__(self, cluster: Cluster, namespace: str) -> None:
        self.cluster = cluster
        self.namespace = namespace
        self.findings: list[Finding] = []
        self._live: dict[_Key, tuple[JsonObject, JsonObject]] = {}
        """What is there: as recorded, and as the server stored it."""
        self._uids: dict[str, str] = {}
        """Recorded uids to those that the server gave, each time that it gave one."""
        self._recorded: dict[str, str] = {}
        """The other way, for all that it ever gave."""
        self._added: dict[_Key, set[DocPath]] = {}
        """What recordings leave out, and was put there for the server."""

    def frame(self, frame: Frame) -> Frame:
        """The frame as the server holds it."""
        every = [*frame.owners, frame.obj, *frame.pods]
        wanted = {_key(obj) for obj in every}
        for key in [key for key in self._live if key not in wanted]:
            self._remove(key)
        back: dict[int, JsonObject] = {}
        for obj in _owners_first(every):
            back[id(obj)] = self._travelled(obj, frame.index, is_workload=obj is frame.obj)
        return dataclasses.replace(
            frame,
            obj=back[id(frame.obj)],
            pods=tuple([back[id(pod)] for pod in frame.pods]),
            owners=tuple([back[id(owner)] for owner in frame.owners]),
        )

    def clear(self) -> None:
        """Takes away what is still there."""
        for key in list(self._live):
            self._remove(key)

    def _travelled(self, obj: JsonObject, frame: int, *, is_workload: bool) -> JsonObject:
        """The object as read back, in the recording's words; what the server did to it is noted."""
        named = who(obj)
        try:
            stored = self._stored(obj)
        except ApiError as error:
            refusals = list(_refusals(error, frame, named))
            if is_workload or "spec" in obj:  # nobody could hold what only says who owns whom
                self.findings += refusals
            if _key(obj) in self._live:
                self._remove(_key(obj))
            return obj
        back = self._in_its_words(obj, stored)
        self.findings += _findings(obj, back, frame, named)
        return back

    def _stored(self, obj: JsonObject) -> JsonObject:
        key = _key(obj)
        has_status = "status" in self.cluster.resource(Gvk.of(obj)).subresources
        there = self._live.get(key)
        if there is not None and same(dict(there[0]), dict(obj)):
            return there[1]
        if there is not None and not (has_status and _only_status_differs(there[0], obj)):
            self._remove(key)
            there = None
        self._added[key] = {at for at in self._added.get(key, ()) if at[0] != "status" and there is not None}
        made = self._created(obj) if there is None else there[1]
        self._live[key] = (obj, made)
        if _uid(obj):
            self._uids[_uid(obj)] = _uid(made)
            self._recorded[_uid(made)] = _uid(obj)
        if has_status and isinstance(obj.get("status"), dict):
            made = self._insisting(key, {"status": self._mapped(obj["status"])}, partial(self._with_status, made))
            self._live[key] = (obj, made)
        return made

    def _with_status(self, made: JsonObject, holder: JsonObject) -> JsonObject:
        metadata = made["metadata"]
        put = [{"op": "add", "path": "/status", "value": holder["status"]}]  # in the place of one that is there
        return self.cluster.patch(
            Gvk.of(made), metadata["name"], metadata.get("namespace", ""), put, kind="json", subresource="status"
        )

    def _insisting(self, key: _Key, obj: JsonObject, write: Callable[[JsonObject], JsonObject]) -> JsonObject:
        """What write gives; a refusal for what excerpts leave out is answered with it, and remembered."""
        for _ in range(_MOST_TRIES):
            try:
                return write(obj)
            except ApiError as error:
                missing = excerpt.left_out(error.causes)
                if not missing:
                    raise
                obj = excerpt.put(obj, missing)
                self._added[key] |= missing.keys()
        return write(obj)

    def _created(self, obj: JsonObject) -> JsonObject:
        metadata = {name: held for name, held in (obj.get("metadata") or {}).items() if name in _WRITABLE}
        if self.cluster.resource(Gvk.of(obj)).namespaced:
            metadata["namespace"] = self.namespace
        references = metadata.get("ownerReferences")
        if isinstance(references, list):
            metadata["ownerReferences"] = self._mapped(references)
        made, added = excerpt.whole({**obj, "metadata": metadata})
        self._added[_key(obj)] |= set(added)
        return self._insisting(_key(obj), _acceptable(made), self.cluster.create)

    def _mapped(self, part: Json) -> Json:
        """The part with uids of the recording replaced by those that the server gave."""
        return _replaced(part, self._uids)

    def _in_its_words(self, obj: JsonObject, stored: JsonObject) -> JsonObject:
        """What was stored, with what is the server's own (uid, times, generation, ...) as the recording has it."""
        kept = excerpt.without(stored, self._added[_key(obj)])
        back: dict[str, Json] = _replaced(kept, self._recorded)
        recorded = obj.get("metadata") or {}
        metadata = {name: held for name, held in back["metadata"].items() if name in _WRITABLE}
        metadata |= {name: held for name, held in recorded.items() if name not in _WRITABLE}
        back["metadata"] = {name: metadata[name] for name in [*recorded, *metadata] if name in metadata}
        return _as_asked(obj, back)

    def _remove(self, key: _Key) -> None:
        recorded, stored = self._live.pop(key)
        gvk, metadata = Gvk.of(recorded), stored["metadata"]
        name, namespace = metadata["name"], metadata.get("namespace", "")
        try:
            if metadata.get("finalizers"):
                self.cluster.patch(gvk, name, namespace, {"metadata": {"finalizers": None}})
            self.cluster.delete(gvk, name, namespace, grace_seconds=0)
        except ApiError as error:
            if error.code != 404:
                raise


def _acceptable(obj: dict[str, Json]) -> dict[str, Json]:
    """A Job with a selector is only taken when it says that the selector is its writer's; a recorded one never does."""
    if not _has_given_selector(obj):
        return obj
    return {**obj, "spec": {**obj["spec"], "manualSelector": True}}


def _as_asked(obj: JsonObject, back: dict[str, Json]) -> dict[str, Json]:
    """Undoes `_acceptable`."""
    if _has_given_selector(obj) and isinstance(back.get("spec"), dict):
        spec = {name: held for name, held in back["spec"].items() if name != "manualSelector"}
        given = {name: held for name, held in obj["spec"].items() if name == "manualSelector"}
        back["spec"] = spec | given
    return back


def _has_given_selector(obj: JsonObject) -> bool:
    gvk, spec = Gvk.of(obj), obj.get("spec")
    if (gvk.group, gvk.kind) != ("batch", "Job") or not isinstance(spec, dict):
        return False
    return bool(spec.get("selector")) and not spec.get("manualSelector")


def _refusals(error: ApiError, frame: int, who: str) -> Iterator[Finding]:
    """A refusal, place by place. Raises the error again when it says nothing about the object."""
    if error.code in (0, 401, 403, 429) or error.code >= 500:
        raise error
    places = [(excerpt.place(field), message) for field, message in error.causes]
    for at, message in [found for found in places if found[0]] or [((), str(error))]:
        yield Finding(Outcome.REFUSED, frame, who, at, message=message)


def _findings(obj: JsonObject, back: JsonObject, frame: int, who: str) -> Iterator[Finding]:
    for at, written, read in _differing(dict(obj), dict(back), ()):
        outcome = Outcome.DROPPED if read is _NOTHING else Outcome.FILLED_IN if written is _NOTHING else Outcome.CHANGED
        here, there = (None if part is _NOTHING else part for part in (written, read))
        yield Finding(outcome, frame, who, at, here, there)


_NOTHING: Json = object()


def _differing(written: Json, read: Json, at: DocPath) -> Iterator[tuple[DocPath, Json, Json]]:
    """Places where the two differ, the outermost that is wholly absent on one side. null counts as nothing."""
    written, read = (_NOTHING if part is None else part for part in (written, read))
    if isinstance(written, dict) and isinstance(read, dict):
        for name in [*written, *(name for name in read if name not in written)]:
            yield from _differing(written.get(name), read.get(name), (*at, name))
    elif isinstance(written, list) and isinstance(read, list) and len(written) == len(read):
        for i, (one, other) in enumerate(zip(written, read, strict=True)):
            yield from _differing(one, other, (*at, i))
    elif written is not read and not _alike(written, read):
        yield at, written, read


def _alike(written: Json, read: Json) -> bool:
    """The same, or nothing on one side and an empty value on the other, which a server does not always keep apart."""
    if written is _NOTHING or read is _NOTHING:
        return (read if written is _NOTHING else written) in ({}, [], "")
    return bool(written == read) and isinstance(written, bool) == isinstance(read, bool)


def _replaced(part: Json, words: dict[str, str]) -> Json:
    if isinstance(part, str):
        return words.get(part, part)
    if isinstance(part, dict):
        return {name: _replaced(kid, words) for name, kid in part.items()}
    if isinstance(part, list):
        return [_replaced(kid, words) for kid in part]
    return part


def _owners_first(objects: Sequence[JsonObject]) -> list[JsonObject]:
    """Each after those that it names as its owners, else in the order given."""
    by_uid = {_uid(obj): obj for obj in objects if _uid(obj)}
    placed: dict[int, JsonObject] = {}
    waiting: set[int] = set()

    def place(obj: JsonObject) -> None:
        if id(obj) in placed or id(obj) in waiting:
            return
        waiting.add(id(obj))
        for reference in value_at(obj, ("metadata", "ownerReferences")) or ():
            above = by_uid.get(str(reference.get("uid")))
            if above is not None:
                place(above)
        placed[id(obj)] = obj

    for obj in objects:
        place(obj)
    return list(placed.values())


def _only_status_differs(before: JsonObject, after: JsonObject) -> bool:
    def rest(obj: JsonObject) -> dict[str, Json]:
        metadata = {name: held for name, held in (obj.get("metadata") or {}).items() if name in _WRITABLE}
        return {name: held for name, held in obj.items() if name not in ("metadata", "status")} | {"metadata": metadata}

    return same(rest(before), rest(after)) and isinstance(after.get("status"), dict)


def _key(obj: JsonObject) -> _Key:
    gvk = Gvk.of(obj)
    return gvk.group, gvk.kind, _name(obj)


def _name(obj: JsonObject) -> str:
    return str((obj.get("metadata") or {}).get("name", ""))


def _uid(obj: JsonObject) -> str:
    return str((obj.get("metadata") or {}).get("uid", ""))


def unwritable(cluster: Cluster, before: JsonObject, after: JsonObject) -> tuple[Finding, ...]:
    """What the server would not keep of an edit, by a dry run of the edited object.

    () when it keeps all, and when it refuses the object as it was. What it makes of other places is not told.
    """
    named = who(after)
    metadata = {name: held for name, held in (after.get("metadata") or {}).items() if name in _WRITABLE}
    metadata.pop("ownerReferences", None)
    if cluster.resource(Gvk.of(after)).namespaced:
        metadata["namespace"] = getattr(cluster, "namespace", "default")
    try:
        cluster.create(_acceptable({**before, "metadata": metadata}), dry_run=True)
    except ApiError as error:
        list(_refusals(error, 0, named))
        return ()  # it is no object of this server even without the edit
    try:
        stored = cluster.create(_acceptable({**after, "metadata": metadata}), dry_run=True)
    except ApiError as error:
        return tuple(_refusals(error, 0, named))
    changed = [at for at, _, _ in _differing(dict(before), dict(after), ())]
    kept = _as_asked(after, dict(stored))
    return tuple(
        [
            finding
            for finding in _findings(after, kept, 0, named)
            if any(finding.at[: len(at)] == at or at[: len(finding.at)] == finding.at for at in changed)
        ]
    )
