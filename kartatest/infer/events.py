"""What the interpreter notices on its way: steps into the object, fields that are not there, ways to fail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kartatest.infer.counts import Count
from kartatest.infer.lattice import Kind, Value
from kartatest.jq.ast import Node
from kartatest.jq.shape import Path
from kartatest.source import Span

if TYPE_CHECKING:
    from kartatest.schema.model import Type


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """A step into the input: where it looks and what may stand there. span: the step alone."""

    node: Node
    span: Span
    path: Path
    value: Value


@dataclass(frozen=True, slots=True, eq=False)
class Missing:
    """A step to a field that is never there, whatever the object.

    holder is the value it is looked for in; name the field. Where holder is no object at all, the step even fails.
    """

    node: Node
    span: Span
    name: str
    holder: Value
    types: tuple[Type, ...]
    """The object types that lack it; () when the holder is no object, or an entry of to_entries."""


@dataclass(frozen=True, slots=True, eq=False)
class Failure:
    """A step that fails on some values. value: those on which it does; always: it fails on all that come to it."""

    node: Node
    span: Span
    reason: str
    value: Value
    kinds: Kind
    always: bool


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """A comparison, and what stands on both sides."""

    node: Node
    op: str
    left: Value
    right: Value


@dataclass(frozen=True, slots=True, eq=False)
class Defaulted:
    """`left // right`: what left gives (null and false among it), how many, and what right gives."""

    node: Node
    left: Value
    count: Count
    right: Value


Event = Read | Missing | Failure | Compared | Defaulted
