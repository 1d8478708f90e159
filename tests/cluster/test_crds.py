"""CRDs: found by their places, made fit for a server, held to what it publishes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from kartatest.cluster import crds, kartas, openapi
from kartatest.cluster.crds import Release, Rights, nearest, present, releases
from kartatest.cluster.fake import FakeCluster
from kartatest.cluster.waits import CRD
from kartatest.definition.model import Gvk
from kartatest.errors import ClusterError, FileError
from kartatest.schema import table
from kartatest.schema.compile import compile_crd
from tests.cluster.contract import crd as widget_crd

WIDGET = Gvk("w.test", "v1", "Widget")
NAME = "widgets.w.test"


def put(folder: Path, tag: str, crd: dict[str, Any]) -> Path:
    file = folder / NAME / f"{tag}.yaml"
    file.parent.mkdir(exist_ok=True)
    file.write_text(yaml.safe_dump(crd), "utf-8")
    return file


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    made = tmp_path / "crds"
    made.mkdir()
    for tag in ("v0.10.0", "v0.2.0"):
        put(made, tag, widget_crd("w.test"))
    return made


def test_releases_are_found_in_their_order(folder: Path) -> None:
    found = releases(WIDGET, [folder])
    assert [(release.crd, release.tag) for release in found] == [(NAME, "v0.2.0"), (NAME, "v0.10.0")]
    assert releases(Gvk("w.test", "v2", "Widget"), [folder]) == ()
    assert releases(Gvk("w.test", "v1", "Gadget"), [folder]) == ()
    assert releases(Gvk("other.test", "v1", "Widget"), [folder]) == ()
    assert crds.read(found[0])["metadata"]["name"] == NAME


def test_a_file_by_itself_has_no_release(folder: Path) -> None:
    file = folder / "mine.yaml"
    file.write_text("kind: ConfigMap\n---\n" + yaml.safe_dump(widget_crd("w.test")), "utf-8")
    (release,) = releases(WIDGET, [file])
    assert (release.tag, crds.read(release)["kind"]) == ("", "CustomResourceDefinition")
    with pytest.raises(FileError, match=r"holds no CRD other\.test"):
        crds.read(Release("other.test", "", file))


def test_the_nearest_release(folder: Path) -> None:
    found = releases(WIDGET, [folder])
    tags = [nearest(found, tag) for tag in ("", "v0.1.0", "v0.2.0", "0.2.0", "v0.9.0", "v0.10.0", "v1.0.0")]
    assert [release.tag for release in tags if release] == [
        "v0.10.0", "v0.2.0", "v0.2.0", "v0.2.0", "v0.2.0", "v0.10.0", "v0.10.0",
    ]  # fmt: skip
    assert nearest((), "v1") is None
    branches = [Release(NAME, tag, folder) for tag in ("main-2025-08", "main-2026-08")]
    assert [nearest(branches, tag) for tag in ("1.2.1", "main-2026-01")] == [branches[1], branches[0]]


def test_what_is_applied_has_neither_prose_nor_a_webhook() -> None:
    crd = widget_crd("w.test")
    crd["spec"]["conversion"] = {"strategy": "Webhook", "webhook": {}}
    crd["status"] = {"conditions": None}
    schema = crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    schema["description"] = "prose"
    schema["properties"]["spec"]["properties"]["description"] = {"type": "string", "description": "prose"}
    made = crds.prepared(crd)
    left = made["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    assert made["spec"]["conversion"] == {"strategy": "None"}
    assert "status" not in made
    assert "description" not in left
    assert left["properties"]["spec"]["properties"]["description"] == {"type": "string"}
    assert crds.prepared(crd, prose=True)["spec"]["versions"][0]["schema"]["openAPIV3Schema"] == schema


def test_the_version_that_is_stored_can_be_chosen() -> None:
    crd = widget_crd("w.test")
    crd["spec"]["versions"].append({**crd["spec"]["versions"][0], "name": "v2", "storage": False})
    stored = {version["name"]: version["storage"] for version in crds.prepared(crd, stored="v2")["spec"]["versions"]}
    assert stored == {"v1": False, "v2": True}


def test_a_release_takes_the_place_of_another_where_that_is_allowed(folder: Path) -> None:
    second = widget_crd("w.test")
    second["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]["more"] = {
        "type": "string"
    }
    put(folder, "v0.10.0", second)
    old, new = releases(WIDGET, [folder])
    cluster = FakeCluster()
    with present(cluster, {NAME: old}, locks=folder / "locks"):
        before = cluster.get(CRD, NAME)
    with present(cluster, {NAME: old}):
        assert cluster.get(CRD, NAME) == before
    with present(cluster, {NAME: new}, Rights(replace=False)):
        assert cluster.get(CRD, NAME) == before
    with present(cluster, {NAME: new}):
        after = cluster.get(CRD, NAME)
        assert after is not None
        assert "more" in str(after["spec"])


def test_nothing_is_added_where_that_is_not_allowed(folder: Path) -> None:
    release = releases(WIDGET, [folder])[0]
    with pytest.raises(ClusterError, match=r"has no CRD widgets\.w\.test, and --karta-apply-crds"):
        present(FakeCluster(), {NAME: release}, Rights(add=False, replace=False)).__enter__()


def test_unknown_kinds_are_held_by_an_open_crd() -> None:
    cluster, kind = FakeCluster(), Gvk("else.test", "v1alpha1", "Clique")
    with present(cluster, {}, unknown=[kind]):
        made = cluster.create(
            {
                "apiVersion": "else.test/v1alpha1",
                "kind": "Clique",
                "metadata": {"name": "a", "namespace": "default"},
                "spec": {"anything": [1]},
            }
        )
    assert made["spec"] == {"anything": [1]}


def published(crd: dict[str, Any]) -> dict[str, Any]:
    """What a server makes of a CRD in OpenAPI v3."""
    spec = crd["spec"]
    kind = {"group": spec["group"], "version": "v1", "kind": spec["names"]["kind"]}
    schema = spec["versions"][0]["schema"]["openAPIV3Schema"]
    meta = {name: {"type": "string"} for name in ("apiVersion", "kind")} | {"metadata": {"$ref": "#/elsewhere"}}
    own = {**schema, "properties": {**schema["properties"], **meta}, "x-kubernetes-group-version-kind": [kind]}
    return {"components": {"schemas": {"test.w.v1.Widget": own, "other": {"type": "object"}}}}


def test_types_are_what_the_server_publishes() -> None:
    crd = widget_crd("w.test")
    (schema,) = table.of(compile_crd(crd))
    assert list(openapi.differences(schema, published(crd))) == []
    with pytest.raises(ClusterError, match="publishes no schema"):
        list(openapi.differences(schema, {"components": {"schemas": {}}}))


@pytest.mark.parametrize(
    ("at", "word", "value", "told"),
    [
        (("spec", "size"), "type", "number", "spec.size: type is 'integer' here, and 'number' on the server"),
        (("spec", "size"), "minimum", 1, "spec.size: minimum is 0 here, and 1 on the server"),
        (("spec", "size"), "format", "", "spec.size: format is 'int64' here, and '' on the server"),
        (("spec",), "required", [], "spec: required is ['size'] here, and [] on the server"),
        (("spec", "mode"), "enum", ["slow"], "spec.mode: enum is ['slow', 'fast'] here, and ['slow'] on the server"),
        (("spec", "colour"), "default", "red", "spec.colour: default is ['blue'] here, and ['red'] on the server"),
        (("spec", "colour"), "nullable", True, "spec.colour: nullable is False here, and True on the server"),
        (("spec", "colour"), "pattern", "^b", "spec.colour: pattern is '' here, and '^b' on the server"),
        (("spec", "free"), "x-kubernetes-preserve-unknown-fields", False, "spec.free: preserve-unknown-fields is True"),
        (("status",), "properties", {}, "status.phase: presence is True here, and False on the server"),
        (("status",), "additionalProperties", True, "status.*: presence is None here, and 'any' on the server"),
    ],
)
def test_each_difference_is_told(at: tuple[str, ...], word: str, value: Any, told: str) -> None:
    crd = widget_crd("w.test")
    (schema,) = table.of(compile_crd(crd))
    place = crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    for step in at:
        place = place["properties"][step]
    place[word] = value
    assert str(next(openapi.differences(schema, published(crd)))).startswith(told)


def test_our_own_crd_and_what_it_must_refuse() -> None:
    cluster = FakeCluster()
    with present(cluster, {kartas.NAME: kartas.release()}):
        assert list(kartas.taken(cluster, kartas.good())) == []
        assert list(kartas.refused(cluster, with_rules=False)) == []
        assert list(kartas.refused(cluster)) == [
            "the server takes a selector that selects by nothing "
            "(spec.structureDefinition.childComponents[0].podSelector.componentTypeSelector)",
            "the server takes a selector with a value and no path "
            "(spec.structureDefinition.childComponents[0].podSelector.componentTypeSelector)",
        ]  # a server in memory runs no CEL
