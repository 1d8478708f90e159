"""What can be wrong with a jq program, or go wrong while it runs."""

from __future__ import annotations

from kartatest.source import Json, Span


class JqError(Exception):
    """Any fault of a jq program. message is in the user's words; span is a place in the program's text, if known."""

    def __init__(self, message: str, span: Span | None = None, help: str = "") -> None:  # noqa: A002
        super().__init__(message)
        self.message = message
        self.span = span
        self.help = help


class JqSyntaxError(JqError):
    """The text is no jq program."""


class JqCompileError(JqError):
    """The program calls an unknown function, reads an undefined variable, or does what definitions may not."""


class JqRunError(JqError):
    """The program failed on this input. value is what `catch` would be given (gojq's words where they are text)."""

    def __init__(self, message: str, span: Span | None = None, value: Json = None) -> None:
        super().__init__(message, span)
        self.value = value


class JqBudgetError(JqError):
    """The program was stopped: too many steps, outputs, levels or bytes. `?` and `try` do not catch it."""
