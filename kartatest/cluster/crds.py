"""Real CRDs: where they are on this machine, and how they get into a cluster."""

from __future__ import annotations

import contextlib
import fcntl
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from pathlib import Path

from kartatest.cluster import openapi
from kartatest.cluster.model import ApiError, Cluster
from kartatest.cluster.waits import CRD, established, until
from kartatest.definition.model import Gvk
from kartatest.errors import ClusterError, FileError
from kartatest.schema import index, order, table
from kartatest.schema.compile import compile_crd, is_crd, mentions_crd
from kartatest.schema.model import Schema
from kartatest.source import Json, JsonObject, Source
from kartatest.value import value
from kartatest.yamlpos import documents

_SUFFIXES = (".yaml", ".yml")
_OWN_GROUPS = frozenset(
    f"{name}.k8s.io"
    for name in (
        "admissionregistration",
        "apiextensions",
        "apiregistration",
        "authentication",
        "authorization",
        "certificates",
        "coordination",
        "discovery",
        "events",
        "flowcontrol.apiserver",
        "internal.apiserver",
        "networking",
        "node",
        "rbac.authorization",
        "resource",
        "scheduling",
        "storage",
        "storagemigration",
    )
)
"""Groups with a dot that every API server brings."""

_ESTABLISHED_SECONDS = 120.0
_PUBLISHED_SECONDS = 60.0


@value
class Release:
    """One CRD as one release of its operator has it. tag: the release; "" where the file's place does not say.

    stored: the API version in which a cluster of ours shall store objects, where nobody converts them: a version that
    is not stored loses the fields that the stored one lacks. "" is as the CRD says.
    """

    crd: str
    tag: str
    file: Path
    stored: str = ""

    def __str__(self) -> str:
        return f"{self.crd} {self.tag}".strip()


@value
class Rights:
    """What may be done to a cluster's CRDs: add those that are not there, put others in the place of those that are."""

    add: bool = True
    replace: bool = True


class RefusedError(ApiError):
    """The server does not take the CRD of a release."""

    def __init__(self, release: Release, error: ApiError) -> None:
        super().__init__(str(error), code=error.code, reason=error.reason, causes=error.causes)
        self.release = release


def is_custom(kind: Gvk) -> bool:
    """Whether the kind is brought by a CRD, not by the API server itself."""
    return "." in kind.group and kind.group not in _OWN_GROUPS


def releases(kind: Gvk, places: Sequence[Path] = ()) -> tuple[Release, ...]:
    """The CRDs that serve a kind in its API version, oldest release first: of these places, else the fetched ones.

    A file `<crd name>/<release>.yaml` says its release by its place. Nothing is read as YAML here.
    """
    for place in (*places, index.cache_folder()):
        found = {(release.crd, release.tag): release for release in _releases(kind, place)}
        if found:
            return tuple(sorted(found.values(), key=lambda release: (release.crd, order.key(release.tag))))
    return ()


def _releases(kind: Gvk, place: Path) -> Iterator[Release]:
    for file in [place] if place.is_file() else sorted(f for f in place.rglob("*") if f.suffix in _SUFFIXES):
        folder = file.parent.name
        is_placed = "." in folder and folder.partition(".")[2] == kind.group
        if (is_placed or "." not in folder or file == place) and mentions_crd(file):
            name = _crd_name(file.read_text("utf-8", "replace"), kind)
            if name:
                yield Release(name, file.stem if is_placed else "", file)


def _crd_name(text: str, kind: Gvk) -> str:
    """The name of a CRD that serves the kind, by a look at the text; "" where there is none."""

    def line(words: str) -> re.Match[str] | None:
        return re.search(rf"^ *{words}\s*$", text, re.MULTILINE)

    serves = line(rf"kind: [\"']?{re.escape(kind.kind)}[\"']?") and line(rf"(?:- )?name: {re.escape(kind.version)}")
    named = line(rf"name: [\"']?([a-z0-9.-]+\.{re.escape(kind.group)})[\"']?")
    return named[1] if serves and named else ""


def nearest(found: Sequence[Release], tag: str) -> Release | None:
    """The release that a recording made with an operator's `tag` is tried with: that one, else the last before it.

    The first where all are later; the newest where no tag is given, or none that says what comes before it (a number
    beside branches). None when there are none.
    """
    for release in found:
        if tag and order.same(release.tag, tag):
            return release
    alike = [release for release in found if tag and _is_number(release.tag) == _is_number(tag)]
    if not alike:
        return found[-1] if found else None
    earlier = [release for release in alike if order.key(release.tag) < order.key(tag)]
    return earlier[-1] if earlier else alike[0]


