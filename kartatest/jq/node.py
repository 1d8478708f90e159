"""What every node of the syntax tree has: a place in the program's text."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar

from kartatest.source import Span
from kartatest.value import value as node

NOWHERE = Span(0, 0)

__all__ = ["NOWHERE", "Node", "node"]


@node
class Node:
    """Anything in a jq program that has a place in its text. meaning: the fields that take part in equality."""

    meaning: ClassVar[tuple[str, ...]]
    span: Span = field(default=NOWHERE, compare=False, kw_only=True)
