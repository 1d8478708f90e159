"""CRDs to types: cases are files, each a schema of `spec` and the outline of its type."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from kartatest.schema import table
from kartatest.schema.compile import NotACrdError, compile_crd, compile_text
from kartatest.source import Source
from tests.schema.build import crd, schema_of, spec_of
from tests.schema.outline import outline

HERE = Path(__file__).parent
CASES = sorted((HERE / "cases").glob("*.yaml"))
BROKEN = sorted((HERE / "broken").glob("*.yaml"))


@pytest.mark.parametrize("file", CASES, ids=lambda file: file.stem)
def test_case(file: Path) -> None:
    case = yaml.safe_load(file.read_text("utf-8"))
    assert outline(spec_of(case["spec"])) == case["types"]


@pytest.mark.parametrize("file", BROKEN, ids=lambda file: file.stem)
def test_broken(file: Path) -> None:
    first, _, _ = file.read_text("utf-8").partition("\n")
    with pytest.raises(NotACrdError) as error:
        compile_text(Source(file.name, file.read_text("utf-8")))
    wanted = first.removeprefix("# error: ")
    assert str(error.value) == wanted


def test_the_root_is_what_every_object_is() -> None:
    schema = schema_of({"type": "object", "properties": {"metadata": {"type": "object"}, "spec": {"type": "object"}}})
    root = schema.root
    assert list(root.fields) == ["apiVersion", "kind", "metadata", "spec"]
    assert root.required == {"apiVersion", "kind", "metadata"}
    assert root.fields["apiVersion"].enum == ("example.com/v1",)
    assert root.fields["kind"].enum == ("Thing",)
    labels = schema.at(("metadata", "labels", "app.kubernetes.io/name"))
    assert labels is not None
    assert labels.base.value == "string"
    assert schema.at(("metadata", "nothing")) is None


def test_metadata_inside_a_template_has_only_what_the_crd_says() -> None:
    bare = {"type": "object", "properties": {"metadata": {"type": "object"}}}
    found = schema_of({"type": "object", "properties": {"spec": {"type": "object", "properties": {"template": bare}}}})
    assert found.at(("spec", "template", "metadata", "labels")) is None, "an API server prunes it"


def test_each_served_version_has_its_own_root() -> None:
    document = crd({"type": "object"})
    document["spec"]["versions"] = [
        {"name": name, "served": served, "storage": name == "v2", "schema": {"openAPIV3Schema": schema}, **more}
        for name, served, schema, more in (
            ("v1", True, {"type": "object", "properties": {"a": {"type": "string"}}}, {}),
            ("v2", True, {"type": "object", "properties": {"b": {"type": "string"}}}, {"subresources": {"status": {}}}),
            ("v3", False, {"type": "object"}, {}),
        )
    ]
    document["spec"]["scope"] = "Cluster"
    made = compile_crd(document, tag="v9")
    found = table.of(made)
    assert [(s.version, s.storage, s.namespaced, s.tag) for s in found] == [
        ("v1", False, False, "v9"),
        ("v2", True, False, "v9"),
    ]
    assert [s.root.field("a") is None for s in found] == [False, True]
    assert dict(found[1].subresources) == {"status": {}}
    assert found[0].root.fields["metadata"] is found[1].root.fields["metadata"]


def test_scale_says_where_its_numbers_are() -> None:
    paths = {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"}
    document = crd({"type": "object"})
    document["spec"]["versions"][0]["subresources"] = {"scale": paths, "status": None}
    (found,) = table.of(compile_crd(document))
    assert dict(found.subresources) == {"scale": paths, "status": {}}


def test_lists_and_several_documents_are_looked_through() -> None:
    one, two = crd({"type": "object"}), crd({"type": "object"}, group="other.example.com")
    listed = {"apiVersion": "v1", "kind": "List", "items": [one, {"kind": "Namespace"}]}
    text = yaml.safe_dump_all([{"kind": "Namespace"}, listed, two])
    found = compile_text(Source("all.yaml", text), tag="v1")
    assert [made.kinds[0]["group"] for made in found] == ["example.com", "other.example.com"]


def test_equal_parts_are_one() -> None:
    part = {"type": "object", "properties": {"x": {"type": "array", "items": {"type": "string", "maxLength": 3}}}}
    found = spec_of({"type": "object", "properties": {"a": part, "b": dict(part), "c": {**part, "nullable": True}}})
    assert found.fields["a"] is found.fields["b"]
    assert found.fields["c"] is not found.fields["a"]
    assert found.fields["c"].fields["x"] is found.fields["a"].fields["x"]


def test_order_of_fields_does_not_show() -> None:
    fields = {"b": {"type": "string"}, "a": {"type": "integer"}, "c": {"type": "array", "items": {"type": "string"}}}
    schema = {"type": "object", "properties": fields, "required": ["b", "a"]}
    turned = {"required": ["a", "b"], "properties": dict(reversed(fields.items())), "type": "object"}
    made = [table.text(compile_crd(crd({"type": "object", "properties": {"spec": s}}))) for s in (schema, turned)]
    assert made[0] == made[1]


def test_depth_is_bounded() -> None:
    deep: dict[str, object] = {"type": "string"}
    for _ in range(400):
        deep = {"type": "array", "items": deep}
    with pytest.raises(NotACrdError, match="nests deeper than 200 levels"):
        compile_crd(crd({"type": "object", "properties": {"spec": deep}}))


def test_questions_to_a_type() -> None:
    found = spec_of(
        {
            "type": "object",
            "required": ["template"],
            "properties": {
                "template": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
                "replicas": {"type": "integer", "default": 1},
                "minReplicas": {"type": "integer", "nullable": True},
                "sizes": {"type": "array", "minItems": 1, "maxItems": 8, "items": {"type": "integer", "minimum": 2}},
            },
        }
    )
    assert found.always == {"template", "replicas"}
    assert found.near("Replicas") == ("replicas", "minReplicas")
    assert found.near("minreplicas")[0] == "minReplicas"
    assert found.near("zzz") == ()
    assert found.fields["minReplicas"].jq_types == {"number", "null"}
    assert found.fields["template"].open
    assert not found.open
    sizes = found.fields["sizes"]
    assert (sizes.min_items, sizes.max_items, sizes.items.minimum) == (1, 8, 2)
    assert not sizes.is_map