def candidates(found: Sequence[Release], tag: str) -> tuple[Release, ...]:
    """The releases to try a recording with, in turn: its own or the nearest, then the rest, newest first.

    Others than its own count only where that is not here, or no server takes its CRD.
    """
    first = nearest(found, tag)
    return (first, *[release for release in reversed(found) if release != first]) if first else ()


def _is_number(tag: str) -> bool:
    return tag.removeprefix("v")[:1].isdecimal()


def storing(release: Release, version: str) -> Release:
    """The release, with objects stored in an API version; for a cluster of ours."""
    return Release(release.crd, release.tag, release.file, version)


def read(release: Release) -> JsonObject:
    """The CRD. Raises FileError when the file holds none of that name."""
    source = Source(str(release.file), release.file.read_text("utf-8"))
    for document in documents(source).documents:
        listed = document.value.get("items") if isinstance(document.value, dict) else None
        for found in listed if isinstance(listed, list) else [document.value]:
            if is_crd(found) and (found.get("metadata") or {}).get("name") == release.crd:
                whole: JsonObject = found
                return whole
    raise FileError(f"{release.file} holds no CRD {release.crd}")


def prepared(crd: JsonObject, *, prose: bool = False, stored: str = "") -> dict[str, Json]:
    """A CRD as it can be applied where its operator does not run: without a conversion webhook, status and, unless
    asked for, descriptions, which are two thirds of a large one and make a server take as much longer.
    """
    spec = dict(crd["spec"])
    if (spec.get("conversion") or {}).get("strategy") == "Webhook":
        spec["conversion"] = {"strategy": "None"}
    if stored in [version["name"] for version in spec["versions"]]:
        spec["versions"] = [{**version, "storage": version["name"] == stored} for version in spec["versions"]]
    if not prose:
        spec["versions"] = [
            {**version, "schema": {"openAPIV3Schema": without_prose(version["schema"]["openAPIV3Schema"])}}
            if isinstance((version.get("schema") or {}).get("openAPIV3Schema"), dict)
            else version
            for version in spec["versions"]
        ]
    metadata = {name: crd["metadata"][name] for name in ("name", "labels", "annotations") if name in crd["metadata"]}
    return {"apiVersion": crd["apiVersion"], "kind": crd["kind"], "metadata": metadata, "spec": spec}


def open_crd(kind: Gvk) -> dict[str, Json]:
    """A CRD for a kind of which nothing is known: it holds whatever is written, with a status of its own."""
    plural = f"{kind.kind.lower()}s"
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    version = {
        "name": kind.version,
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": schema},
        "subresources": {"status": {}},
    }
    names = {"plural": plural, "singular": plural[:-1], "kind": kind.kind, "listKind": f"{kind.kind}List"}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{kind.group}"},
        "spec": {"group": kind.group, "scope": "Namespaced", "names": names, "versions": [version]},
    }


def without_prose(schema: Json) -> Json:
    """A schema without descriptions. Fields that are called so stay."""
    if not isinstance(schema, dict):
        return schema
    kept: dict[str, Json] = {}
    for word, found in schema.items():
        if word == "description":
            continue
        if word == "properties" and isinstance(found, dict):
            kept[word] = {name: without_prose(kid) for name, kid in found.items()}
        elif word in ("items", "additionalProperties", "not"):
            kept[word] = without_prose(found)
        elif word in ("allOf", "anyOf", "oneOf") and isinstance(found, list):
            kept[word] = [without_prose(kid) for kid in found]
        else:
            kept[word] = found
    return kept


def apply(
    cluster: Cluster, crd: JsonObject, rights: Rights | None = None, *, timeout_seconds: float = _ESTABLISHED_SECONDS
) -> bool:
    """Has a CRD in the cluster, established, and says whether it was put there now.

    One that is there already stays, unless it may be replaced and differs. Raises ApiError when the server refuses it,
    ClusterError when it is not there and may not be added.
    """
    rights = rights or Rights()
    name = crd["metadata"]["name"]
    there = cluster.get(CRD, name)
    if there is None:
        if not rights.add:
            raise ClusterError(f"{cluster.name} has no CRD {name}, and --karta-apply-crds was not given")
        cluster.create(crd)
    elif rights.replace and not _is_same(there, crd):
        _replace(cluster, there, crd, timeout_seconds)
    else:
        established(cluster, [name], timeout_seconds=timeout_seconds)
        return False
    established(cluster, [name], timeout_seconds=timeout_seconds)
    return True


