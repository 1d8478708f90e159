"""The format as a JSON Schema, as a CRD, the schemas of recordings and scenarios: all made here, none by hand.

`python -m kartatest.definition.schema` writes the folder schemas/; with --check it says what has drifted.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from kartatest.definition.fields import (
    API_VERSION,
    COMPONENT,
    DEFINITION,
    EARLIER_API_VERSION,
    EARLIER_KIND,
    KIND,
    KIND_NAME,
    MATCHER,
    TOPOLOGY,
)
from kartatest.definition.model import Status
from kartatest.definition.scenarios import gang_schema, scenario_schema
from kartatest.definition.shapes import Field, ListOf, Shape, Struct, Text, TextMap
from kartatest.source import Json

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
GROUP, _, VERSION = API_VERSION.partition("/")


def json_schema() -> dict[str, Json]:
    """JSON Schema (draft 2020-12) of a definition file's document, for editors and for `::schema` checks.

    Stricter than the CRD in three points: unknown fields are errors, `spec` and `metadata.name` are required.
    """
    body = _strict(DEFINITION)
    body["$defs"] = {_def_name(struct): _strict(struct, whole=True) for struct in _SHARED}
    body["oneOf"] = [
        {"properties": {"apiVersion": {"const": version}, "kind": {"const": kind}}}
        for version, kind in (
            (API_VERSION, KIND_NAME),
            (EARLIER_API_VERSION, EARLIER_KIND),
            (API_VERSION, EARLIER_KIND),
            (EARLIER_API_VERSION, KIND_NAME),
        )
    ]
    return {
        "$schema": _DIALECT,
        "$id": "urn:kartatest:karta.schema.json",
        "title": "Definition of a Kubernetes workload kind",
        "$comment": "Names of components must also be unique, and list items by their key; JSON Schema cannot say it.",
        **body,
    }


_SHARED: Final = (COMPONENT, KIND, MATCHER, TOPOLOGY)


def _def_name(struct: Struct) -> str:
    return struct.word.split(" ", 1)[1].replace(" ", "-")


def _strict(shape: Shape, doc: str = "", *, whole: bool = False) -> dict[str, Json]:
    """The shape as JSON Schema, closed where the format is; what is used in several places as a reference."""
    found: dict[str, Json] = {"description": doc} if doc else {}
    if not whole and shape in _SHARED:
        assert isinstance(shape, Struct)
        return {**found, "$ref": f"#/$defs/{_def_name(shape)}"}
    if isinstance(shape, Text):
        found |= _text_type(shape)
        if shape.choices:
            found["enum"] = list(shape.choices)
    elif isinstance(shape, TextMap):
        found |= _map_type(shape)
    elif isinstance(shape, ListOf):
        found |= _list_type(shape, _strict(shape.item))
        if shape.unique:
            found["uniqueItems"] = True
    else:
        found |= _properties(shape, [_named(one, _strict(one.shape, one.doc)) for one in shape.fields])
        found["required"] = [one.name for one in shape.fields if one.required]
        found["additionalProperties"] = shape.open
        for rule in shape.rules:
            found |= dict(rule.schema)
        if not found["required"]:
            del found["required"]
    return found


def _text_type(shape: Text) -> dict[str, Json]:
    return {"type": "string"} | ({"minLength": shape.min_length} if shape.min_length else {})


def _map_type(shape: TextMap) -> dict[str, Json]:
    bound = {"minProperties": shape.min_properties} if shape.min_properties else {}
    return {"type": "object", "additionalProperties": {"type": "string"}, **bound}


def _list_type(shape: ListOf, items: dict[str, Json]) -> dict[str, Json]:
    return {"type": "array", "items": items, **({"minItems": shape.min_items} if shape.min_items else {})}


def _named(one: Field, schema: dict[str, Json]) -> tuple[str, dict[str, Json]]:
    return one.name, schema if one.default is None else {**schema, "default": one.default}


def _properties(shape: Struct, named: list[tuple[str, dict[str, Json]]]) -> dict[str, Json]:
    return {"type": "object", **({"properties": dict(named)} if named else {})}


def crd() -> dict[str, Json]:
    """The CustomResourceDefinition of the format (semantics 1.1 and 2.1), with a structural schema."""
    columns = [
        ("Framework", "string", ".spec.structureDefinition.rootComponent.kind.kind"),
        ("Root Component", "string", ".spec.structureDefinition.rootComponent.name"),
        ("Age", "date", ".metadata.creationTimestamp"),
    ]
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"kartas.{GROUP}"},
        "spec": {
            "group": GROUP,
            "scope": "Cluster",
            "names": {
                "kind": KIND_NAME,
                "listKind": f"{KIND_NAME}List",
                "plural": "kartas",
                "singular": "karta",
                "shortNames": ["krt"],
            },
            "versions": [
                {
                    "name": VERSION,
                    "served": True,
                    "storage": True,
                    "subresources": {"status": {}},
                    "additionalPrinterColumns": [{"name": n, "type": t, "jsonPath": p} for n, t, p in columns],
                    "schema": {"openAPIV3Schema": _crd_root()},
                }
            ],
        },
    }


def _crd_root() -> dict[str, Json]:
    spec = DEFINITION.by_name["spec"]
    return {
        "type": "object",
        "description": "How to read one kind of workload.",
        "properties": {
            "apiVersion": {"type": "string"},
            "kind": {"type": "string"},
            "metadata": {"type": "object"},
            "spec": _structural(spec.shape, spec.doc),
            "status": _STATUS,
        },
    }


_STATUS: Final[dict[str, Json]] = {
    "type": "object",
    "description": "What the operator found.",
    "properties": {
        "conditions": {
            "type": "array",
            "description": "KartaValidated, CRDExists, and Ready, which needs the other two.",
            "items": {
                "type": "object",
                "required": ["type", "status", "reason", "message", "lastTransitionTime"],
                "properties": {
                    "type": {"type": "string", "maxLength": 316},
                    "status": {"type": "string", "enum": ["True", "False", "Unknown"]},
                    "reason": {"type": "string", "minLength": 1, "maxLength": 1024},
                    "message": {"type": "string", "maxLength": 32768},
                    "lastTransitionTime": {"type": "string", "format": "date-time"},
                    "observedGeneration": {"type": "integer", "format": "int64", "minimum": 0},
                },
            },
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["type"],
        }
    },
}


def _structural(shape: Shape, doc: str = "") -> dict[str, Json]:
    """The shape as a structural schema: a type on every node, lists with their kind, rules as CEL."""
    found: dict[str, Json] = {"description": doc} if doc else {}
    if isinstance(shape, Text):
        found |= _text_type(shape)
    elif isinstance(shape, TextMap):
        found |= _map_type(shape)
    elif isinstance(shape, ListOf):
        found |= _list_type(shape, _structural(shape.item))
        if shape.key:
            found |= {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": [shape.key]}
        else:
            found["x-kubernetes-list-type"] = "set" if shape.unique else "atomic"
    else:
        found |= _properties(shape, [_named(one, _structural(one.shape, one.doc)) for one in shape.fields])
        if required := [one.name for one in shape.fields if one.required and not one.lenient]:
            found["required"] = required
        if shape.rules:
            found["x-kubernetes-validations"] = [{"rule": r.cel, "message": r.message} for r in shape.rules]
    return found


def recording_schema() -> dict[str, Json]:
    """JSON Schema of a recording: one workload through time, with what a person expects to read at each moment.

    A key with null says as much as none, save `object`, `patch` and `frames`, as when a recording is loaded.
    """
    status = {"enum": [s.value for s in Status]}

    def optional(part: dict[str, Json], doc: str) -> dict[str, Json]:
        null = {"enum": [*part["enum"], None]} if "enum" in part else {"type": [part["type"], "null"]}
        return {**part, **null, "description": doc}

    def objects(doc: str, name: str) -> dict[str, Json]:
        changes = {"type": "object", "additionalProperties": {"type": ["object", "null"]}}
        return {
            "anyOf": [{"type": "array", "items": {"type": "object"}}, changes, {"type": "null"}],
            "description": f"{doc} at this moment, all of them, or by {name} a JSON merge patch for each that changed; "
            "those of the frame before when absent.",
        }

    whole = {"type": "object", "required": ["apiVersion", "kind"], "description": "The whole object."}
    texts = {
        "definition": "Name of the definition that reads it: <group-kind-version>.",
        "operator": "The operator that wrote the object.",
        "version": "The operator's version.",
        "flow": "What happens, in a word; the file's name says it otherwise.",
    }
    frame = {
        "type": "object",
        "properties": {
            "object": whole,
            "patch": {"type": "object", "description": "JSON merge patch against the frame before."},
            "pods": objects("Pods", "name"),
            "owners": objects("Objects between the workload and its pods, or above it", "kind/name"),
            "expect": optional({"type": "array", "items": status}, "Statuses that a person says hold."),
            "gang": gang_schema(),
            "note": {"type": ["string", "null"], "description": "What there is to see."},
        },
        "oneOf": [{"required": ["object"]}, {"required": ["patch"]}],
        "additionalProperties": False,
    }
    first = {"required": ["object"], "properties": {"patch": False}}

    return {
        "$schema": _DIALECT,
        "$id": "urn:kartatest:recording.schema.json",
        "title": "Recording of a Kubernetes workload through time",
        "type": "object",
        "properties": {
            **{name: {"type": ["string", "null"], "description": doc} for name, doc in texts.items()},
            "want": optional(status, "The status that the last frame should read."),
            "source": {"description": "Where the recording is from."},
            "frames": {"type": "array", "minItems": 1, "prefixItems": [{"allOf": [frame, first]}], "items": frame},
        },
        "required": ["frames"],
        "additionalProperties": False,
    }


_HEADER: Final = "# Generated by python -m kartatest.definition.schema; do not edit.\n"


def files() -> dict[str, str]:
    """Name of each generated file, and its text."""
    import yaml

    crd_text = yaml.safe_dump(crd(), sort_keys=False, allow_unicode=True, width=120)
    return {
        "karta.schema.json": json.dumps(json_schema(), indent=2) + "\n",
        "recording.schema.json": json.dumps(recording_schema(), indent=2) + "\n",
        "scenario.schema.json": json.dumps(scenario_schema(), indent=2) + "\n",
        f"kartas.{GROUP}.yaml": _HEADER + crd_text,
    }


def drifted(folder: Path) -> tuple[str, ...]:
    """Names of the generated files that are missing or have another text."""
    made = files()
    return tuple(name for name, text in made.items() if _text(folder / name) != text)


def _text(file: Path) -> str | None:
    return file.read_text("utf-8") if file.is_file() else None


def main(arguments: Sequence[str]) -> int:
    """Write the files, or with --check name those that differ; 1 when there are any."""
    from kartatest.data import folder

    target = folder("schemas")
    stale = drifted(target)
    if "--check" in arguments:
        sys.stderr.writelines(f"schemas/{name} is not what the tables say\n" for name in stale)
        return int(bool(stale))
    target.mkdir(exist_ok=True)
    for name in stale:
        (target / name).write_text(files()[name], "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
