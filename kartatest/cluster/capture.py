"""Watches one workload of a cluster: its object, its pods by their owners, and the objects between."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from kartatest.cluster.model import ApiError, Cluster, Event
from kartatest.cluster.scenario import Reference
from kartatest.definition.model import Gvk
from kartatest.errors import ClusterError
from kartatest.recording.mask import mask
from kartatest.recording.model import Frame, GangExpectation, Recording
from kartatest.source import JsonObject, same
from kartatest.value import value

POD = Gvk("", "v1", "Pod")
_MOST_OWNERS = 16
_WINDOW_SECONDS = 300.0
_ATTEMPTS = 6
_NOISE = ("resourceVersion", "managedFields")


@value
class Moment:
    """What there is at one moment, whole objects. owners: between pods and object, as first seen, without status."""

    obj: JsonObject
    pods: tuple[JsonObject, ...] = ()
    owners: tuple[JsonObject, ...] = ()


@value
class Told:
    """A moment, and what a person says of it: its status (None where nobody said), a note, the pod groups."""

    moment: Moment
    status: str | None = None
    note: str = ""
    gang: tuple[GangExpectation, ...] = ()


@dataclass
class Watch:
    """One workload as its events come. gone: the object was deleted. lost: why nothing more comes, "" while it does.

    pods: "own", "all" of the namespace, or "none". follows: pods are watched, recorded or not, for `own_pods`.
    unmarked: annotations of pods that are not recorded. unseen: kinds of owners that may not be read.
    """

    cluster: Cluster
    target: Reference
    pods: str = "own"
    unmarked: Sequence[str] = ()
    follows: bool = True
    gone: bool = False
    lost: str = ""
    unseen: set[str] = field(default_factory=set)
    _obj: JsonObject | None = None
    _pods: dict[str, JsonObject] = field(default_factory=dict)
    _owners: dict[str, JsonObject] = field(default_factory=dict)
    _ours: set[str] = field(default_factory=set)
    _last: Moment | None = None
    _events: queue.SimpleQueue[tuple[Gvk, Event | ClusterError]] = field(default_factory=queue.SimpleQueue)
    _ended: threading.Event = field(default_factory=threading.Event)

    def next(self, timeout_seconds: float) -> Moment | None:
        """The next moment at which something changed; None when nothing did in this time, or nothing can any more."""
        end = time.monotonic() + timeout_seconds
        while not self.lost:
            try:
                gvk, event = self._events.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                return None
            if isinstance(event, ClusterError):
                self.lost = str(event)
                return None
            self._take(gvk, event)
            if (moment := self._changed()) is not None:
                return moment
        return None

    def _take(self, gvk: Gvk, event: Event) -> None:
        if gvk == self.target.gvk:
            self.gone = event.kind == "DELETED"
            first = self._obj is None
            if not self.gone:
                self._obj = _quiet(event.obj)
            if first:
                for uid in self._pods:
                    self._judge(uid)
        if gvk == POD:
            uid = _uid(event.obj)
            if event.kind == "DELETED":
                self._pods.pop(uid, None)
                self._ours.discard(uid)
            else:
                self._pods[uid] = _quiet(event.obj, self.unmarked)
                self._judge(uid)

    def _changed(self) -> Moment | None:
        """What there is now, when it differs from the last moment; None while there is no object."""
        if self._obj is None or self.gone:
            return None
        shown = {"own": self._ours, "all": set(self._pods), "none": set[str]()}[self.pods]
        pods = tuple(pod for uid, pod in self._pods.items() if uid in shown)
        moment = Moment(self._obj, pods, self._between(pods))
        last = self._last
        if last is not None and same([last.obj, *last.pods], [moment.obj, *moment.pods]):
            return None
        self._last = moment
        return moment

    def own_pods(self, name: str = "") -> tuple[JsonObject, ...]:
        """The pods that there are now, of the target or of another object of its kind; as last seen."""
        found = []
        for pod in self._pods.values():
            top = self._chain(pod)[-1]
            wanted = name or self.target.name
            if Gvk.of(top) == self.target.gvk and (top.get("metadata") or {}).get("name") == wanted:
                found.append(pod)
        return tuple(found)

    def _judge(self, uid: str) -> None:
        """Find out whose a pod is, unless it is known to be ours; an owner that cannot be found is asked for again."""
        if self._obj is not None and uid not in self._ours:
            ours = _uid(self._obj)
            if uid == ours or any(_uid(owner) == ours for owner in self._chain(self._pods[uid])):
                self._ours.add(uid)

    def _between(self, pods: Sequence[JsonObject]) -> tuple[JsonObject, ...]:
        """Owners of the pods that are neither among them nor the object, in the order in which they were first seen.

        An owner that is gone stays as long as a pod hangs off it.
        """
        given = {_uid(self._obj or {}), *map(_uid, pods)}
        needed = {_uid(owner) for pod in pods for owner in self._chain(pod)} - given
        return tuple(owner for uid, owner in self._owners.items() if uid in needed)

    def _chain(self, pod: JsonObject) -> list[JsonObject]:
        """The owners above a pod, the nearest first, as far as they can be seen; the pod itself when it has none."""
        chain: list[JsonObject] = []
        obj = pod
        while len(chain) < _MOST_OWNERS and (owner := self._owner(obj)) is not None:
            chain.append(owner)
            obj = owner
        return chain or [pod]

    def _owner(self, obj: JsonObject) -> JsonObject | None:
        metadata = obj.get("metadata") or {}
        references = metadata.get("ownerReferences") or []
        above = next((r for r in references if r.get("controller") is True), references[0] if references else None)
        if above is None:
            return None
        uid = above.get("uid", "")
        if self._obj is not None and uid == _uid(self._obj):
            return self._obj
        if uid not in self._owners:
            found = self._pods.get(uid) or self._fetched(above, metadata.get("namespace") or "")
            if found is None or _uid(found) != uid:
                return None
            self._owners[uid] = {key: part for key, part in _quiet(found).items() if key != "status"}
        return self._owners[uid]

    def _fetched(self, reference: JsonObject, namespace: str) -> JsonObject | None:
        try:
            return self.cluster.get(Gvk.of(reference), reference["name"], namespace)
        except ApiError as error:
            if error.code in (401, 403):
                self.unseen.add(str(Gvk.of(reference)))
                return None  # who may not see the owner cannot say whose the pod is
            raise

    def start(self) -> None:
        """Begin to watch; what is there already comes with the first moment. ClusterError for an unknown kind."""
        self.cluster.resource(self.target.gvk)
        for pod in self.cluster.list(POD, self.target.namespace) if self.follows else ():
            self._pods[_uid(pod)] = _quiet(pod, self.unmarked)
        self._follow(self.target.gvk, self.target.name)
        if self.follows and self.target.gvk != POD:
            self._follow(POD, "")

    def stop(self) -> None:
        """No event is waited for any more."""
        self._ended.set()

    def _follow(self, gvk: Gvk, name: str) -> None:
        threading.Thread(target=self._events_of, args=(gvk, name), daemon=True, name=f"watch {gvk.kind}").start()

    def _events_of(self, gvk: Gvk, name: str) -> None:
        """Put each event into the queue, again and again until the end; a server that is away is waited for a while."""
        since, away = "", 0
        while not self._ended.is_set():
            try:
                for event in self.cluster.watch(
                    gvk, self.target.namespace, name=name, since=since, timeout_seconds=_WINDOW_SECONDS
                ):
                    if self._ended.is_set():
                        return
                    since, away = (event.obj.get("metadata") or {}).get("resourceVersion", ""), 0
                    self._events.put((gvk, event))
            except ClusterError as error:
                away += 1
                code = error.code if isinstance(error, ApiError) else 404
                if code == 410:
                    since = ""
                elif away > _ATTEMPTS or code in (401, 403, 404):
                    self._events.put((gvk, error))
                    return
                self._ended.wait(0.2 * away)


@contextmanager
def watching(
    cluster: Cluster, target: Reference, *, pods: str = "own", unmarked: Sequence[str] = (), follows: bool = True
) -> Iterator[Watch]:
    """A watch that ends with the context."""
    watch = Watch(cluster, target, pods, unmarked, follows)
    watch.start()
    try:
        yield watch
    finally:
        watch.stop()


def recording(moments: Sequence[Told], of: Recording) -> Recording:
    """Moments as a recording like `of`, masked.

    Moments that are alike once they are masked, and of which the same is said, are one frame.
    """
    frames = tuple(
        Frame(
            index,
            told.moment.obj,
            told.moment.pods,
            told.moment.owners,
            None if told.status is None else (told.status,),
            note=told.note,
            gang=told.gang,
        )
        for index, told in enumerate(moments)
    )
    kept: list[Frame] = []
    for frame in mask(replace(of, frames=frames)).frames:
        if not kept or not _alike(kept[-1], frame):
            kept.append(replace(frame, index=len(kept), at=("frames", len(kept))))
    want = kept[-1].expected[0] if kept and kept[-1].expected else of.want
    return replace(of, frames=tuple(kept), want=want)


def _alike(one: Frame, other: Frame) -> bool:
    parts = [[frame.obj, *frame.pods, *frame.owners] for frame in (one, other)]
    return same(*parts) and one.expected == other.expected and not other.note and one.gang == other.gang


def _quiet(obj: JsonObject, unmarked: Sequence[str] = ()) -> JsonObject:
    """An object without what changes with every write, and without those annotations."""
    metadata = {key: part for key, part in (obj.get("metadata") or {}).items() if key not in _NOISE}
    annotations = metadata.get("annotations")
    if unmarked and isinstance(annotations, dict):
        metadata["annotations"] = {key: text for key, text in annotations.items() if key not in unmarked}
        if not metadata["annotations"]:
            del metadata["annotations"]
    return {**obj, "metadata": metadata}


def _uid(obj: JsonObject) -> str:
    return str((obj.get("metadata") or {}).get("uid", ""))
