"""Repairs: from what a rule proposes to edits of the text, and from edits to a new text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kartatest.diagnostics import Diagnostic, Edit
from kartatest.lint.rule import Fix
from kartatest.source import Source

if TYPE_CHECKING:
    from kartatest.yamlpos import Document


def edits(document: Document, fix: Fix) -> tuple[Edit, ...]:
    """The edits that carry out fix in the document's text; () when the text leaves no way to do it safely."""
    return ()


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
        fresh = [e for e in d.edits if e not in chosen]
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
    source: Source, lint: Callable[[Source], tuple[Diagnostic, ...]], *, unsafe: bool = False, max_rounds: int = 10
) -> Fixed:
    """Repair and look again until a round changes nothing, at most max_rounds times."""
    count = 0
    left = lint(source)
    for _ in range(max_rounds):
        text, made = applied(source.text, left, unsafe=unsafe)
        if not made or text == source.text:
            break
        count += made
        source = Source(source.name, text)
        left = lint(source)
    return Fixed(source, count, left)
