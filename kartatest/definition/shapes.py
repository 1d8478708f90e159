"""Of what the table of fields is made: types, fields, and conditions over mappings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from kartatest.definition.model import Use
from kartatest.value import value


@value
class Text:
    """A string. use says that it is a jq expression, and which."""

    min_length: int = 0
    use: Use | None = None
    choices: tuple[str, ...] = ()


@value
class TextMap:
    """A mapping of strings to strings."""

    min_properties: int = 0


@value
class ListOf:
    """A list. key tells items apart (a list-map in the CRD); unique forbids equal items (a set).

    ruled: repeats are reported by a lint rule that knows more, so the loader is silent about them.
    """

    item: Shape
    key: str = ""
    unique: bool = False
    min_items: int = 0
    ruled: bool = False


@value
class Rule:
    """A condition over one mapping as the API server checks it: CEL, its message, and the same in JSON Schema."""

    cel: str
    message: str
    schema: tuple[tuple[str, object], ...]


@dataclass(frozen=True, slots=True)
class Struct:
    """A mapping with known fields. word is what people call it: "a component". open: other keys are allowed."""

    word: str
    fields: tuple[Field, ...]
    rules: tuple[Rule, ...] = ()
    open: bool = False
    by_name: Mapping[str, Field] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_name", {f.name: f for f in self.fields})


Shape: TypeAlias = Text | TextMap | ListOf | Struct


@value
class Field:
    """One key of a mapping. doc is its meaning in one sentence; lenient: the CRD does not require it, we do."""

    name: str
    shape: Shape
    doc: str
    required: bool = False
    lenient: bool = False
    default: str | None = None
