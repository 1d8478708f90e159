"""A CRD to the types of its versions: names, types, bounds and defaults; descriptions stay behind.

Schemas are read as an API server reads structural schemas (apiextensions.k8s.io/v1). What is only a condition on
values (CEL, anyOf, not) is counted, not read: a type then allows more than the CRD, never less.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from kartatest.errors import FileError
from kartatest.schema.meta import object_meta
from kartatest.schema.table import Compiled, Ref, Table
from kartatest.source import DocPath, Json, JsonObject, Source, dotted

_BASES: Final = frozenset({"object", "array", "string", "integer", "number", "boolean"})
_LIMITS: Final = {
    "minimum": "minimum",
    "maximum": "maximum",
    "minLength": "minLength",
    "maxLength": "maxLength",
    "minItems": "minItems",
    "maxItems": "maxItems",
    "minProperties": "minFields",
    "maxProperties": "maxFields",
    "pattern": "pattern",
}
_NUMBER: Final = ((int, float), "a number")
_COUNT: Final = ((int,), "a whole number")
_SHAPES: Final = {
    "type": ((str,), "a word"),
    "format": ((str,), "a word"),
    "pattern": ((str,), "a text"),
    "properties": ((dict,), "a mapping"),
    "required": ((list,), "a list"),
    "enum": ((list,), "a list"),
    "x-kubernetes-list-map-keys": ((list,), "a list"),
    "x-kubernetes-validations": ((list,), "a list"),
    "minimum": _NUMBER,
    "maximum": _NUMBER,
    "minLength": _COUNT,
    "maxLength": _COUNT,
    "minItems": _COUNT,
    "maxItems": _COUNT,
    "minProperties": _COUNT,
    "maxProperties": _COUNT,
}
"""What a keyword's value must be for the compiler; a null counts as left out."""

_CONDITIONS: Final = ("allOf", "anyOf", "oneOf", "not", "multipleOf")
_QUANTITY: Final = (
    r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$"
)
"""The pattern that controller-gen writes for resource.Quantity."""
_MAX_DEPTH: Final = 200
_LOOK: Final = 40_000_000


class NotACrdError(FileError):
    """A text without a CRD that could be compiled. Its words say what to do."""


def is_crd(document: Json) -> bool:
    """Whether a document says that it is a CustomResourceDefinition, of any API version."""
    return isinstance(document, dict) and document.get("kind") == "CustomResourceDefinition"


def mentions_crd(file: Path) -> bool:
    """Whether a file looks as if it held a CRD, without reading it as YAML. False when it cannot be read."""
    try:
        with file.open("rb") as stream:
            return b"CustomResourceDefinition" in stream.read(_LOOK)
    except OSError:
        return False


def compile_text(source: Source, *, tag: str = "") -> tuple[Compiled, ...]:
    """All CRDs of a YAML text, in order; other documents are passed over. Lists are looked into.

    Raises NotACrdError when there is none, when one cannot be compiled, and when the text is not YAML.
    """
    from kartatest.diagnostics import Severity
    from kartatest.yamlpos import documents

    read = documents(source)
    for found in read.diagnostics:
        if found.severity >= Severity.ERROR:
            line, column = source.position(found.span.start)
            raise NotACrdError(f"{source.name}:{line}:{column}: {found.message}")
    made = tuple(
        compile_crd(value, tag=tag, name=source.name) for document in read.documents for value in _crds(document.value)
    )
    if not made:
        raise NotACrdError(f"{source.name} holds no CustomResourceDefinition")
    return made


def _crds(value: Json) -> Iterator[JsonObject]:
    if is_crd(value):
        yield value
    elif isinstance(value, dict) and isinstance(value.get("items"), list):
        yield from (item for item in value["items"] if is_crd(item))