@lru_cache(maxsize=64)
def ready(release: Release, *, own: bool = True) -> dict[str, Json]:
    """The CRD as `present` applies it, read once, not to be changed. own: to a cluster of ours, without prose."""
    return marked(prepared(read(release), prose=not own, stored=release.stored if own else ""))


_MARK = "karta.test/applied"
"""An annotation with a digest of what was applied: a server fills in defaults, so that texts cannot be compared."""


def _is_same(there: JsonObject, crd: JsonObject) -> bool:
    mark = ((there.get("metadata") or {}).get("annotations") or {}).get(_MARK)
    return mark is not None and mark == (crd["metadata"].get("annotations") or {}).get(_MARK)


def marked(crd: dict[str, Json]) -> dict[str, Json]:
    """The CRD with a digest of itself, by which `apply` knows it again."""
    import hashlib
    import json

    digest = hashlib.sha256(json.dumps(crd["spec"], sort_keys=True).encode()).hexdigest()[:16]
    annotations = {**(crd["metadata"].get("annotations") or {}), _MARK: digest}
    return {**crd, "metadata": {**crd["metadata"], "annotations": annotations}}


def _replace(cluster: Cluster, there: JsonObject, crd: JsonObject, timeout_seconds: float) -> None:
    """In its place; by taking the old one away first where objects are stored in a version that the new one lacks."""
    stored = set((there.get("status") or {}).get("storedVersions") or ())
    if stored <= {version["name"] for version in crd["spec"]["versions"]}:
        version = there["metadata"]["resourceVersion"]
        cluster.replace({**crd, "metadata": {**crd["metadata"], "resourceVersion": version}})
        return
    name = crd["metadata"]["name"]
    cluster.delete(CRD, name)
    until(
        lambda: cluster.get(CRD, name) is None,
        waiting_for=f"that CRD {name} is gone",
        timeout_seconds=timeout_seconds,
    )
    cluster.create(crd)


@contextmanager
def present(
    cluster: Cluster,
    wanted: Mapping[str, Release],
    rights: Rights | None = None,
    *,
    unknown: Sequence[Gvk] = (),
    locks: Path | None = None,
) -> Iterator[None]:
    """Within, these releases of these CRDs are in the cluster, and nobody who asks here puts others in their place.

    unknown: kinds that get an `open_crd`, unless they are served. locks: a folder that all share who use the cluster;
    None when nobody else does. Raises RefusedError when the server does not take one.
    """
    rights = rights or Rights()
    open_ones = {crd["metadata"]["name"]: crd for crd in map(open_crd, unknown)}
    with ExitStack() as held:
        for name in sorted({*wanted, *open_ones}):  # in one order, so that no two wait for each other
            if locks is not None:
                held.enter_context(_alone(locks / f"{name}.lock"))
        for _, crd in sorted(open_ones.items()):
            apply(cluster, marked(crd), rights)
        for _, release in sorted(wanted.items()):
            try:
                apply(cluster, ready(release, own=rights.replace), rights)
            except ApiError as error:
                if error.code == 422:
                    raise RefusedError(release, error) from error
                raise
        yield


@contextmanager
def _alone(file: Path) -> Iterator[None]:
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield


def schemas(release: Release) -> tuple[Schema, ...]:
    """What our types say of the release: those of the index that comes along, else compiled from the file itself."""
    known = [entry for entry in index.built_in(release.crd) if release.tag and entry.tag == release.tag]
    found = [index.schema_for(entry, release.tag) for entry in known]
    if found:
        return tuple([schema for schema in found if schema is not None])
    return table.of(compile_crd(ready(release), tag=release.tag, name=str(release.file)))


def disagreements(
    cluster: Cluster, schema: Schema, *, timeout_seconds: float = _PUBLISHED_SECONDS
) -> tuple[openapi.Difference, ...]:
    """Where our types and what the server publishes differ, once it has published what was applied last.

    A server needs a moment to publish a new schema, so a difference counts only when it stays.
    """
    end = time.monotonic() + timeout_seconds
    pause = 0.1
    while True:
        found: tuple[openapi.Difference, ...] | None = None
        with contextlib.suppress(ApiError):
            document = cluster.raw(openapi.path(schema))
            if openapi.published(document, schema) is not None:
                found = tuple(openapi.differences(schema, document))
        if found == () or time.monotonic() > end:
            if found is None:
                raise ClusterError(f"{cluster.name} publishes no schema of {schema}")
            return found
        time.sleep(pause)
        pause = min(pause * 2, 2.0)
