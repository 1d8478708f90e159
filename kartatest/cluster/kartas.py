"""Our own CRD in a cluster: which definitions a server takes, and which it must refuse."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from functools import cache

from kartatest.cluster.crds import Release
from kartatest.cluster.model import ApiError, Cluster
from kartatest.data import folder
from kartatest.source import DocPath, Json, JsonObject, dotted
from kartatest.value import value

NAME = "kartas.run.ai"


def release() -> Release:
    """Our CRD as it comes along."""
    return Release(NAME, "", folder("schemas") / f"{NAME}.yaml")


@value
class Bad:
    """One thing that is wrong with a definition: the value put at a place of a good one, None to take it out.

    rule: a condition in CEL finds it, not the schema.
    """

    name: str
    at: DocPath
    value: Json = None
    rule: bool = False


@cache
def _good() -> JsonObject:
    kind = {"group": "example.test", "version": "v1", "kind": "Thing"}
    selector = {"componentTypeSelector": {"keyPath": ".metadata.labels.role", "value": "main"}}
    root = {"name": "thing", "kind": kind}
    child = {
        "name": "part",
        "ownerRef": "thing",
        "specDefinition": {"podTemplateSpecPath": ".spec.template"},
        "podSelector": selector,
    }
    structure = {"rootComponent": root, "childComponents": [child]}
    return {
        "apiVersion": "run.ai/v1alpha1",
        "kind": "Karta",
        "metadata": {"name": "karta-probe"},
        "spec": {"structureDefinition": structure},
    }


def good() -> JsonObject:
    """A small definition that a server takes."""
    return deepcopy(_good())


_ROOT: DocPath = ("spec", "structureDefinition", "rootComponent")
_CHILD: DocPath = ("spec", "structureDefinition", "childComponents", 0)
_SELECTOR: DocPath = (*_CHILD, "podSelector", "componentTypeSelector")

BAD: tuple[Bad, ...] = (
    Bad("no structure", ("spec", "structureDefinition")),
    Bad("a root without a name", (*_ROOT, "name")),
    Bad("a name that is a number", (*_ROOT, "name"), 7),
    Bad("children that are no list", ("spec", "structureDefinition", "childComponents"), {"part": {}}),
    Bad("a path that is a list", (*_CHILD, "specDefinition", "podTemplateSpecPath"), [".spec.template"]),
    Bad("a selector that selects by nothing", _SELECTOR, {}, rule=True),
    Bad("a selector with a value and no path", _SELECTOR, {"value": "main", "matchLabels": {"a": "b"}}, rule=True),
)


def changed(bad: Bad) -> JsonObject:
    """The good definition with what is wrong."""
    document: Json = good()
    place = document
    for step in bad.at[:-1]:
        place = place[step]
    if bad.value is None:
        del place[bad.at[-1]]
    else:
        place[bad.at[-1]] = bad.value
    made: JsonObject = document
    return made


def taken(cluster: Cluster, document: JsonObject) -> Iterator[str]:
    """Why a server refuses a definition, line by line; nothing when it takes it. Nothing is stored."""
    try:
        _tried(cluster, document)
    except ApiError as error:
        if error.code in (0, 401, 403) or error.code >= 500:
            raise
        for field, message in error.causes or (("", str(error)),):
            yield f"the server refuses the definition: {field or 'as a whole'}: {message}"


def _tried(cluster: Cluster, document: JsonObject) -> None:
    try:
        cluster.create(document, dry_run=True)
    except ApiError as error:
        if error.reason != "AlreadyExists":
            raise
        other = {**document["metadata"], "name": f"{document['metadata']['name']}-karta-probe"}
        cluster.create({**document, "metadata": other}, dry_run=True)


def refused(cluster: Cluster, *, with_rules: bool = True) -> Iterator[str]:
    """What a server takes although it should not, line by line. with_rules: it also runs the conditions in CEL."""
    if list(taken(cluster, good())):
        yield "the server refuses a definition that is in order"
    for bad in BAD:
        if (with_rules or not bad.rule) and not list(taken(cluster, changed(bad))):
            yield f"the server takes {bad.name} ({dotted(bad.at)})"
