"""What runs in a cluster: its workloads, each with the pods that its owner chain gives it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace

from kartatest import catalog
from kartatest.cluster.model import ApiError, Cluster, Resource
from kartatest.definition.model import Definition, Gvk
from kartatest.errors import NothingFoundError, UsageError
from kartatest.resolve.model import Tree
from kartatest.resolve.tree import resolve
from kartatest.source import Json, JsonObject
from kartatest.value import value

POD = Gvk("", "v1", "Pod")
_MOST_OWNERS = 16
_REFUSED = (401, 403)


@value
class Workload:
    """One object that a definition describes, its live pods, and the objects between them and it.

    unseen: there may be more pods, which, or whose owners, the user may not list.
    """

    definition: Definition
    resource: Resource
    obj: JsonObject
    pods: tuple[JsonObject, ...] = ()
    owners: tuple[JsonObject, ...] = ()
    unseen: bool = False

    @property
    def type(self) -> str:
        """The kind as kubectl takes it: "jobsets.jobset.x-k8s.io", "pods"."""
        return f"{self.resource.plural}.{self.resource.gvk.group}".removesuffix(".")

    def resolved(self) -> Tree:
        """What the definition reads, pods attached."""
        return resolve(self.definition, self.obj, pods=self.pods, owners=self.owners)


@value
class Inventory:
    """Workloads in the order of namespace, kind, name. notes: what could not be seen, for people."""

    workloads: tuple[Workload, ...] = ()
    notes: tuple[str, ...] = field(default=())


def inventory(
    cluster: Cluster,
    *,
    namespace: str = "",
    given: Sequence[Definition] = (),
    only: Sequence[Definition] = (),
) -> Inventory:
    """Every workload of the kinds that are served and have a definition, each once.

    An object that another workload owns is a part of that one and not listed. namespace "" is all of them. given
    stand before the built-in definitions. With `only`, objects of those kinds alone, owned ones among them.
    A kind that the user may not list is a note; that there is no other, and what else goes wrong, is an ApiError.
    """
    served = {r.gvk: r for r in cluster.resources() if "list" in r.verbs}
    chosen = list(_chosen(served, given, only))
    if not chosen:
        raise NothingFoundError(f"{cluster.name} does not serve {_kinds(only) or 'any kind with a definition'}")
    seen = _Seen(cluster, served, namespace)
    found = [
        (definition, resource, obj)
        for definition, resource, _ in chosen
        for obj in seen.of(resource.gvk)
        if isinstance(_metadata(obj).get("name"), str)
    ]
    refusals = [seen.refused.get(resource.gvk) for _, resource, _ in chosen]
    if all(refusals) and refusals[0] is not None:
        raise refusals[0]
    hung = _by_workload(seen, {uid for _, _, obj in found if (uid := _uid(obj))})
    workloads = []
    for definition, resource, obj in found:
        if not only and any(_uid(owner) in hung.workloads for owner in seen.chain(obj)):
            continue
        workloads.append(_made(definition, resource, obj, hung))
    workloads.sort(key=lambda w: (_namespace(w.obj), w.resource.gvk.kind, _metadata(w.obj)["name"]))
    warnings = [warning for _, _, warning in chosen if warning]
    return Inventory(tuple(workloads), (*warnings, *seen.notes))


def workload(
    cluster: Cluster, definitions: Sequence[Definition], name: str, namespace: str = ""
) -> tuple[Workload, list[str]]:
    """One workload by name with its pods, and what could not be seen. The definitions are of one word's meaning.

    Raises NothingFoundError when there is no such object or its kind is not served, UsageError where several kinds are
    served that the word may mean.
    """
    served = {r.gvk: r for r in cluster.resources()}
    chosen = list(_chosen(served, (), definitions))
    if not chosen:
        raise NothingFoundError(f"{cluster.name} does not serve {_kinds(definitions)}")
    if len(chosen) > 1:
        kinds = " and ".join(f"{r.plural}.{r.gvk.group}" for _, r, _ in chosen)
        raise UsageError(f"that may be {kinds}; name it with its group")
    ((definition, resource, warning),) = chosen
    where = namespace if resource.namespaced else ""
    obj = cluster.get(resource.gvk, name, where)
    if obj is None:
        raise NothingFoundError(
            f"there is no {resource.gvk.kind} {name!r}" + (f" in the namespace {where!r}" if where else "")
        )
    seen = _Seen(cluster, served, where)
    seen.know((obj,))
    found = _made(definition, resource, obj, _by_workload(seen, {_uid(obj)}))
    notes = [warning] if warning else []
    notes += seen.notes
    if found.unseen:
        notes.append(f"{resource.gvk.kind} {name} may have more pods, which cannot be seen")
    return found, notes


def definitions_for(token: str, given: Sequence[Definition] = ()) -> tuple[Definition, ...]:
    """Definitions that a TYPE on the command line means, those given first. Raises NothingFoundError with near ones."""
    word = token.lower().partition(".")[0]
    mine = [d for d in given if d.root.kind and d.root.kind.kind.lower() in (word, word.removesuffix("s"))]
    found = (*mine, *(loaded.definition for loaded in catalog.named(token)))
    if not found:
        raise catalog.absent(Gvk("", "", token))
    return found


def _kinds(definitions: Sequence[Definition]) -> str:
    return " or ".join(str(d.root.kind) for d in definitions)


@value
class _Hung:
    """Pods by the uid of each workload above them, and the objects between, by their own uid.

    cut: namespaces with a pod of which it cannot be seen whose it is; None when no pod can be seen.
    """

    workloads: set[str]
    pods: dict[str, list[JsonObject]]
    between: dict[str, dict[str, JsonObject]]
    cut: set[str] | None


def _by_workload(seen: _Seen, workloads: set[str]) -> _Hung:
    hung = _Hung(workloads, {}, {}, set())
    for pod in seen.of(POD):
        above: list[JsonObject] = []
        found = False
        for owner in seen.chain(pod):
            uid = _uid(owner)
            if uid in workloads:
                found = True
                hung.pods.setdefault(uid, []).append(pod)
                hung.between.setdefault(uid, {}).update({_uid(o): o for o in above})
            above.append(owner)
        if hung.cut is not None and not found and _kind(controller([pod, *above][-1])) in seen.refused:
            hung.cut.add(_namespace(pod))
    return replace(hung, cut=None) if POD in seen.refused else hung


def _made(definition: Definition, resource: Resource, obj: JsonObject, hung: _Hung) -> Workload:
    uid, alone = _uid(obj), resource.gvk == POD
    pods = (*((obj,) if alone else ()), *hung.pods.get(uid, ()))
    unseen = not alone and (hung.cut is None or _namespace(obj) in hung.cut)
    return Workload(definition, resource, obj, pods, tuple(hung.between.get(uid, {}).values()), unseen)


def _chosen(
    served: dict[Gvk, Resource], given: Sequence[Definition], only: Sequence[Definition]
) -> Iterator[tuple[Definition, Resource, str]]:
    """A definition per served group and kind, in the version that fits best, with a warning where none fits exactly."""
    kinds: dict[tuple[str, str], list[Gvk]] = {}
    for gvk in served:
        kinds.setdefault((gvk.group, gvk.kind), []).append(gvk)
    for versions in kinds.values():
        choice: tuple[Definition, Gvk] | None = None
        pools = [list(only)] if only else [list(given), _built_in(versions[0])]
        for pool in pools:
            fits = [(d, gvk) for d in pool for gvk in versions if d.root.kind == gvk]
            loose = [(d, versions[0]) for d in pool if d.root.kind and _kin(d.root.kind, versions[0])]
            choice = next(iter([*fits, *loose]), None)
            if choice is not None:
                break
        if choice is None:
            continue
        definition, gvk = choice
        kind = definition.root.kind
        warning = "" if kind == gvk else f"{definition.name!r} describes {kind}, but the server has {gvk}"
        yield definition, served[gvk], warning


def _kin(one: Gvk, other: Gvk) -> bool:
    return (one.group, one.kind) == (other.group, other.kind)


def _built_in(gvk: Gvk) -> list[Definition]:
    """The catalog's definitions of a group and kind, the most stable version first."""
    found = (loaded.definition for loaded in catalog.named(f"{gvk.kind.lower()}.{gvk.group}"))
    return [d for d in found if d.root.kind and _kin(d.root.kind, gvk)]


