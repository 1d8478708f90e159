"""What the rest of karta asks of a cluster, and what gives one. Objects go in and out as plain dicts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import field
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

from kartatest.definition.model import Gvk
from kartatest.errors import ClusterError
from kartatest.source import Json, JsonObject
from kartatest.value import value

PatchKind: TypeAlias = Literal["merge", "strategic", "json"]
"""How a patch is meant: RFC 7386, Kubernetes' merge of lists by their keys, or RFC 6902."""


@value
class Resource:
    """One kind that the server serves: where its objects are, and what can be done with them."""

    gvk: Gvk
    plural: str
    namespaced: bool
    subresources: frozenset[str] = frozenset()
    verbs: frozenset[str] = frozenset()
    short_names: tuple[str, ...] = ()


@value
class Event:
    """One event of a watch. kind: ADDED, MODIFIED, DELETED."""

    kind: str
    obj: JsonObject


class ApiError(ClusterError):
    """The API server's refusal. code is HTTP's (0 when no answer came), reason Kubernetes' word ("Forbidden").

    causes: pairs of a field path and what is wrong there, as the server names them; () where it names none.
    """

    def __init__(self, message: str, *, code: int = 0, reason: str = "", causes: tuple[tuple[str, str], ...] = ()):
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.causes = causes


class Cluster(Protocol):
    """A reachable API server. Every call raises ApiError when the server refuses or does not answer in time.

    namespace "" means all namespaces where objects are listed, and none for kinds that have none.
    """

    name: str
    kubeconfig: Path | None
    """A file with this cluster as its current context; None for one that has no API server (fake)."""

    def resources(self) -> tuple[Resource, ...]:
        """Every kind that is served, in each version, subresources folded into their kind."""
        ...

    def resource(self, gvk: Gvk) -> Resource:
        """Where objects of a kind are. Raises ClusterError when the kind is not served."""
        ...

    def get(self, gvk: Gvk, name: str, namespace: str = "") -> JsonObject | None:
        """The object; None when there is none."""
        ...

    def list(self, gvk: Gvk, namespace: str = "", *, labels: str = "", page: int = 500) -> Iterator[JsonObject]:
        """Objects of a kind, asked for in pages; labels is a label selector. apiVersion and kind are filled in."""
        ...

    def create(self, obj: JsonObject, *, dry_run: bool = False) -> JsonObject:
        """The object as the server stored it."""
        ...

    def replace(self, obj: JsonObject, *, subresource: str = "") -> JsonObject:
        """The object as it then is; subresource "status" writes the status alone."""
        ...

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
        """The object after the patch."""
        ...

    def apply(
        self, obj: JsonObject, *, manager: str = "karta", force: bool = False, dry_run: bool = False
    ) -> JsonObject:
        """Server-side apply under a field manager; a field that another one owns is an ApiError unless forced."""
        ...

    def delete(
        self,
        gvk: Gvk,
        name: str,
        namespace: str = "",
        *,
        propagation: str = "Background",
        grace_seconds: int | None = None,
    ) -> bool:
        """Asks for the end of an object; False when there was none. It may live on until finalizers are done.

        grace_seconds: of a pod, how long it may take to stop; 0 takes it away at once, None is as it says itself.
        """
        ...

    def watch(
        self, gvk: Gvk, namespace: str = "", *, name: str = "", since: str = "", timeout_seconds: float = 30
    ) -> Iterator[Event]:
        """Events as they come, from the resource version `since` ("": what is there first), until the time is up.

        A `since` that the server no longer knows is an ApiError with code 410.
        """
        ...

    def raw(self, path: str) -> Json:
        """The JSON that a path of the server gives: "/openapi/v3/apis/batch/v1"."""
        ...


class Provider(Protocol):
    """Gives a cluster, and takes it away again when the context ends, also after an error."""

    name: str

    def start(self) -> AbstractContextManager[Cluster]:
        """A cluster that is ready to use. Raises ClusterError that says how to put right what is missing."""
        ...


@value
class Access:
    """How a user's own cluster is reached, as kubectl's flags say it; "" and None mean kubectl's defaults."""

    kubeconfig: Path | None = None
    context: str = ""
    namespace: str = ""
    request_timeout_seconds: float = field(default=30)
