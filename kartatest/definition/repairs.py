"""Repairs of a document's shape as edits of its text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kartatest.definition.check import Repair
from kartatest.diagnostics import Edit
from kartatest.source import DocPath, Source, Span

if TYPE_CHECKING:
    from kartatest.yamlpos import Document


def edits(repair: Repair, at: DocPath, document: Document) -> tuple[Edit, ...]:
    """What to change for the value or key at the path; () where the text leaves no sure way, as for an alias."""
    from kartatest.yamlpos import quote

    text = document.source.text
    if repair.kind == "rename":
        key = document.key_span(at)
        return (Edit(key, repair.text),) if key and text[key.start : key.end] == at[-1] else ()
    scalar = document.scalar(at)
    if repair.kind == "quote" and scalar and scalar.plain and scalar.span.start < scalar.span.end:
        return (Edit(scalar.span, quote(text[scalar.span.start : scalar.span.end])),)
    if repair.kind == "brackets" and scalar and scalar.style not in ("|", ">"):
        return (Edit(scalar.span, f"[{quote(scalar.text, flow=True)}]"),)
    return _as_list(document.span(at), document.source) if repair.kind == "list" and scalar is None else ()


def _as_list(span: Span, source: Source) -> tuple[Edit, ...]:
    """A mapping made the only item of a list: in brackets, or behind a dash with its other lines moved in."""
    if source.text[span.start] == "{":
        return (Edit(Span(span.start, span.start), "["), Edit(Span(span.end, span.end), "]"))
    if source.text[source.line_of(span.start).start : span.start].strip(
        " "
    ):  # an anchor, a tag or an alias before the first key
        return ()
    found = [Edit(Span(span.start, span.start), "- ")]
    first, last = source.position(span.start)[0], source.position(span.end)[0]
    starts = [source.start(number) for number in range(first + 1, last + 1) if source.line(number).strip()]
    return (*found, *(Edit(Span(at, at), "  ") for at in starts if at < span.end))
