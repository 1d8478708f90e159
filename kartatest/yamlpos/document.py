"""One YAML document: its plain value, and on demand the place of any part of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from kartatest.source import DocPath, Json, Source, Span
from kartatest.value import value
from kartatest.yamlpos.build import Places

if TYPE_CHECKING:  # loaded when a place inside a scalar is asked for
    from kartatest.yamlpos import text as scalar_text


@value
class Scalar:
    """A scalar as written: its decoded text, where it stands, and how it is written.

    style is "" for plain, else "'", '"', "|" or ">".
    """

    text: str
    span: Span
    style: str

    @property
    def plain(self) -> bool:
        """Whether it stands without quotes, on one or several lines."""
        return not self.style


@dataclass(frozen=True)
class Document:
    """value is plain Python as Kubernetes reads it; index counts the documents of the source that are not empty.

    All places are spans of source.text. A part that came in through an alias or a merge key has the place of the
    alias or of the value of `<<`.
    """

    source: Source
    index: int
    value: Json
    _places: Places = field(repr=False, compare=False)

    @cached_property
    def _decoded(self) -> dict[DocPath, scalar_text.Decoded]:
        return {}

    def _find(self, at: DocPath) -> tuple[int, int]:
        """The number of the node at the path, or of its nearest ancestor, and how many steps were found."""
        node, kids = 0, self._places.kids
        for depth, step in enumerate(at):
            below = kids.get(node)
            if isinstance(below, dict):
                found = below.get(step) if isinstance(step, str) else None
            elif below is not None and isinstance(step, int) and 0 <= step < len(below):
                found = below[step]
            else:
                found = None
            if found is None:
                return node, depth
            node = found
        return node, len(at)

    def exists(self, at: DocPath) -> bool:
        """Whether the document itself writes something at the path (not through an alias)."""
        return self._find(at)[1] == len(at)

    def span(self, at: DocPath) -> Span:
        """Place of the value, or of its nearest ancestor that stands in the text. Trailing blanks are left out."""
        return self._span(self._find(at)[0])

    def _span(self, node: int) -> Span:
        places = self._places
        if not places.starts:
            return Span(0, 0)
        start, end = places.starts[node], places.ends[node]
        while end > start and self.source.text[end - 1] in " \t\r\n":
            end -= 1
        return Span(start, end)

    def key_span(self, at: DocPath) -> Span | None:
        """Place of the key of a mapping's entry; None for list items, the root, and what the text does not hold."""
        node, depth = self._find(at)
        if not at or depth < len(at) or not isinstance(at[-1], str):
            return None
        return Span(self._places.starts[node - 1], self._places.ends[node - 1])

    def scalar(self, at: DocPath) -> Scalar | None:
        """The scalar at the path as written; None for lists, mappings, aliases and what is absent."""
        node, depth = self._find(at)
        if depth < len(at) or node in self._places.kids or not self._places.starts:
            return None
        from kartatest.yamlpos import text as scalar_text

        start, end = scalar_text.content(self.source.text, self._places.starts[node], self._places.ends[node])
        if self.source.text[start:end].startswith("*"):
            return None
        style = self.source.text[start : start + 1] if start < end else ""
        style = style if style in ("'", '"', "|", ">") else ""
        return Scalar(self._decode(at, node, start, end).text, Span(start, end), style)

    def within(self, at: DocPath, span: Span) -> Span:
        """The characters of the file that make up a range of the scalar's decoded text.

        The place of the whole value when there is no scalar at the path. Offsets past the end are taken as the end.
        """
        if self.scalar(at) is None:
            return self.span(at)
        return self._decoded[at].file_span(span)

    def _decode(self, at: DocPath, node: int, start: int, end: int) -> scalar_text.Decoded:
        if at not in self._decoded:
            from kartatest.yamlpos import text as scalar_text

            value: Json = self.value
            for step in at:
                value = value[step]
            known = value if isinstance(value, str) else None
            self._decoded[at] = scalar_text.decode(self.source.text, start, end, self._places.ends[node], known)
        return self._decoded[at]

    def entry_span(self, at: DocPath) -> Span:
        """The whole lines of a mapping's entry or a list's item, for taking it out.

        In a flow collection, where the entry shares its lines with others, just the entry and one comma. The value's
        own span when nothing better is known.
        """
        node, depth = self._find(at)
        value = self._span(node)
        if not at or depth < len(at):
            return value
        from kartatest.yamlpos import text as scalar_text

        key = self.key_span(at)
        return scalar_text.entry(self.source.text, key.start if key else None, value)
