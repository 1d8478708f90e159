"""libjq in the place of our engine: for one text on one value, but asked for all texts of a definition at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from kartatest.jq.errors import JqCompileError, JqError, JqRunError
from kartatest.source import Json

if TYPE_CHECKING:
    from kartatest.jq.libjq import Result
    from kartatest.jq.worker import Worker


class Reference:
    """What libjq makes of texts on values, in the worker's bounds.

    texts are those that will be asked for: they run together, as reading a value costs libjq more than a program does.
    Only what the last value gave is kept.
    """

    def __init__(self, texts: Iterable[str], worker: Worker) -> None:
        self._texts = tuple(dict.fromkeys(t for t in texts if t.strip()))
        self._worker = worker
        self._value: Json = self
        self._found: dict[str, Result] = {}

    def run(self, text: str, value: Json) -> list[Json]:
        """All outputs; whole numbers are ints, keys are sorted.

        Raises JqCompileError for an empty text, JqRunError for what libjq refuses or fails on, JqBudgetError.
        """
        if not text.strip():
            raise JqCompileError("the expression is empty")
        if value is not self._value:
            self._value, self._found = value, self._together(value)
        if text not in self._found:
            self._found[text] = self._worker.evaluate([text], value)[0]
        result = self._found[text]
        if result.error is not None:
            raise JqRunError(result.error)
        return list(result.outputs)

    def _together(self, value: Json) -> dict[str, Result]:
        """The results of all texts; nothing where they take too long, so that each is then tried alone."""
        try:
            return dict(zip(self._texts, self._worker.evaluate(self._texts, value), strict=True))
        except JqError:
            return {}
