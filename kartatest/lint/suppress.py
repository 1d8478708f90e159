"""Comments that silence findings."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kartatest.diagnostics import Diagnostic
    from kartatest.lint.rule import Rule
    from kartatest.source import Source


def apply(
    source: Source, found: Sequence[Diagnostic], rules: Sequence[Rule], *, silent: Set[str] = frozenset()
) -> list[Diagnostic]:
    """found without what the comments of source silence."""
    return list(found)
