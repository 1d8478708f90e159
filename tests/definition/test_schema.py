"""The schemas are one: what the loader lets pass, JSON Schema allows, and the CRD is one that an API server takes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from jsonschema import Draft202012Validator

from kartatest import catalog
from kartatest.data import folder
from kartatest.definition import schema
from kartatest.definition.check import problems, structs
from kartatest.definition.fields import DEFINITION
from kartatest.definition.model import Use
from kartatest.definition.shapes import Struct, Text
from kartatest.recording.load import load as load_recording
from kartatest.source import Json, Source
from tests.strategies import broken_definitions, definitions

KARTA = Draft202012Validator(schema.json_schema())
RECORDING = Draft202012Validator(schema.recording_schema())
CRD_SCHEMA = schema.crd()["spec"]["versions"][0]["schema"]["openAPIV3Schema"]


def read(path: Path) -> Json:
    return yaml.load(path.read_text("utf-8"), Loader=yaml.CSafeLoader)


def keyed(value: Json, node: Json) -> bool:
    """Whether no list of the value repeats a key that the CRD tells its items apart by."""
    if node["type"] == "array" and isinstance(value, list):
        for key in node.get("x-kubernetes-list-map-keys", ()):
            texts = [item[key] for item in value if isinstance(item, dict) and isinstance(item.get(key), str)]
            if len(texts) != len(set(texts)):
                return False
        return all(keyed(item, node["items"]) for item in value)
    if node["type"] == "object" and isinstance(value, dict):
        below = node.get("properties", {})
        return all(keyed(item, below[key]) for key, item in value.items() if key in below)
    return True


def allowed(value: Json) -> bool:
    return KARTA.is_valid(value) and keyed(value, CRD_SCHEMA)


@given(definitions())
@settings(max_examples=60)
def test_generated_definitions_have_no_problems(value: Json) -> None:
    assert problems(value) == ()
    assert allowed(value)


@given(broken_definitions())
@settings(max_examples=200)
def test_loader_and_schema_judge_alike(value: Json) -> None:
    assert (problems(value) == ()) == allowed(value)


@pytest.mark.parametrize("path", catalog.paths(), ids=lambda p: p.stem)
def test_catalog_fits_the_schema(path: Path) -> None:
    assert [e.message for e in KARTA.iter_errors(read(path))] == []


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parents[2] / "fixtures").glob("*/*.yaml")), ids=lambda p: f"{p.parent.name}/{p.stem}"
)
def test_recordings_fit_the_schema(path: Path) -> None:
    assert [e.message[:300] for e in RECORDING.iter_errors(read(path))] == []


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"frames": []},
        {"frames": [{"patch": {}}]},
        {"frames": [{"object": {"kind": "Job"}}]},
        {"frames": [{"object": {"apiVersion": "v1", "kind": "Pod"}, "patch": {}}]},
        {"frames": [{"object": {"apiVersion": "v1", "kind": "Pod"}, "expect": ["running"]}]},
        {"frames": [{"object": {"apiVersion": "v1", "kind": "Pod"}, "expected": []}]},
    ],
)
def test_recording_schema_refuses(value: Json) -> None:
    assert not RECORDING.is_valid(value)
    assert load_recording(Source("r.yaml", json.dumps({"definition": "d", "frames": [], **value}))).diagnostics


POD: Json = {"apiVersion": "v1", "kind": "Pod"}
NO_VALUES = ["definition", "operator", "version", "flow", "want", "source"]
NO_FRAME_VALUES = ["pods", "owners", "expect", "gang", "note"]


@pytest.mark.parametrize("key", [*NO_VALUES, *NO_FRAME_VALUES])
def test_null_says_as_much_in_the_schema_as_when_loaded(key: str) -> None:
    frame = {"object": POD, **({key: None} if key in NO_FRAME_VALUES else {})}
    value = {"frames": [frame], **({key: None} if key in NO_VALUES else {})}
    assert RECORDING.is_valid(value)
    assert load_recording(Source("r.yaml", json.dumps(value))).diagnostics == ()


@pytest.mark.parametrize(
    "made",
    [schema.json_schema(), schema.recording_schema(), schema.scenario_schema()],
    ids=["karta", "recording", "scenario"],
)
def test_is_a_json_schema(made: Json) -> None:
    Draft202012Validator.check_schema(made)
    assert made["$id"].startswith("urn:")


def test_files_are_what_the_tables_say() -> None:
    assert schema.drifted(folder("schemas")) == (), "run python -m kartatest.definition.schema"


def test_check_tells_what_differs(tmp_path: Path) -> None:
    assert schema.drifted(tmp_path) == tuple(schema.files())


def nodes(node: Json, path: str = "") -> Iterator[tuple[str, Json]]:
    yield path, node
    for key, below in node.get("properties", {}).items():
        yield from nodes(below, f"{path}.{key}")
    if "items" in node:
        yield from nodes(node["items"], f"{path}[]")
    if isinstance(node.get("additionalProperties"), dict):
        yield from nodes(node["additionalProperties"], f"{path}.*")


def test_crd_schema_is_structural() -> None:
    """As the API server demands: a type on every node, no references, map keys that are required texts."""
    known = {
        "type", "description", "properties", "items", "required", "default", "enum", "format", "additionalProperties",
        "minLength", "maxLength", "minItems", "minProperties", "minimum",
        "x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-validations",
    }  # fmt: skip
    for path, node in nodes(CRD_SCHEMA):
        assert set(node) <= known, path
        assert node["type"] in ("object", "array", "string", "integer"), path
        assert set(node.get("required", ())) <= set(node.get("properties", ())), path
        assert ("items" in node) == (node["type"] == "array"), path
        assert not ("properties" in node and "additionalProperties" in node), path
        if node["type"] == "array":
            kind = node["x-kubernetes-list-type"]
            assert (kind == "map") == ("x-kubernetes-list-map-keys" in node), path
            for key in node.get("x-kubernetes-list-map-keys", ()):
                assert key in node["items"]["required"], path
                assert node["items"]["properties"][key]["type"] == "string", path


def test_crd_says_what_the_format_says() -> None:
    """Facts of semantics 1.1, 1.3 and 2.1 that nothing else here would notice missing."""
    by_path = dict(nodes(CRD_SCHEMA))
    component = ".spec.structureDefinition.childComponents[]"
    conditions = by_path[f"{component}.statusDefinition.conditionsDefinition"]["properties"]
    assert {k: v["default"] for k, v in conditions.items() if "default" in v} == {
        "typeFieldName": "type",
        "statusFieldName": "status",
        "messageFieldName": "message",
        "reasonFieldName": "reason",
    }
    selector = by_path[f"{component}.podSelector.componentTypeSelector"]
    assert len(selector["x-kubernetes-validations"]) == 2
    assert selector["properties"]["keyPath"]["minLength"] == 1
    assert selector["properties"]["matchLabels"]["minProperties"] == 1
    assert by_path[".spec.structureDefinition.additionalChildKinds"]["x-kubernetes-list-map-keys"] == ["kind"]
    gang = ".spec.optimizationInstructions.gangScheduling"
    assert by_path[f"{gang}.podGroups[].members[].filters"]["x-kubernetes-list-type"] == "set"
    assert len(by_path[f"{gang}.podGroup.topology"]["required"]) == 3
    assert by_path[f"{component}.suspendDefinition.resumeActions"]["minItems"] == 1
    assert "required" not in CRD_SCHEMA
    crd = schema.crd()["spec"]
    assert (crd["scope"], crd["names"]["shortNames"]) == ("Cluster", ["krt"])
    assert crd["versions"][0]["subresources"] == {"status": {}}
    assert [c["name"] for c in crd["versions"][0]["additionalPrinterColumns"]] == ["Framework", "Root Component", "Age"]


def test_every_kind_of_expression_is_in_the_table() -> None:
    uses = set()
    for struct in structs(DEFINITION):
        for field in struct.fields:
            shape = getattr(field.shape, "item", field.shape)
            if isinstance(shape, Text) and shape.use:
                uses.add(shape.use)
                assert field.name == shape.use.value.rpartition(".")[2]
    assert uses == set(Use)


def test_every_field_says_what_it_is() -> None:
    fields = [f for struct in structs(DEFINITION) if isinstance(struct, Struct) for f in struct.fields]
    assert [f.name for f in fields if not f.doc.endswith(".")] == []
