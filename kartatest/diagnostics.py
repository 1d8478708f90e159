"""Findings about a user's files, placed in their text."""

from __future__ import annotations

from enum import IntEnum

from kartatest.source import Source, Span
from kartatest.value import value


class Severity(IntEnum):
    """How much a finding weighs; greater is worse."""

    WARNING = 1
    ERROR = 2

    @property
    def word(self) -> str:
        """The severity as users read and write it: "warning" or "error"."""
        return self.name.lower()


@value
class Edit:
    """Replace the characters of span by text. An empty span inserts."""

    span: Span
    text: str


@value
class Diagnostic:
    """One finding, for reporters: what is wrong, where in which text, what to do, and perhaps a repair.

    message is lower case, quotes names, has no full stop; help says what to do and may be "".
    edits are applied all or none; safe says that they cannot change what a correct reader understood.
    """

    code: str
    name: str
    severity: Severity
    source: Source
    span: Span
    message: str
    help: str = ""
    edits: tuple[Edit, ...] = ()
    safe: bool = False

    @property
    def sort_key(self) -> tuple[str, Span, str, str]:
        """File, place, code, message: the order of every report."""
        return (self.source.name, self.span, self.code, self.message)