def compile_crd(document: JsonObject, *, tag: str = "", name: str = "the CRD") -> Compiled:
    """The types of all served versions of one CRD. name is what messages call it.

    Raises NotACrdError for v1beta1, for a CRD that serves no version, and for a version without a structural schema.
    """
    crd = _text(document, "metadata", "name") or name
    where = crd if crd == name else f"{crd} in {name}"
    api_version = document.get("apiVersion")
    if api_version != "apiextensions.k8s.io/v1":
        raise NotACrdError(
            f"{where} is of {api_version or 'no apiVersion'}, not apiextensions.k8s.io/v1; "
            "take the CRD of a newer release, or convert it on an API server"
        )
    spec = document.get("spec")
    group, kind = _text(document, "spec", "group"), _text(document, "spec", "names", "kind")
    if not isinstance(spec, dict) or not group or not kind or not isinstance(spec.get("versions"), list):
        raise NotACrdError(f"{where} lacks spec.group, spec.names.kind or spec.versions")
    table = Table()
    kinds = []
    for number, version in enumerate(spec["versions"]):
        at: DocPath = ("spec", "versions", number, "schema", "openAPIV3Schema")
        if not isinstance(version, dict) or not isinstance(version.get("name"), str):
            raise NotACrdError(f"{where} has a version without a name")
        if not version.get("served"):
            continue
        schema = version["schema"].get("openAPIV3Schema") if isinstance(version.get("schema"), dict) else None
        if not isinstance(schema, dict):
            raise NotACrdError(
                f"{where} has no {dotted(at[3:])} for {version['name']}, so it says nothing of its fields"
            )
        entry = {"group": group, "version": version["name"], "kind": kind}
        try:
            root = _Reader(table).root(schema, at, f"{group}/{version['name']}", kind)
        except _ShapeError as error:
            raise NotACrdError(f"{where}: {error}") from None
        entry |= {"root": root, "subresources": _subresources(version)}
        entry |= {key: False for key, true in _flags(spec, version).items() if not true}
        kinds.append(entry)
    if not kinds:
        raise NotACrdError(f"{where} serves no version")
    return Compiled(crd, tag, tuple(kinds), tuple(table.rows))


def _flags(spec: JsonObject, version: JsonObject) -> dict[str, bool]:
    return {"storage": version.get("storage") is True, "namespaced": spec.get("scope") != "Cluster"}


def _subresources(version: JsonObject) -> dict[str, dict[str, str]]:
    """By name: {"scale": {"specReplicasPath": ".spec.replicas", ...}, "status": {}}."""
    found = version.get("subresources")
    return {
        name: {key: text for key, text in (value or {}).items() if isinstance(text, str)}
        for name, value in (found if isinstance(found, dict) else {}).items()
        if isinstance(value, dict | None)
    }


def _text(document: Json, *path: str) -> str:
    for step in path:
        document = document.get(step) if isinstance(document, dict) else None
    return document if isinstance(document, str) else ""


class _ShapeError(Exception):
    """A schema that is no schema; the text names the place."""


def _checked(schema: JsonObject, at: DocPath) -> dict[str, Json]:
    """The schema without its nulls, the default aside. Raises _ShapeError for a keyword that cannot be read."""
    found = {key: value for key, value in schema.items() if value is not None or key == "default"}
    for key, value in found.items():
        if key in _SHAPES:
            allowed, word = _SHAPES[key]
            if not isinstance(value, allowed) or isinstance(value, bool):
                raise _ShapeError(f"{dotted((*at, key))} is not {word}")
    return found


def _texts(schema: JsonObject, key: str) -> list[str]:
    return [text for text in schema.get(key, ()) if isinstance(text, str)]


