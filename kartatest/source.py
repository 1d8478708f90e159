"""Text with a name, and places in it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

Json: TypeAlias = Any
"""A JSON value as plain Python: None, bool, int, float, str, list, dict with str keys. The one loose type."""

JsonObject: TypeAlias = Mapping[str, Json]

DocPath: TypeAlias = tuple[str | int, ...]
"""Keys and indices from the root of one YAML document: ("spec", "items", 0)."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Half-open range of a text, 0-based, in characters (code points, not bytes)."""

    start: int
    end: int

    def shift(self, by: int) -> Span:
        """The same range, moved by so many characters."""
        return Span(self.start + by, self.end + by)


@dataclass(frozen=True)
class Source:
    """A text and the name its user knows it by: a path as given, or "<stdin>"."""

    name: str
    text: str = field(repr=False)

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(i + 1 for i, c in enumerate(self.text) if c == "\n")]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of a character, both 1-based; columns count code points.

        An offset past the end is the place just behind the last character.
        """
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The 1-based line without its line break; "" past the end."""
        if not 1 <= number <= len(self._line_starts):
            return ""
        start = self._line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : len(self.text) if end < 0 else end].rstrip("\r")
