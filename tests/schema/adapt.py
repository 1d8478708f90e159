"""The schema of a CRD as JSON Schema, for an independent judge of objects."""

from __future__ import annotations

from typing import Any


def json_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """nullable and int-or-string said in JSON Schema's words; closed where an API server drops names.

    Objects without declared names stay open: the root's metadata is written so.
    """
    found = {key: value for key, value in schema.items() if key not in _OTHER}
    if schema.get("x-kubernetes-int-or-string"):
        found["type"] = ["integer", "string"]
    if schema.get("nullable"):
        found["type"] = [*([found["type"]] if isinstance(found["type"], str) else found["type"]), "null"]
    for key in ("Minimum", "Maximum"):
        if schema.get(f"exclusive{key}") is True and schema["type"] == "integer":
            found[f"exclusive{key}"] = found.pop(key.lower())
        else:
            found.pop(f"exclusive{key}", None)
    if "properties" in schema:
        found["properties"] = {name: json_schema(kid) for name, kid in schema["properties"].items()}
        if not schema.get("x-kubernetes-preserve-unknown-fields"):
            found.setdefault("additionalProperties", False)
    if isinstance(found.get("additionalProperties"), dict):
        found["additionalProperties"] = json_schema(found["additionalProperties"])
    if "items" in schema:
        found["items"] = json_schema(schema["items"])
    return found


# Conditions on values, open bounds of fractions among them, are counted by the compiler and not kept by samples.
_OTHER = frozenset({"nullable", "description", "anyOf", "oneOf", "allOf", "not", "default", "format"})
