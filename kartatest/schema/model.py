"""What an API server holds of one kind: a type per field, shared where it is the same, and no prose."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from types import MappingProxyType
from typing import Protocol

from kartatest.source import DocPath, Json


class Base(Enum):
    """The JSON shape of a value. The value is the word of the index files."""

    OBJECT = "object"
    ARRAY = "array"
    STRING = "string"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    INT_OR_STRING = "int-or-string"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on a value; None where there is none. pattern is an RE2 search, "" for none."""

    minimum: float | None = None
    maximum: float | None = None
    min_length: int | None = None
    max_length: int | None = None
    min_items: int | None = None
    max_items: int | None = None
    min_fields: int | None = None
    max_fields: int | None = None
    pattern: str = ""


NO_LIMITS = Limits()


@dataclass(frozen=True, eq=False)
class Type:
    """One type. Equal subtrees of a schema are the same object, so `is` and `id` compare and memoise them.

    Values are those of an object as the API server stores it: defaults are filled in, and names that are in no field
    are dropped unless `open` (structural schemas, apiextensions.k8s.io/v1). The tree has no cycles.
    """

    base: Base
    fields: Mapping[str, Type] = dataclasses.field(default_factory=lambda: MappingProxyType({}))
    """Named fields of an object, sorted by name."""
    required: frozenset[str] = frozenset()
    """Fields that a write must give. A required field may have a default, and is then filled in."""
    additional: Type | None = None
    """Type of the values under all other names: the value type of a map."""
    preserve_unknown: bool = False
    """Other names are kept as they were written, with values of any type; of an ANY: any value."""
    items: Type | None = None
    """Type of the entries of an array; None when any."""
    list_map_keys: tuple[str, ...] = ()
    """Fields of the entries that together are unique in the list (list type map)."""
    unique: bool = False
    """No entry is there twice (list type set)."""
    nullable: bool = False
    """null is stored. Without it a null under a name is dropped, and elsewhere refused."""
    enum: tuple[Json, ...] = ()
    format: str = ""
    """int32, int64, date-time, byte, quantity, ...; "" for none."""
    default: tuple[Json, ...] = ()
    """() for none, else (value,): what stands there when the field is left out and its object is there."""
    limits: Limits = NO_LIMITS
    rules: int = 0
    """How many further conditions there are that this model does not read (CEL, anyOf, ...): values may be fewer."""
    embedded: bool = False
    """A whole Kubernetes object: apiVersion, kind and metadata are among the fields."""

    def __repr__(self) -> str:
        what = f" of {len(self.fields)} fields" if self.fields else f" {self.format}" if self.format else ""
        return f"<Type {self.base.value}{what}>"

    def field(self, name: str) -> Type | None:
        """Type of the value under that name: a field, else the value of a map. None when nothing is ever stored there.

        None too where any value may stand under the name: see `open`.
        """
        return self.fields.get(name) or self.additional

    @property
    def open(self) -> bool:
        """Whether an object may hold names with values of which nothing is known."""
        return self.preserve_unknown or self.base is Base.ANY

    @property
    def is_map(self) -> bool:
        """An object whose names the user chooses."""
        return self.base is Base.OBJECT and self.additional is not None and not self.fields

    @cached_property
    def jq_types(self) -> frozenset[str]:
        """Types a stored value may have, as jq names them: object, array, string, number, boolean, null."""
        return _JQ_TYPES[self.base] | {"null"} if self.nullable else _JQ_TYPES[self.base]

    @cached_property
    def always(self) -> frozenset[str]:
        """Fields that are there whenever the object is: required ones and those with a default."""
        return self.required | {name for name, kid in self.fields.items() if kid.default}

    @property
    def min_items(self) -> int:
        """The least number of entries of an array: 0 unless it says more."""
        return self.limits.min_items or 0

    @property
    def max_items(self) -> int | None:
        """The greatest number of entries of an array; None when there is none."""
        return self.limits.max_items

    @property
    def minimum(self) -> float | None:
        """The least number; None when there is none."""
        return self.limits.minimum

    def near(self, name: str, limit: int = 3) -> tuple[str, ...]:
        """Known fields that look like name, the nearest first: case counts less than letters."""
        from difflib import get_close_matches

        by_lower = {known.lower(): known for known in self.fields}
        found = get_close_matches(name.lower(), by_lower, n=limit, cutoff=0.6)
        return tuple(by_lower[lower] for lower in found)


_JQ_TYPES: Mapping[Base, frozenset[str]] = {
    Base.OBJECT: frozenset({"object"}),
    Base.ARRAY: frozenset({"array"}),
    Base.STRING: frozenset({"string"}),
    Base.INTEGER: frozenset({"number"}),
    Base.NUMBER: frozenset({"number"}),
    Base.BOOLEAN: frozenset({"boolean"}),
    Base.INT_OR_STRING: frozenset({"number", "string"}),
    Base.ANY: frozenset({"array", "boolean", "null", "number", "object", "string"}),
}

ANY = Type(Base.ANY, preserve_unknown=True)
"""Any value: what stands under unknown names of an open object."""


class KindOf(Protocol):
    """Anything that says a group, a version and a kind, such as a Gvk or a Schema; "" is the core group."""

    @property
    def group(self) -> str: ...  # noqa: D102
    @property
    def version(self) -> str: ...  # noqa: D102
    @property
    def kind(self) -> str: ...  # noqa: D102


@dataclass(frozen=True)
class Schema:
    """The type of one kind in one API version, as one release of its operator installs it."""

    group: str
    version: str
    kind: str
    root: Type
    crd: str = ""
    """Name of the CRD, "jobsets.jobset.x-k8s.io"; "core" for kinds that Kubernetes brings itself."""
    tag: str = ""
    """The operator's release, "v0.10.1"; of core kinds the release of Kubernetes, "v1.37"."""
    storage: bool = True
    """Whether objects are stored in this API version; one of a CRD's versions is."""
    namespaced: bool = True
    subresources: Mapping[str, Mapping[str, str]] = dataclasses.field(default_factory=lambda: MappingProxyType({}))
    """By name, "status" (writes of the object leave its status alone) and "scale" (specReplicasPath and the like)."""
    origin: str = dataclasses.field(default="", compare=False)
    """The file it was read from."""

    @property
    def api_version(self) -> str:
        """As in an object's `apiVersion`: "apps/v1", "v1"."""
        return f"{self.group}/{self.version}" if self.group else self.version

    def __str__(self) -> str:
        return f"{self.api_version} {self.kind}" + (f" ({self.tag})" if self.tag else "")

    def at(self, path: DocPath) -> Type | None:
        """The type at a path from the root; an int is a list's entry.

        None where nothing is ever stored; ANY below what is open.
        """
        return descend(self.root, path)


def descend(found: Type | None, path: DocPath) -> Type | None:
    """The type below another; None where nothing is ever stored, ANY below what is open."""
    for step in path:
        if found is None or found.base is Base.ANY:
            return found
        if isinstance(step, str):
            known = found.field(step)
            found = ANY if known is None and found.open else known
        else:
            found = (found.items or ANY) if found.base is Base.ARRAY else None
    return found
