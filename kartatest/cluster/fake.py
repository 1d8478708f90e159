"""A cluster in memory, for tests of what talks to clusters: no server, no controllers, the rules of one."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from datetime import UTC, datetime
from pathlib import Path

from kartatest.cluster import fields
from kartatest.cluster.model import ApiError, Event, PatchKind, Resource
from kartatest.cluster.storing import stored
from kartatest.definition.model import Gvk
from kartatest.errors import ClusterError
from kartatest.recording import patch as merge
from kartatest.schema.model import Schema
from kartatest.source import DocPath, Json, JsonObject, dotted, same

_VERBS = frozenset({"create", "delete", "get", "list", "patch", "update", "watch"})
_NAMESPACE = Gvk("", "v1", "Namespace")
_CRD = Gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition")
_SCALED = frozenset({"status", "scale"})
_STATUS = frozenset({"status"})

_CORE: tuple[tuple[str, str, str, bool, frozenset[str], str], ...] = (
    ("v1", "Namespace", "namespaces", False, _STATUS, "ns"),
    ("v1", "Node", "nodes", False, _STATUS, "no"),
    ("v1", "Pod", "pods", True, _STATUS, "po"),
    ("v1", "Service", "services", True, _STATUS, "svc"),
    ("v1", "ConfigMap", "configmaps", True, frozenset(), "cm"),
    ("v1", "Secret", "secrets", True, frozenset(), ""),
    ("v1", "Event", "events", True, frozenset(), "ev"),
    ("v1", "ServiceAccount", "serviceaccounts", True, frozenset(), "sa"),
    ("v1", "ReplicationController", "replicationcontrollers", True, _SCALED, "rc"),
    ("v1", "PersistentVolumeClaim", "persistentvolumeclaims", True, _STATUS, "pvc"),
    ("apps/v1", "Deployment", "deployments", True, _SCALED, "deploy"),
    ("apps/v1", "ReplicaSet", "replicasets", True, _SCALED, "rs"),
    ("apps/v1", "StatefulSet", "statefulsets", True, _SCALED, "sts"),
    ("apps/v1", "DaemonSet", "daemonsets", True, _STATUS, "ds"),
    ("apps/v1", "ControllerRevision", "controllerrevisions", True, frozenset(), ""),
    ("batch/v1", "Job", "jobs", True, _STATUS, ""),
    ("batch/v1", "CronJob", "cronjobs", True, _STATUS, "cj"),
    ("coordination.k8s.io/v1", "Lease", "leases", True, frozenset(), ""),
    ("scheduling.k8s.io/v1", "PriorityClass", "priorityclasses", False, frozenset(), "pc"),
    ("apiextensions.k8s.io/v1", "CustomResourceDefinition", "customresourcedefinitions", False, _STATUS, "crd"),
)

_Key = tuple[str, str, str, str]
"""Group, kind, namespace, name."""


class FakeCluster:
    """The Cluster of `model` in memory. Kinds of CRDs are pruned, filled with defaults and checked by their types."""

    def __init__(self, name: str = "fake") -> None:
        self.name = name
        self.namespace = "default"
        self.kubeconfig: Path | None = None
        self._objects: dict[_Key, dict[str, Json]] = {}
        self._owned: dict[_Key, dict[str, dict[DocPath, Json]]] = {}
        self._resources: dict[Gvk, Resource] = {}
        self._schemas: dict[Gvk, Schema] = {}
        self._log: list[tuple[int, _Key, Event]] = []
        self._version = 0
        self._changed = threading.Condition(threading.RLock())
        for api_version, kind, plural, namespaced, subresources, short in _CORE:
            gvk = Gvk.of({"apiVersion": api_version, "kind": kind})
            names = (short,) if short else ()
            self._resources[gvk] = Resource(gvk, plural, namespaced, subresources, _VERBS, names)
        for namespace in ("default", "kube-system"):
            self.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}})

    def resources(self) -> tuple[Resource, ...]:
        """As the protocol says."""
        return tuple(self._resources.values())

    def resource(self, gvk: Gvk) -> Resource:
        """As the protocol says."""
        if gvk not in self._resources:
            raise ClusterError(f"{self.name} serves no {gvk}: is its CRD installed?")
        return self._resources[gvk]

    def raw(self, path: str) -> Json:
        """Only /version is there."""
        if path == "/version":
            return {"major": "1", "minor": "34", "gitVersion": "v1.34.0-fake"}
        raise ApiError(f"the server could not find {path}", code=404, reason="NotFound")

    def get(self, gvk: Gvk, name: str, namespace: str = "") -> JsonObject | None:
        """As the protocol says."""
        with self._changed:
            found = self._objects.get(self._key(gvk, namespace, name))
            return None if found is None else self._shown(found, gvk)

    def list(self, gvk: Gvk, namespace: str = "", *, labels: str = "", page: int = 500) -> Iterator[JsonObject]:
        """As the protocol says; labels knows `a=b`, `a!=b`, `a` and `!a`."""
        self.resource(gvk)
        with self._changed:
            here = [
                self._shown(obj, gvk)
                for (group, kind, where, _), obj in sorted(self._objects.items())
                if (group, kind) == (gvk.group, gvk.kind) and namespace in ("", where) and _is_labelled(obj, labels)
            ]
        yield from here

    def create(self, obj: JsonObject, *, dry_run: bool = False) -> JsonObject:
        """As the protocol says."""
        gvk = Gvk.of(obj)
        metadata = dict(obj.get("metadata") or {})
        if not metadata.get("name") and metadata.get("generateName"):
            metadata["name"] = f"{metadata['generateName']}{uuid.uuid4().hex[:5]}"
        if not metadata.get("name"):
            raise ApiError("name or generateName is required", code=422, reason="Invalid")
        with self._changed:
            key = self._key(gvk, metadata.get("namespace") or "", metadata["name"])
            self._expect_namespace(key)
            if key in self._objects:
                raise _conflict("AlreadyExists", f"{self._resources[gvk].plural} {key[3]!r} already exists")
            made = {**deepcopy(dict(obj)), "metadata": metadata}
            if "status" in self._resources[gvk].subresources:
                made.pop("status", None)
            made = self._checked(gvk, made)
            now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            metadata |= {"uid": str(uuid.uuid4()), "creationTimestamp": now, "generation": 1}
            metadata.pop("deletionTimestamp", None)
            return self._keep(key, made, gvk, "ADDED", dry_run)

    def replace(self, obj: JsonObject, *, subresource: str = "") -> JsonObject:
        """As the protocol says."""
        gvk, metadata = Gvk.of(obj), obj.get("metadata") or {}
        with self._changed:
            key, old = self._there(gvk, metadata.get("namespace") or "", metadata.get("name") or "")
            return self._change(key, gvk, old, dict(obj), subresource, dry_run=False)

    def patch(
        self,
        gvk: Gvk,
        name: str,
        namespace: str,
        patch: Json,
        *,
        kind: PatchKind = "merge",
        subresource: str = "",
        dry_run: bool = False,
    ) -> JsonObject:
        """As the protocol says; a strategic merge goes by the entries' names wherever they have some."""
        ways: Mapping[PatchKind, Callable[[JsonObject, Json], Json]] = {
            "merge": merge.apply,
            "strategic": fields.strategic,
            "json": fields.operations,
        }
        with self._changed:
            key, old = self._there(gvk, namespace, name)
            new = ways[kind](self._shown(old, gvk), deepcopy(patch))
            return self._change(key, gvk, old, new, subresource, dry_run=dry_run)

    def apply(
        self, obj: JsonObject, *, manager: str = "karta", force: bool = False, dry_run: bool = False
    ) -> JsonObject:
        """As the protocol says. A list is one field; fields that were written otherwise than by apply have no owner."""
        gvk, metadata = Gvk.of(obj), obj.get("metadata") or {}
        mine = fields.leaves({name: value for name, value in obj.items() if name not in ("apiVersion", "kind")})
        mine = {at: value for at, value in mine.items() if at not in _NAMES}
        with self._changed:
            key = self._key(gvk, metadata.get("namespace") or "", metadata.get("name") or "")
            owned = self._owned.get(key, {})
            before = owned.get(manager, {})
            others = {at: who for who, paths in owned.items() if who != manager for at in paths}
            old = self._objects.get(key)
            if old is None:
                done = self.create(obj, dry_run=dry_run)
            else:
                clashes = [at for at, value in mine.items() if at in others and not same(fields.at(old, at), value)]
                if clashes and not force:
                    raise _owned_by_others(clashes, others)
                dropped = [at for at in before if at not in mine and at not in others]
                new = merge.apply(fields.without(self._shown(old, gvk), dropped), deepcopy(dict(obj)))
                done = self._change(key, gvk, old, new, "", dry_run=dry_run)
                if not dry_run:
                    for at in clashes:
                        owned[others[at]].pop(at, None)
            if not dry_run:
                self._owned.setdefault(key, {})[manager] = mine
            return done

    def delete(
        self,
        gvk: Gvk,
        name: str,
        namespace: str = "",
        *,
        propagation: str = "Background",
        grace_seconds: int | None = None,
    ) -> bool:
        """As the protocol says. Nothing collects what the object owned; a namespace and a CRD take theirs along."""
        with self._changed:
            key = self._key(gvk, namespace, name)
            found = self._objects.get(key)
            if found is None:
                return False
            if found["metadata"].get("finalizers"):
                now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
                metadata = {**found["metadata"], "deletionTimestamp": now}
                self._keep(key, {**found, "metadata": metadata}, gvk, "MODIFIED", dry_run=False)
            else:
                self._forget(key, gvk)
            return True

    def watch(
        self, gvk: Gvk, namespace: str = "", *, name: str = "", since: str = "", timeout_seconds: float = 30
    ) -> Iterator[Event]:
        """As the protocol says."""
        self.resource(gvk)
        until = time.monotonic() + timeout_seconds
        with self._changed:
            seen = int(since) if since else self._version
            first = [] if since else [Event("ADDED", obj) for obj in self.list(gvk, namespace)]
        yield from [event for event in first if name in ("", event.obj["metadata"]["name"])]
        while True:
            with self._changed:
                fresh = [entry for entry in self._log if entry[0] > seen]
                if not fresh:
                    left = until - time.monotonic()
                    if left <= 0 or not self._changed.wait(left):
                        return
                    continue
            for version, key, event in fresh:
                seen = version
                if key[:2] == (gvk.group, gvk.kind) and namespace in ("", key[2]) and name in ("", key[3]):
                    yield Event(event.kind, self._shown(event.obj, gvk))

    def _key(self, gvk: Gvk, namespace: str, name: str) -> _Key:
        if self.resource(gvk).namespaced and not namespace:
            raise ClusterError(f"{gvk.kind} {name} needs a namespace")
        return gvk.group, gvk.kind, namespace if self.resource(gvk).namespaced else "", name

    def _there(self, gvk: Gvk, namespace: str, name: str) -> tuple[_Key, dict[str, Json]]:
        key = self._key(gvk, namespace, name)
        if key not in self._objects:
            raise ApiError(f"{self._resources[gvk].plural} {name!r} not found", code=404, reason="NotFound")
        return key, self._objects[key]

    def _expect_namespace(self, key: _Key) -> None:
        if key[2] and ("", "Namespace", "", key[2]) not in self._objects:
            raise ApiError(f"namespaces {key[2]!r} not found", code=404, reason="NotFound")

    def _shown(self, obj: JsonObject, gvk: Gvk) -> dict[str, Json]:
        return {**deepcopy(dict(obj)), "apiVersion": gvk.api_version}

    def _checked(self, gvk: Gvk, obj: dict[str, Json]) -> dict[str, Json]:
        return stored(self._schemas[gvk], obj) if gvk in self._schemas else obj

    def _change(
        self, key: _Key, gvk: Gvk, old: dict[str, Json], new: dict[str, Json], subresource: str, *, dry_run: bool
    ) -> JsonObject:
        """Writes what a write of this subresource may write; the rest stays as it was."""
        resource = self._resources[gvk]
        if subresource and subresource not in resource.subresources:
            raise ApiError(f"{resource.plural} has no subresource {subresource!r}", code=404, reason="NotFound")
        given, metadata = new.get("metadata") or {}, old["metadata"]
        if given.get("resourceVersion") not in (None, metadata["resourceVersion"]):
            raise _conflict("Conflict", f"{resource.plural} {key[3]!r} was changed by somebody else")
        if subresource == "status":
            changed = {name: value for name, value in old.items() if name != "status"}
            changed |= {"status": new["status"]} if "status" in new else {}
        else:
            fixed = ("name", "namespace", "uid", "creationTimestamp", "generation", "deletionTimestamp")
            kept = {name: metadata[name] for name in fixed if name in metadata}
            changed = {**new, "metadata": {**given, **kept}}
            if "status" in resource.subresources:
                changed.pop("status", None)
                changed |= {"status": old["status"]} if "status" in old else {}
        changed = deepcopy(self._checked(gvk, changed))
        changed["metadata"]["resourceVersion"] = metadata["resourceVersion"]
        if same(_unversioned(changed), _unversioned(old)):
            return self._shown(old, gvk)
        if not same(_written(changed), _written(old)):
            changed["metadata"]["generation"] = metadata.get("generation", 0) + 1
        if metadata.get("deletionTimestamp") and not changed["metadata"].get("finalizers") and not dry_run:
            self._forget(key, gvk)
            return self._shown(changed, gvk)
        return self._keep(key, changed, gvk, "MODIFIED", dry_run)

    def _keep(self, key: _Key, obj: dict[str, Json], gvk: Gvk, event: str, dry_run: bool) -> JsonObject:
        if dry_run:
            return self._shown(obj, gvk)
        self._version += 1
        obj["metadata"]["resourceVersion"] = str(self._version)
        if gvk == _CRD:
            self._serve(obj)
        self._objects[key] = obj
        self._log.append((self._version, key, Event(event, obj)))
        self._changed.notify_all()
        return self._shown(obj, gvk)

    def _forget(self, key: _Key, gvk: Gvk) -> None:
        gone = self._objects.pop(key)
        self._owned.pop(key, None)
        self._version += 1
        last = {**gone, "metadata": {**gone["metadata"], "resourceVersion": str(self._version)}}
        self._log.append((self._version, key, Event("DELETED", last)))
        self._changed.notify_all()
        if gvk == _CRD:
            names = (gone["spec"]["group"], gone["spec"]["names"]["kind"])
            self._drop(lambda other: other[:2] == names)
            self._resources = {g: r for g, r in self._resources.items() if (g.group, g.kind) != names}
        elif gvk == _NAMESPACE:
            self._drop(lambda other: other[2] == key[3])

    def _drop(self, is_meant: Callable[[_Key], bool]) -> None:
        for key in [key for key in self._objects if is_meant(key)]:
            self._forget(key, Gvk(key[0], "", key[1]))

    def _serve(self, crd: dict[str, Json]) -> None:
        """Adds the kinds of a CRD and says that it is established."""
        from kartatest.schema import table
        from kartatest.schema.compile import NotACrdError, compile_crd

        try:
            schemas = table.of(compile_crd(crd))
        except NotACrdError as error:
            raise ApiError(str(error), code=422, reason="Invalid") from error
        names = crd["spec"]["names"]
        for schema in schemas:
            gvk = Gvk(schema.group, schema.version, schema.kind)
            self._schemas[gvk] = schema
            self._resources[gvk] = Resource(
                gvk, names["plural"], schema.namespaced, frozenset(schema.subresources), _VERBS,
                tuple(names.get("shortNames") or ()),
            )  # fmt: skip
        accepted = [{"type": kind, "status": "True"} for kind in ("NamesAccepted", "Established")]
        crd["status"] = {"conditions": accepted, "acceptedNames": names}


