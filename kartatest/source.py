"""Text with a name, and places in it."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

Json: TypeAlias = Any
"""A JSON value as plain Python: None, bool, int, float, str, list, dict with str keys. The one loose type."""

JsonObject: TypeAlias = Mapping[str, Json]


def same(left: Json, right: Json) -> bool:
    """Whether two JSON values are written alike: 1, 1.0 and true differ here; the order of keys does not count."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(value, right[key]) for key, value in left.items())
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return type(left) is type(right) and bool(left == right)


_HALF = re.compile("[\ud800-\udfff]")


def not_json(value: Json, passing: object = None) -> Iterator[tuple[DocPath, str]]:
    """Where a value that a program made is no JSON, and what stands there, in its order; nothing when all of it is.

    passing: an object of that kind is let through as the value of a key.
    """
    waiting: list[tuple[DocPath, Json]] = [((), value)]
    while waiting:
        at, item = waiting.pop()
        if isinstance(item, dict):
            odd = next((key for key in item if not isinstance(key, str)), None)
            if odd is not None:
                yield at, f"has the key {odd!r}, which is no text"
                continue
            waiting += [
                ((*at, key), item[key]) for key in reversed(item) if item[key] is not passing or passing is None
            ]
        elif isinstance(item, list):
            waiting += [((*at, i), item[i]) for i in reversed(range(len(item)))]
        elif isinstance(item, float) and not math.isfinite(item):
            yield at, f"is {item}, which JSON cannot say"
        elif isinstance(item, str):
            if _HALF.search(item):
                yield at, "holds half of a surrogate pair"
        elif item is not None and not isinstance(item, (bool, int, float)):
            yield at, f"is {item!r:.80}, which is no JSON value"


DocPath: TypeAlias = tuple[str | int, ...]
"""Keys and indices from the root of one YAML document: ("spec", "items", 0)."""


def dotted(at: DocPath) -> str:
    """A document path as people write it: `spec.items[0].name`; "" for the whole document.

    A key that would read as something else stands in brackets: `metadata.labels["app.kubernetes.io/name"]`.
    """
    return "".join(f"[{step}]" if isinstance(step, int) else _key(step) for step in at).removeprefix(".")


def _key(name: str) -> str:
    if name and name.isprintable() and not any(c in ' .[]"' for c in name):
        return f".{name}"
    escaped = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in name.replace("\\", r"\\").replace('"', r"\""))
    return f'["{escaped}"]'


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
    r"""A text and the name its user knows it by: a path as given, or "<stdin>".

    Lines end where editors end them: at \n, \r\n and a lone \r. The other line breaks of YAML (U+0085,
    U+2028, U+2029) are characters like any other here.
    """

    name: str
    text: str = field(repr=False)

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(found.end() for found in re.finditer(r"\r\n?|\n", self.text))]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of a character, both 1-based; columns count code points.

        An offset past the end is the place just behind the last character.
        """
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def start(self, line: int) -> int:
        """Where the 1-based line starts; the text's end for a line past it."""
        return self._line_starts[line - 1] if line <= len(self._line_starts) else len(self.text)

    def line_of(self, offset: int) -> Span:
        """The whole line that holds a character, without its line break."""
        number = self.position(offset)[0]
        start = self.start(number)
        return Span(start, start + len(self.line(number)))

    def line(self, number: int) -> str:
        """The 1-based line without its line break; "" past the end."""
        if not 1 <= number <= len(self._line_starts):
            return ""
        text = self.text[self.start(number) : self.start(number + 1)]
        return text.removesuffix("\n").removesuffix("\r")
