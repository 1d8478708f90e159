"""What a server says of a kind in OpenAPI v3, beside what our types say of it.

The walk reads OpenAPI's own words, not our compiler, so that a mistake of the compiler shows. What a server publishes
otherwise than the CRD says it, and why that is no difference, is written at each place below (apiextensions-apiserver
1.34: pkg/controller/openapi/builder and pkg/apiserver/schema).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kartatest.errors import ClusterError
from kartatest.schema.model import Base, Schema, Type
from kartatest.source import DocPath, Json, JsonObject, dotted, same
from kartatest.value import value

_LIMITS: Mapping[str, str] = {
    "minimum": "minimum",
    "maximum": "maximum",
    "minLength": "min_length",
    "maxLength": "max_length",
    "minItems": "min_items",
    "maxItems": "max_items",
    "minProperties": "min_fields",
    "maxProperties": "max_fields",
}
_OF_EVERY_OBJECT = ("apiVersion", "kind", "metadata")


@value
class Difference:
    """One thing that the two say otherwise. what: "required", "type", ...; ours and theirs as JSON would have them."""

    at: DocPath
    what: str
    ours: Json
    theirs: Json

    def __str__(self) -> str:
        return (
            f"{dotted(self.at) or 'the object'}: {self.what} is {self.ours!r} here, and {self.theirs!r} on the server"
        )


def published(document: Json, schema: Schema) -> JsonObject | None:
    """The schema of a kind in an answer of /openapi/v3/apis/<group>/<version>; None when it is not there (yet)."""
    wanted = {"group": schema.group, "version": schema.version, "kind": schema.kind}
    components = ((document or {}).get("components") or {}).get("schemas") or {}
    for found in components.values():
        if wanted in (found.get("x-kubernetes-group-version-kind") or ()):
            own: JsonObject = found
            return own
    return None


def path(schema: Schema) -> str:
    """Where the server publishes the kind."""
    root = f"/openapi/v3/apis/{schema.group}" if schema.group else "/openapi/v3/api"
    return f"{root}/{schema.version}"


def differences(schema: Schema, document: Json) -> Iterator[Difference]:
    """Where the types and what the server publishes differ, in the order of names.

    Not compared: apiVersion, kind and metadata of the object and of those in it. They are the server's own, of its
    release, whatever a CRD says. Raises ClusterError when the kind is not published.
    """
    found = published(document, schema)
    if found is None:
        raise ClusterError(f"the server publishes no schema of {schema}")
    yield from _compared(schema.root, found, (), whole=True)


def _compared(ours: Type, theirs: JsonObject, at: DocPath, *, whole: bool = False) -> Iterator[Difference]:
    own = _OF_EVERY_OBJECT if whole or ours.embedded else ()
    pairs: list[tuple[str, Json, Json]] = [("type", ours.base.value, _base(theirs))]
    if ours.base is Base.OBJECT:  # any value may hold any name; on a list the word does nothing
        keep = theirs.get("x-kubernetes-preserve-unknown-fields") is True
        pairs.append(("preserve-unknown-fields", ours.preserve_unknown, keep))
    pairs += [
        ("embedded-resource", ours.embedded, theirs.get("x-kubernetes-embedded-resource") is True),
        ("required", sorted(ours.required - set(own)), sorted(set(theirs.get("required") or ()) - set(own))),
        ("nullable", ours.nullable, theirs.get("nullable") is True),
        ("enum", list(ours.enum), list(theirs.get("enum") or ())),
        ("format", _format(ours, theirs), theirs.get("format") or ""),
        ("default", list(ours.default), _default(ours, theirs)),
        ("list-map-keys", list(ours.list_map_keys), _keys(theirs)),
        ("uniqueness", ours.unique, theirs.get("x-kubernetes-list-type") == "set"),
        ("pattern", _pattern(ours, theirs), theirs.get("pattern") or ""),
    ]
    limits = _limits(theirs, ours.base)
    pairs += [(word, getattr(ours.limits, name), limits.get(word)) for word, name in _LIMITS.items()]
    for what, here, there in pairs:
        if not _is_same(here, there):
            yield Difference(at, what, here, there)
    fields = theirs.get("properties") or {}
    for name in sorted((ours.fields.keys() | fields.keys()) - set(own)):
        if name not in fields or name not in ours.fields:
            yield Difference((*at, name), "presence", name in ours.fields, name in fields)
        else:
            yield from _compared(ours.fields[name], fields[name], (*at, name))
    yield from _inside(ours.additional, theirs.get("additionalProperties"), (*at, "*"))
    yield from _inside(ours.items, theirs.get("items"), (*at, 0))


def _inside(ours: Type | None, theirs: Json, at: DocPath) -> Iterator[Difference]:
    """Values of a map, entries of a list. `true` and {} allow any value, as ANY does; false is as good as nothing."""
    if isinstance(theirs, dict) and theirs and ours is not None:
        yield from _compared(ours, theirs, at)
        return
    here = None if ours is None else ours.base.value
    there = None if theirs in (None, False) else "any" if theirs is True or theirs == {} else _base(theirs)
    if here != there:
        yield Difference(at, "presence", here, there)


def _base(theirs: JsonObject) -> str:
    if theirs.get("x-kubernetes-int-or-string") is True:
        return Base.INT_OR_STRING.value
    return str(theirs.get("type") or Base.ANY.value)


def _format(ours: Type, theirs: JsonObject) -> str:
    """A quantity is known by its pattern, which the CRD and the server spell out; the types have a word for it."""
    return "" if ours.format == "quantity" and not theirs.get("format") else ours.format


def _pattern(ours: Type, theirs: JsonObject) -> str:
    if ours.format == "quantity" and not theirs.get("format"):
        return str(theirs.get("pattern") or "a quantity's")
    return ours.limits.pattern


def _default(ours: Type, theirs: JsonObject) -> list[Json]:
    return [theirs["default"]] if "default" in theirs and (theirs["default"] is not None or ours.nullable) else []


def _keys(theirs: JsonObject) -> list[str]:
    """Keys without list type map do nothing."""
    return list(theirs.get("x-kubernetes-list-map-keys") or ()) if theirs.get("x-kubernetes-list-type") == "map" else []


def _limits(theirs: JsonObject, base: Base) -> dict[str, float]:
    """Bounds that are not reached are moved to the next whole number, which says the same."""
    found = {word: theirs[word] for word in _LIMITS if theirs.get(word) is not None}
    for word, name, step in (("exclusiveMinimum", "minimum", 1), ("exclusiveMaximum", "maximum", -1)):
        if theirs.get(word) is True and name in found and base is Base.INTEGER:
            found[name] += step
    return found


def _is_same(here: Json, there: Json) -> bool:
    """Numbers by what they count: OpenAPI of a server writes 1 where the CRD had 1.0."""
    if isinstance(here, int | float) and isinstance(there, int | float) and not isinstance(here, bool):
        return here == there and not isinstance(there, bool)
    return same(here, there) or (isinstance(here, list | dict) and here == there)