_NAMES: frozenset[DocPath] = frozenset({("metadata", "name"), ("metadata", "namespace")})


def _unversioned(obj: JsonObject) -> dict[str, Json]:
    return {name: value for name, value in obj.items() if name != "apiVersion"}


def _written(obj: JsonObject) -> dict[str, Json]:
    """What counts for the generation."""
    return {name: value for name, value in obj.items() if name not in ("apiVersion", "metadata", "status")}


def _conflict(reason: str, message: str) -> ApiError:
    return ApiError(message, code=409, reason=reason)


def _owned_by_others(paths: list[DocPath], others: Mapping[DocPath, str]) -> ApiError:
    causes = tuple([(dotted(at), f"conflict with {others[at]!r}") for at in paths])
    told = "; ".join(f"{message}: {field}" for field, message in causes)
    return ApiError(f"Apply failed: {told}", code=409, reason="Conflict", causes=causes)


def _is_labelled(obj: JsonObject, selector: str) -> bool:
    labels = obj["metadata"].get("labels") or {}
    for term in filter(None, selector.split(",")):
        name, found, wanted = term.partition("=")
        if not found:
            holds = (name.lstrip("!") in labels) != name.startswith("!")
        else:
            holds = (labels.get(name.rstrip("!=")) == wanted.lstrip("=")) != name.endswith("!")
        if not holds:
            return False
    return True


class Fake:
    """The provider `fake`."""

    name = "fake"

    @contextmanager
    def start(self) -> Iterator[FakeCluster]:
        """A new one each time, with the namespaces default and kube-system."""
        yield FakeCluster()
