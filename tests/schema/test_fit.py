"""Whether objects fit their types: by cases, by samples, and by all recorded objects of real API servers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from kartatest.definition.model import Gvk
from kartatest.schema import order, part, schema_for, tags
from kartatest.schema.fit import Fault, misfits
from kartatest.schema.sample import samples
from tests import realdata
from tests.schema.build import spec_of

CASES = sorted((Path(__file__).parent / "cases").glob("*.yaml"))
TYPE = spec_of(
    {
        "type": "object",
        "required": ["replicas"],
        "properties": {
            "replicas": {"type": "integer", "minimum": 0, "maximum": 9},
            "name": {"type": "string", "maxLength": 3, "enum": ["a", "bcde"]},
            "ratio": {"type": "number", "nullable": True},
            "on": {"type": "boolean"},
            "port": {"x-kubernetes-int-or-string": True},
            "labels": {"type": "object", "maxProperties": 1, "additionalProperties": {"type": "string"}},
            "open": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
            "ports": {
                "type": "array",
                "minItems": 1,
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["name", "protocol"],
                "items": {
                    "type": "object",
                    "properties": {"name": {"type": "string"}, "protocol": {"type": "string", "default": "TCP"}},
                },
            },
        },
    }
)


@pytest.mark.parametrize(
    ("value", "wrong"),
    [
        ({"replicas": 1, "ratio": None, "port": "http", "open": {"x": [None]}, "labels": {"a": "b"}}, []),
        ({"replicas": 1.0, "ratio": 1, "port": 80, "ports": [{"name": "a"}, {"name": "a", "protocol": "UDP"}]}, []),
        ({}, [": missing: 'replicas' is missing"]),
        ([], [": type: a list where the type is object"]),
        (None, [": null: null is never stored here"]),
        ({"replicas": None}, ["replicas: null: null is never stored here"]),
        ({"replicas": 1.5}, ["replicas: type: a number where the type is integer"]),
        ({"replicas": True}, ["replicas: type: a boolean where the type is integer"]),
        ({"replicas": -1}, ["replicas: limit: -1 is less than 0"]),
        ({"replicas": 10}, ["replicas: limit: 10 is more than 9"]),
        ({"replicas": 1, "Name": "a"}, ["Name: unknown: there is no field 'Name'; did you mean 'name'?"]),
        ({"replicas": 1, "zzz": 1}, ["zzz: unknown: there is no field 'zzz'"]),
        ({"replicas": 1, "name": "b"}, ['name: enum: "b" is none of "a", "bcde"']),
        ({"replicas": 1, "name": "bcde"}, ["name: limit: 4 characters, at most 3 are allowed"]),
        ({"replicas": 1, "on": 1}, ["on: type: a number where the type is boolean"]),
        ({"replicas": 1, "port": {}}, ["port: type: an object where the type is int-or-string"]),
        ({"replicas": 1, "labels": {"a": 1, "b": "c"}}, [
            "labels.a: type: a number where the type is string",
            "labels: limit: 2 fields, at most 1 are allowed",
        ]),
        ({"replicas": 1, "ports": []}, ["ports: limit: 0 entries, at least 1 are needed"]),
        ({"replicas": 1, "ports": [{"name": "a"}, {"name": "a", "protocol": "TCP"}, "x"]}, [
            "ports.1: repeated: an earlier entry has the same name, protocol",
            "ports.2: type: a string where the type is object",
        ]),
    ],
)  # fmt: skip
def test_misfits(value: Any, wrong: list[str]) -> None:
    assert [f"{'.'.join(map(str, m.at))}: {m.fault.value}: {m.message}" for m in misfits(TYPE, value)] == wrong


@pytest.mark.parametrize("file", CASES, ids=lambda file: file.stem)
def test_samples_fit(file: Path) -> None:
    found = spec_of(yaml.safe_load(file.read_text("utf-8"))["spec"])
    assert not [m for obj in samples(found, 150) for m in misfits(found, obj)]


def test_samples_of_pods_fit() -> None:
    found = part("PodTemplateSpec")
    assert not [m for obj in samples(found, 150, 120) for m in misfits(found, obj)]


def _frames() -> Iterator[tuple[str, Any]]:
    for flow in realdata.recorded_flows():
        for frame in flow.frames:
            yield flow.version, frame.obj


@pytest.mark.skipif(realdata.recorded() is None, reason=realdata.ABSENT)
def test_recorded_objects_fit() -> None:
    """What real API servers stored is what the types allow; of releases without an index, those of the newest."""
    seen = 0
    for version, obj in _frames():
        kind = Gvk.of(obj)
        exact = any(order.same(tag, version) for tag in tags(kind))
        schema = schema_for(kind, version if exact else None)
        assert schema is not None, f"no types of {kind}"
        seen += 1
        for misfit in misfits(schema.root, obj):
            if not exact and misfit.fault is Fault.ENUM:
                continue  # another release may know other words
            pytest.fail(f"{schema}: {misfit.at}: {misfit.message}")
    assert seen > 200
