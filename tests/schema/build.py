"""CRDs around the schema that a test is about."""

from __future__ import annotations

from typing import Any

from kartatest.schema import table
from kartatest.schema.compile import compile_crd
from kartatest.schema.model import Schema


def crd(schema: dict[str, Any], **spec: Any) -> dict[str, Any]:
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"kind": "Thing", "plural": "things"},
            "versions": [version],
            **spec,
        },
    }


def schema_of(openapi: dict[str, Any], *, tag: str = "v1.0.0") -> Schema:
    (found,) = table.of(compile_crd(crd(openapi), tag=tag))
    return found


def spec_of(openapi: dict[str, Any]) -> Any:
    """The type of `spec` when it has this schema."""
    return schema_of({"type": "object", "properties": {"spec": openapi}}).root.fields["spec"]