class _Reader:
    """Schemas into the rows of one table."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def root(self, schema: JsonObject, at: DocPath, api_version: str, kind: str) -> Ref:
        row = self._row(schema, at)
        if self._base(_checked(schema, at), at) != "object" or "values" in row:
            raise _ShapeError(f"{dotted(at)} does not describe an object with named fields")
        row.pop("type", None)
        table = self._table
        row["fields"] = dict(row.get("fields", {})) | {
            "apiVersion": table.add({"type": "string", "enum": [api_version]}),
            "kind": table.add({"type": "string", "enum": [kind]}),
            "metadata": object_meta(table),
        }
        row["required"] = sorted({*row.get("required", ()), "apiVersion", "kind", "metadata"})
        return table.add(row)

    def ref(self, schema: Json, at: DocPath) -> Ref:
        return self._table.add(self._row(schema, at))

    def _row(self, schema: Json, at: DocPath) -> dict[str, Json]:
        if not isinstance(schema, dict):
            raise _ShapeError(f"{dotted(at)} is not a mapping")
        if len(at) > _MAX_DEPTH:
            raise _ShapeError(f"{dotted(at[:8])}... nests deeper than {_MAX_DEPTH} levels")
        schema = _checked(schema, at)
        row: dict[str, Json] = {}
        open_ = schema.get("x-kubernetes-preserve-unknown-fields") is True
        base = self._base(schema, at)
        rules = len(schema.get("x-kubernetes-validations", ()))
        rules += sum(key in schema for key in _CONDITIONS)
        if base == "int-or-string":
            rules -= "anyOf" in schema or "allOf" in schema
        if base == "object":
            self._object(schema, at, row)
            if open_:
                row["open"] = True
        elif base == "array":
            row["items"] = self.ref(schema["items"], (*at, "items")) if "items" in schema else "any"
            if schema.get("x-kubernetes-list-type") == "map":
                row["keys"] = _texts(schema, "x-kubernetes-list-map-keys")
            elif schema.get("x-kubernetes-list-type") == "set" or schema.get("uniqueItems") is True:
                row["unique"] = True
        if not row.keys() & {"fields", "values", "items"}:
            row["type"] = base
        rules += self._limits(schema, base, row)
        if schema.get("nullable") is True:
            row["nullable"] = True
        for key in ("enum", "format"):
            if schema.get(key):
                row[key] = schema[key]
        if schema.get("default") is not None or ("default" in schema and "nullable" in row):
            row["default"] = schema["default"]
        if rules:
            row["rules"] = rules
        return row

    def _base(self, schema: JsonObject, at: DocPath) -> str:
        if schema.get("x-kubernetes-int-or-string") is True:
            return "int-or-string"
        base = schema.get("type")
        if base is None:
            if "properties" in schema or "additionalProperties" in schema or "x-kubernetes-embedded-resource" in schema:
                return "object"
            return "array" if "items" in schema else "any"
        if base not in _BASES:
            raise _ShapeError(f"{dotted((*at, 'type'))} is {base!r}, not one of {', '.join(sorted(_BASES))}")
        return str(base)

    def _object(self, schema: JsonObject, at: DocPath, row: dict[str, Json]) -> None:
        properties = schema.get("properties", {})
        fields = {name: self.ref(properties[name], (*at, "properties", name)) for name in sorted(properties)}
        required = set(_texts(schema, "required"))
        if schema.get("x-kubernetes-embedded-resource") is True:
            # Validated as a whole object of its own, whether or not the schema lists the three.
            fields |= {"apiVersion": "string", "kind": "string", "metadata": object_meta(self._table)}
            required |= {"apiVersion", "kind"}
            row["embedded"] = True
        values = schema.get("additionalProperties")
        if isinstance(values, dict):
            row["values"] = self.ref(values, (*at, "additionalProperties")) if values else "any"
        elif values is True:
            row["values"] = "any"
        if fields:
            row["fields"] = fields
        if required:
            row["required"] = sorted(required)

    def _limits(self, schema: JsonObject, base: str, row: dict[str, Json]) -> int:
        """Adds the bounds to the row; how many of them it could not say."""
        unsaid = 0
        for key, name in _LIMITS.items():
            if key in schema:
                row[name] = schema[key]
        if base == "int-or-string" and row.get("pattern") == _QUANTITY:
            del row["pattern"]
            row["format"] = "quantity"
        for key, name, step in (("exclusiveMinimum", "minimum", 1), ("exclusiveMaximum", "maximum", -1)):
            if schema.get(key) is True and name in row:
                if base == "integer":
                    row[name] += step
                else:
                    unsaid += 1
        return unsaid
