"""A cluster behind an API server: kinds by discovery, objects as plain dicts with exact integers."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from kartatest.cluster.connection import Connection, opened
from kartatest.cluster.model import Access, ApiError, Event, PatchKind, Resource
from kartatest.definition.model import Gvk
from kartatest.errors import ClusterError
from kartatest.source import Json, JsonObject

PATCHES: Mapping[PatchKind, str] = {
    "merge": "application/merge-patch+json",
    "strategic": "application/strategic-merge-patch+json",
    "json": "application/json-patch+json",
}
DISCOVERY = (
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
    "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,"
    "application/json"
)


class HttpCluster:
    """The Cluster of `model` over HTTP."""

    def __init__(self, connection: Connection, *, name: str = "", kubeconfig: Path | None = None):
        self.connection = connection
        self.name = name or connection.context
        self.kubeconfig = kubeconfig
        self._resources: dict[Gvk, Resource] = {}
        self._lock = threading.Lock()

    @property
    def namespace(self) -> str:
        """The namespace that is meant where none is named."""
        return self.connection.namespace

    def close(self) -> None:
        """Gives the connections back."""
        self.connection.close()

    def resources(self) -> tuple[Resource, ...]:
        """As the protocol says; asked of the server each time."""
        found: dict[Gvk, Resource] = {}
        for path in ("/api", "/apis"):
            listed = self.connection.call("GET", path, accept=DISCOVERY)
            if listed.get("kind") == "APIGroupDiscoveryList":
                found |= {resource.gvk: resource for resource in _aggregated(listed)}
            else:
                found |= {resource.gvk: resource for resource in self._by_group(path, listed)}
        with self._lock:
            self._resources = found
        return tuple(found.values())

    def _by_group(self, path: str, listed: JsonObject) -> Iterator[Resource]:
        """Discovery of servers before 1.26: one list for each group and version. A group that is away is left out."""
        names = [f"/api/{version}" for version in listed.get("versions", ()) if path == "/api"]
        for group in listed.get("groups", ()):
            names += [f"/apis/{version['groupVersion']}" for version in group["versions"]]
        for name in names:
            with contextlib.suppress(ApiError):
                yield from _of_version(self.connection.call("GET", name))

    def resource(self, gvk: Gvk) -> Resource:
        """As the protocol says; the server is asked only for a kind that it was not seen to serve.

        The list of one version is asked for, as it knows a new kind seconds before the list of all kinds does.
        """
        if gvk not in self._resources:
            try:
                listed = self.connection.call("GET", f"{_root(gvk)}/{gvk.version}")
            except ApiError as error:
                if error.code != 404:
                    raise
                listed = {}
            with self._lock:
                self._resources |= {found.gvk: found for found in _of_version(listed)}
        if gvk not in self._resources:
            raise ClusterError(f"{self.name} serves no {gvk}: is its CRD installed?")
        return self._resources[gvk]

    def _path(self, gvk: Gvk, namespace: str, name: str = "", subresource: str = "") -> str:
        resource = self.resource(gvk)
        parts = [_root(gvk), gvk.version]
        if resource.namespaced and namespace:
            parts += ["namespaces", quote(namespace, safe="")]
        elif resource.namespaced and name:
            raise ClusterError(f"{gvk.kind} {name} needs a namespace")
        parts.append(resource.plural)
        parts += [quote(part, safe="") for part in (name, subresource) if part]
        return "/".join(parts)

    def get(self, gvk: Gvk, name: str, namespace: str = "") -> JsonObject | None:
        """As the protocol says."""
        try:
            found: JsonObject = self.connection.call("GET", self._path(gvk, namespace, name))
        except ApiError as error:
            if error.code == 404:
                return None
            raise
        return found

    def list(self, gvk: Gvk, namespace: str = "", *, labels: str = "", page: int = 500) -> Iterator[JsonObject]:
        """As the protocol says. A list that the server forgot between two pages is begun again, nothing comes twice."""
        path = self._path(gvk, namespace)
        first = {"limit": str(page)} | ({"labelSelector": labels} if labels else {})
        query, seen = first, set[str]()
        while True:
            try:
                listed = self.connection.call("GET", path, query=query)
            except ApiError as error:
                if error.code != 410 or "continue" not in query:
                    raise
                query = first
                continue
            for obj in listed.get("items") or ():
                uid = (obj.get("metadata") or {}).get("uid", "")
                if uid not in seen:
                    seen.add(uid)
                    yield {"apiVersion": gvk.api_version, "kind": gvk.kind, **obj}
            more = (listed.get("metadata") or {}).get("continue")
            if not more:
                return
            query = {**first, "continue": more}

    def create(self, obj: JsonObject, *, dry_run: bool = False) -> JsonObject:
        """As the protocol says."""
        path = self._path(Gvk.of(obj), _namespace(obj))
        created: JsonObject = self.connection.call("POST", path, query=_dry(dry_run), body=dict(obj))
        return created

    def replace(self, obj: JsonObject, *, subresource: str = "") -> JsonObject:
        """As the protocol says."""
        path = self._path(Gvk.of(obj), _namespace(obj), _name(obj), subresource)
        replaced: JsonObject = self.connection.call("PUT", path, body=dict(obj))
        return replaced

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
        """As the protocol says."""
        path = self._path(gvk, namespace, name, subresource)
        patched: JsonObject = self.connection.call(
            "PATCH", path, query=_dry(dry_run), body=patch, content=PATCHES[kind]
        )
        return patched

    def apply(
        self, obj: JsonObject, *, manager: str = "karta", force: bool = False, dry_run: bool = False
    ) -> JsonObject:
        """As the protocol says."""
        path = self._path(Gvk.of(obj), _namespace(obj), _name(obj))
        query = {"fieldManager": manager, "force": str(force).lower(), **(_dry(dry_run) or {})}
        applied: JsonObject = self.connection.call(
            "PATCH", path, query=query, body=dict(obj), content="application/apply-patch+yaml"
        )
        return applied

    def delete(
        self,
        gvk: Gvk,
        name: str,
        namespace: str = "",
        *,
        propagation: str = "Background",
        grace_seconds: int | None = None,
    ) -> bool:
        """As the protocol says."""
        options: dict[str, Any] = {"apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": propagation}
        if grace_seconds is not None:
            options["gracePeriodSeconds"] = grace_seconds
        try:
            self.connection.call("DELETE", self._path(gvk, namespace, name), body=options)
        except ApiError as error:
            if error.code == 404:
                return False
            raise
        return True

    def watch(
        self, gvk: Gvk, namespace: str = "", *, name: str = "", since: str = "", timeout_seconds: float = 30
    ) -> Iterator[Event]:
        """As the protocol says. A version that the server no longer knows is an ApiError with code 410."""
        until = time.monotonic() + timeout_seconds
        path = self._path(gvk, namespace)
        while (left := until - time.monotonic()) > 0:
            query = {"watch": "true", "allowWatchBookmarks": "true", "timeoutSeconds": str(int(left) + 1)}
            query |= {"resourceVersion": since} if since else {}
            query |= {"fieldSelector": f"metadata.name={name}"} if name else {}
            for line in self.connection.lines(path, query, timeout_seconds=left):
                kind, obj = line.get("type"), line.get("object") or {}
                if kind == "ERROR":
                    raise ApiError(
                        str(obj.get("message")), code=int(obj.get("code") or 0), reason=str(obj.get("reason", ""))
                    )
                since = (obj.get("metadata") or {}).get("resourceVersion", since)
                if kind != "BOOKMARK":
                    yield Event(kind, obj)
                if time.monotonic() > until:
                    return

    def raw(self, path: str) -> Json:
        """As the protocol says."""
        return self.connection.call("GET", path)


def _root(gvk: Gvk) -> str:
    return f"/apis/{quote(gvk.group, safe='')}" if gvk.group else "/api"


def _name(obj: JsonObject) -> str:
    return str((obj.get("metadata") or {}).get("name", ""))


def _namespace(obj: JsonObject) -> str:
    return str((obj.get("metadata") or {}).get("namespace") or "")


def _dry(dry_run: bool) -> dict[str, str] | None:
    return {"dryRun": "All"} if dry_run else None


def _aggregated(listed: JsonObject) -> Iterator[Resource]:
    for group in listed.get("items") or ():
        name = (group.get("metadata") or {}).get("name", "")
        for version in group.get("versions") or ():
            for found in version.get("resources") or ():
                kind = (found.get("responseKind") or {}).get("kind", "")
                if kind:
                    yield Resource(
                        gvk=Gvk(name, version["version"], kind),
                        plural=found["resource"],
                        namespaced=found.get("scope") == "Namespaced",
                        subresources=frozenset(sub["subresource"] for sub in found.get("subresources") or ()),
                        verbs=frozenset(found.get("verbs") or ()),
                        short_names=tuple(found.get("shortNames") or ()),
                    )


def _of_version(listed: JsonObject) -> Iterator[Resource]:
    group, _, version = listed.get("groupVersion", "").rpartition("/")
    found = listed.get("resources") or ()
    for item in found:
        if "/" in item["name"]:
            continue
        own = f"{item['name']}/"
        yield Resource(
            gvk=Gvk(group, version, item["kind"]),
            plural=item["name"],
            namespaced=bool(item.get("namespaced")),
            subresources=frozenset(sub["name"].removeprefix(own) for sub in found if sub["name"].startswith(own)),
            verbs=frozenset(item.get("verbs") or ()),
            short_names=tuple(item.get("shortNames") or ()),
        )


def connect(access: Access, *, name: str = "", scratch: Path | None = None) -> tuple[HttpCluster, str]:
    """The cluster that a user's flags mean, and the namespace: the one they name, else the context's.

    Raises ClusterError; whether the server answers shows with the first call. scratch: see `connection.opened`.
    """
    alone = access.kubeconfig if not access.context else None
    cluster = HttpCluster(opened(access, scratch=scratch), name=name, kubeconfig=alone)
    return cluster, cluster.namespace