class _Seen:
    """Objects as they are asked for: each kind once, kinds of owners only when a reference leads there."""

    def __init__(self, cluster: Cluster, served: dict[Gvk, Resource], namespace: str) -> None:
        self._cluster = cluster
        self._served = served
        self._namespace = namespace
        self._kinds: dict[Gvk, tuple[JsonObject, ...]] = {}
        self._by_uid: dict[str, JsonObject] = {}
        self.notes: list[str] = []
        self.refused: dict[Gvk, ApiError] = {}

    def of(self, gvk: Gvk) -> tuple[JsonObject, ...]:
        """All objects of a kind; () where they may not be listed, with a note."""
        if gvk not in self._kinds:
            self._kinds[gvk] = ()
            try:
                self._kinds[gvk] = tuple(self._cluster.list(gvk, self._namespace))
            except ApiError as error:
                if error.code not in _REFUSED:
                    raise
                self.refused[gvk] = error
                resource = self._served.get(gvk)
                self.notes.append(f"{resource.plural if resource else gvk} are not shown: {error}")
            self.know(self._kinds[gvk])
        return self._kinds[gvk]

    def know(self, objects: Iterable[JsonObject]) -> None:
        """Have these found when a reference leads to them."""
        self._by_uid |= {uid: obj for obj in objects if (uid := _uid(obj))}

    def chain(self, obj: JsonObject) -> Iterator[JsonObject]:
        """The owners of an object, the nearest first, as far as they can be seen."""
        for _ in range(_MOST_OWNERS):
            owner = self._owner(obj)
            if owner is None:
                return
            yield owner
            obj = owner

    def _owner(self, obj: JsonObject) -> JsonObject | None:
        reference = controller(obj)
        uid = reference.get("uid") if reference else None
        if reference is None or not isinstance(uid, str):
            return None
        if uid not in self._by_uid:
            gvk = _kind(reference)
            if gvk in self._served:
                self.of(gvk)
        return self._by_uid.get(uid)


def controller(obj: JsonObject) -> JsonObject | None:
    """The owner reference that names the object's controller."""
    references: Json = _metadata(obj).get("ownerReferences")
    for reference in references if isinstance(references, list) else ():
        if isinstance(reference, dict) and reference.get("controller") is True:
            return reference
    return None


def _kind(reference: JsonObject | None) -> Gvk:
    named = reference or {}
    group, _, version = str(named.get("apiVersion", "")).rpartition("/")
    return Gvk(group, version, str(named.get("kind", "")))


def _metadata(obj: JsonObject) -> JsonObject:
    metadata = obj.get("metadata")
    return metadata if isinstance(metadata, dict) else {}


def _uid(obj: JsonObject) -> str:
    uid = _metadata(obj).get("uid")
    return uid if isinstance(uid, str) else ""


def _namespace(obj: JsonObject) -> str:
    namespace = _metadata(obj).get("namespace")
    return namespace if isinstance(namespace, str) else ""
