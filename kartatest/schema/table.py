"""Types as rows: each row one type as plain JSON, its parts named by the numbers of earlier rows.

A part that is a plain scalar is its word ("string", "int32", "quantity") instead of a number.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from kartatest.errors import FileError
from kartatest.schema.model import NO_LIMITS, Base, Limits, Schema, Type
from kartatest.source import Json, JsonObject

Ref = int | str
"""A number of a row, or the word of a plain scalar."""

Row = Mapping[str, Json]

WORDS: Final[Mapping[str, tuple[Base, str]]] = MappingProxyType(
    {
        "any": (Base.ANY, ""),
        "object": (Base.OBJECT, ""),
        "string": (Base.STRING, ""),
        "integer": (Base.INTEGER, ""),
        "number": (Base.NUMBER, ""),
        "boolean": (Base.BOOLEAN, ""),
        "int-or-string": (Base.INT_OR_STRING, ""),
        "int32": (Base.INTEGER, "int32"),
        "int64": (Base.INTEGER, "int64"),
        "date-time": (Base.STRING, "date-time"),
        "quantity": (Base.INT_OR_STRING, "quantity"),
    }
)
"""Words for scalars without bounds; "object" is one without any field, "any" holds any value."""

_WORD_OF: Final = {made: word for word, made in WORDS.items()}
_LIMITS: Final = {
    "minimum": "minimum",
    "maximum": "maximum",
    "minLength": "min_length",
    "maxLength": "max_length",
    "minItems": "min_items",
    "maxItems": "max_items",
    "minFields": "min_fields",
    "maxFields": "max_fields",
    "pattern": "pattern",
}


@dataclass(frozen=True)
class Compiled:
    """One CRD as rows of types, and for each served version where it begins."""

    crd: str
    tag: str
    kinds: tuple[Row, ...]
    """Per version: group, version, kind, root (a reference), subresources, and storage and namespaced when false."""
    rows: tuple[str, ...]


@dataclass
class Table:
    """Rows being collected: a row that is already there gets its first number again."""

    rows: list[str] = field(default_factory=list)
    _known: dict[str, int] = field(default_factory=dict)

    def add(self, row: Row) -> Ref:
        """The reference to a row; keys in any order, absent keys for what is not said."""
        if word := _word(row):
            return word
        text = line(row)
        number = self._known.setdefault(text, len(self.rows))
        if number == len(self.rows):
            self.rows.append(text)
        return number


def _word(row: Row) -> str | None:
    if row.keys() - {"type", "format"}:
        return None
    return _WORD_OF.get((Base(row["type"]), row.get("format", "")))


def line(row: Row) -> str:
    """One row as text: JSON without blanks, keys sorted."""
    return json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def text(compiled: Compiled) -> str:
    """The index file: a first line that says which kinds are in it, then one line per row.

    The same for equal types: field names are sorted, rows in the order in which they are first complete.
    """
    head = line({"crd": compiled.crd, "tag": compiled.tag, "kinds": compiled.kinds})
    return f'{head[:-1]},"types":[\n' + ",\n".join(compiled.rows) + "\n]}\n"


def head(first_line: str) -> JsonObject:
    """What the first line of an index file says: crd, tag and kinds. Raises ValueError when it is none."""
    found = json.loads(first_line.rstrip("\n") + "]}")
    if not isinstance(found, dict) or not isinstance(found.get("kinds"), list):
        raise ValueError("not the first line of a type index")
    return found


def schemas(text_: str, *, origin: str = "") -> tuple[Schema, ...]:
    """The kinds of an index file, in its order. Raises FileError when the text is none."""
    try:
        found = json.loads(text_)
        made = types(found["types"])
        crd, tag = found["crd"], found["tag"]
        return tuple(_schema(kind, made, crd, tag, origin) for kind in found["kinds"])
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise FileError(f"{origin or 'the text'} is not a type index ({reason}); compile it again") from None


def of(compiled: Compiled, *, origin: str = "") -> tuple[Schema, ...]:
    """The kinds of a compiled CRD, in the order of its versions."""
    made = types([json.loads(row) for row in compiled.rows])
    return tuple(_schema(kind, made, compiled.crd, compiled.tag, origin) for kind in compiled.kinds)


def _schema(kind: Row, made: Sequence[Type], crd: str, tag: str, origin: str) -> Schema:
    root = kind["root"]
    if isinstance(root, int) and root < 0:
        raise IndexError(root)
    return Schema(
        group=kind["group"],
        version=kind["version"],
        kind=kind["kind"],
        root=scalar(root) if isinstance(root, str) else made[root],
        crd=crd,
        tag=tag,
        storage=kind.get("storage", True),
        namespaced=kind.get("namespaced", True),
        subresources=MappingProxyType(kind.get("subresources", {})),
        origin=origin,
    )


def types(rows: Sequence[Row]) -> list[Type]:
    """The types of all rows, in order. A row may only refer to rows before it.

    Raises ValueError, KeyError, IndexError or TypeError when the rows are not such a table.
    """
    made: list[Type] = []
    words: dict[str, Type] = {}

    def ref(value: Ref) -> Type:
        if isinstance(value, str):
            if value not in words:
                words[value] = scalar(value)
            return words[value]
        if value < 0:
            raise IndexError(value)
        return made[value]

    for row in rows:
        made.append(_type(row, ref))  # noqa: PERF401  # each row looks at the ones before it
    return made


def scalar(word: str) -> Type:
    """The type that a word means."""
    base, fmt = WORDS[word]
    return Type(base, format=fmt, preserve_unknown=base is Base.ANY)


def _type(row: Row, ref: Callable[[Ref], Type]) -> Type:
    fields = row.get("fields")
    values, items = row.get("values"), row.get("items")
    base = Base(row.get("type", "object" if items is None else "array"))
    limits = {name: row[key] for key, name in _LIMITS.items() if key in row}
    return Type(
        base,
        fields=MappingProxyType({name: ref(kid) for name, kid in fields.items()}) if fields else _EMPTY,
        required=frozenset(row.get("required", ())),
        additional=None if values is None else ref(values),
        preserve_unknown=row.get("open", base is Base.ANY),
        items=None if items is None else ref(items),
        list_map_keys=tuple(row.get("keys", ())),
        unique=row.get("unique", False),
        nullable=row.get("nullable", False),
        enum=tuple(row.get("enum", ())),
        format=row.get("format", ""),
        default=(row["default"],) if "default" in row else (),
        limits=Limits(**limits) if limits else NO_LIMITS,
        rules=row.get("rules", 0),
        embedded=row.get("embedded", False),
    )


_EMPTY: Final[Mapping[str, Type]] = MappingProxyType({})
