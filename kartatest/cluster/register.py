"""Our CRD and definitions in a cluster: applied under a field manager of ours, and compared with the catalog."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from kartatest.cluster.model import Cluster
from kartatest.data import folder
from kartatest.definition.model import Gvk
from kartatest.source import JsonObject, Source
from kartatest.value import value

KARTA = Gvk("run.ai", "v1alpha1", "Karta")
CRD = Gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition")
_MANAGER = "karta"
_ESTABLISHED_SECONDS = 30
Outcome: TypeAlias = Literal["created", "configured", "unchanged"]


@value
class Applied:
    """What became of one object. paths: what differs from before, dotted; () where nothing does."""

    kind: str
    name: str
    outcome: Outcome
    paths: tuple[str, ...] = ()


def crd() -> JsonObject:
    """Our CustomResourceDefinition."""
    from kartatest.yamlpos import documents

    file = folder("schemas") / "kartas.run.ai.yaml"
    (document,) = documents(Source(file.name, file.read_text("utf-8"))).documents
    found: JsonObject = document.value
    return found


def register(
    cluster: Cluster, definitions: Sequence[JsonObject], *, dry_run: bool = False, force: bool = False
) -> Iterator[Applied]:
    """Applies the CRD, then each definition, server-side; yields what became of each, in that order.

    A dry run changes nothing; where the CRD is not there yet the server cannot judge the definitions, and each that is
    not there either counts as created. Raises ApiError for what the server refuses, fields of another manager among it.
    """
    yield _applied(cluster, CRD, crd(), dry_run=dry_run, force=force)
    served = True
    if dry_run:
        served = cluster.get(CRD, "kartas.run.ai") is not None
    else:
        from kartatest.cluster.waits import established

        established(cluster, ["kartas.run.ai"], timeout_seconds=_ESTABLISHED_SECONDS)
    for definition in definitions:
        if served:
            yield _applied(cluster, KARTA, definition, dry_run=dry_run, force=force)
        else:
            yield Applied("Karta", definition["metadata"]["name"], "created")


def registered(cluster: Cluster) -> tuple[JsonObject, ...]:
    """The definitions in the cluster, by name; () where our CRD is not installed."""
    found = cluster.list(KARTA) if any(resource.gvk == KARTA for resource in cluster.resources()) else ()
    return tuple(sorted(found, key=lambda obj: str(obj["metadata"]["name"])))


def _applied(cluster: Cluster, gvk: Gvk, obj: JsonObject, *, dry_run: bool, force: bool) -> Applied:
    name = obj["metadata"]["name"]
    before = cluster.get(gvk, name)
    after = cluster.apply(obj, manager=_MANAGER, force=force, dry_run=dry_run)
    if before is None:
        return Applied(gvk.kind, name, "created")
    paths = tuple(differences(_stated(before), _stated(after)))
    return Applied(gvk.kind, name, "configured" if paths else "unchanged", paths)


def _stated(obj: JsonObject) -> JsonObject:
    """What a person writes: labels, annotations and spec."""
    metadata = obj.get("metadata", {})
    return {
        "labels": metadata.get("labels", {}),
        "annotations": metadata.get("annotations", {}),
        "spec": obj.get("spec", {}),
    }


def differences(one: object, other: object, at: str = "") -> Iterator[str]:
    """Dotted paths at which two JSON values differ; a list is compared item by item where it is as long."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in [*one, *(key for key in other if key not in one)]:
            if key in one and key in other:
                yield from differences(one[key], other[key], f"{at}.{key}")
            else:
                yield f"{at}.{key}"
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for i, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from differences(left, right, f"{at}[{i}]")
    elif one != other:
        yield at
