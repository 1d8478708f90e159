"""Repairs: from what a rule proposes to edits of the text, and from edits to a new text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kartatest.diagnostics import Diagnostic, Edit
from kartatest.lint.rule import Fix
from kartatest.source import DocPath, Json, Source, Span

if TYPE_CHECKING:
    from kartatest.yamlpos import Document, Scalar


def edits(document: Document, fix: Fix) -> tuple[Edit, ...]:
    """The edits that carry out fix in the document's text.

    () when the text leaves no sure way: the part came in through an alias, or a block would have to be laid out anew.
    """
    from kartatest.yamlpos import quote

    if not document.exists(fix.at):
        return ()
    if fix.remove:
        return _removal(document, fix.at)
    if fix.key is not None:
        span = document.key_span(fix.at)
        return (Edit(span, quote(fix.key)),) if span and span.start < span.end else ()
    scalar = document.scalar(fix.at)
    if scalar is None:
        return ()
    if fix.quote:
        written = document.source.text[scalar.span.start : scalar.span.end]
        return (Edit(scalar.span, _quoted(written)),) if scalar.plain else ()
    if fix.replace is None:
        return ()
    return _replacement(document, scalar, fix.at, fix.replace, fix.within)


def _removal(document: Document, at: DocPath) -> tuple[Edit, ...]:
    """Take the entry out, and the list or mapping with it when it was the only one there."""
    while len(at) > 1 and isinstance(at[-1], int) and len(_value(document, at[:-1])) == 1:
        at = at[:-1]
    span = document.entry_span(at)
    return (Edit(span, ""),) if span.start < span.end else ()


def _value(document: Document, at: DocPath) -> Json:
    value: Json = document.value
    for step in at:
        value = value[step]
    return value


def _quoted(text: str) -> str:
    """A quoted scalar, whatever the text: `True` to "True"."""
    return f'"{text}"' if not set(text) & set('"\\') else "'" + text.replace("'", "''") + "'"


def _replacement(
    document: Document, scalar: Scalar, at: DocPath, replace: str, within: Span | None
) -> tuple[Edit, ...]:
    from kartatest.yamlpos import quote

    whole = replace if within is None else scalar.text[: within.start] + replace + scalar.text[within.end :]
    part = Span(0, len(scalar.text)) if within is None else within
    place = document.within(at, part)
    if scalar.style in ("|", ">"):
        if within is None or "\n" in replace or not replace.isprintable():
            return ()
        return (Edit(place, replace),)
    one_line = scalar.span.end <= document.source.line_of(scalar.span.start).end
    if one_line and whole.isprintable() and scalar.text:
        if scalar.style == "'":
            return (Edit(place, replace.replace("'", "''")),)
        if scalar.style == '"':
            return (Edit(place, replace.replace("\\", "\\\\").replace('"', '\\"')),)
        if quote(whole) == whole:
            return (Edit(place, replace),)
    return (Edit(scalar.span, quote(whole)),)


def applied(text: str, found: Iterable[Diagnostic], *, unsafe: bool = False) -> tuple[str, int]:
    """text with the repairs of found, and how many diagnostics were repaired.

    Each diagnostic's edits are made all or none; one that overlaps an earlier one is left for the next round.
    Repairs that may change the meaning are made only when unsafe is set.
    """
    chosen: list[Edit] = []
    count = 0
    for d in sorted(found, key=lambda d: d.sort_key):
        if not d.edits or not (d.safe or unsafe):
            continue
        fresh = [e for e in dict.fromkeys(d.edits) if e not in chosen]
        if any(_overlap(a, b) for a in fresh for b in chosen):
            continue
        chosen += fresh
        count += 1
    for edit in sorted(chosen, key=lambda e: e.span, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text, count


def _overlap(a: Edit, b: Edit) -> bool:
    return a.span == b.span or (a.span.start < b.span.end and b.span.start < a.span.end)


@dataclass(frozen=True)
class Fixed:
    """What repairing gave: the new text, how many findings were repaired, and the findings that are left."""

    source: Source
    count: int
    left: tuple[Diagnostic, ...]


def stable(
    source: Source,
    lint: Callable[[Source], tuple[Diagnostic, ...]],
    *,
    first: tuple[Diagnostic, ...] | None = None,
    unsafe: bool = False,
    max_rounds: int = 10,
) -> Fixed:
    """Repair and look again until a round changes nothing, at most max_rounds times. first: what lint finds now.

    A round whose text could not be loaded although the text before could is taken back: no repair breaks a file. So is
    one that leaves YAML broken where it was: its repair does not mend it, and would be made again and again.
    """
    count = 0
    left = lint(source) if first is None else first
    for _ in range(max_rounds):
        text, made = applied(source.text, left, unsafe=unsafe)
        if not made or text == source.text:
            break
        after = Source(source.name, text)
        found = lint(after)
        if _broken(found) and (not _broken(left) or not _moved(left, found)):
            break
        source, left = after, found
        count += made
    return Fixed(source, count, left)


def _moved(before: Iterable[Diagnostic], after: Iterable[Diagnostic]) -> bool:
    """Whether no place where YAML was broken and repaired is broken still."""
    mended = {d.span.start for d in before if _broken([d]) and d.edits}
    return not any(d.span.start in mended for d in after if _broken([d]))


def _broken(found: Iterable[Diagnostic]) -> bool:
    return any(d.code == "KT001" for d in found)
