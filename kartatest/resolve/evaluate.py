"""Expressions of a definition run on one object: each text once, faults as Problems."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from kartatest.jq.errors import JqCompileError, JqError
from kartatest.resolve.model import Problem
from kartatest.source import Json

if TYPE_CHECKING:
    from kartatest.definition.model import Expr
    from kartatest.jq.compile import Program


class Unreadable(Exception):  # noqa: N818 - a signal within this package, it ends as a Problem in the tree
    """A part of the object could not be read. problem is what its node will hold."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


@lru_cache(maxsize=4096)
def program(text: str) -> Program | JqError:
    """The compiled program, kept for the next object, or why there is none.

    An empty text is a fault, as in the consumers (Q43), although it is a jq program.
    """
    from kartatest.jq.compile import compile as compile_text

    if not text.strip():
        return JqCompileError("the expression is empty")
    try:
        return compile_text(text)
    except JqError as error:
        return error


@lru_cache(maxsize=4096)
def _ready(text: str) -> tuple[tuple[str, ...] | None, Program | JqError]:
    """The program, and its keys where it is a chain of them (`.spec.template`), which is read without running it."""
    from kartatest.jq.ast import Identity, Index
    from kartatest.jq.shape import constant_key

    compiled = program(text)
    keys: list[str] = []
    node = None if isinstance(compiled, JqError) else compiled.tree
    while isinstance(node, Index):
        key = constant_key(node.key)
        if not isinstance(key, str):
            break
        keys.append(key)
        node = node.target
    return (tuple(reversed(keys)) if isinstance(node, Identity) else None), compiled


class Evaluator:
    """Runs expressions on one object and remembers what each text gave."""

    __slots__ = ("_obj", "_seen")

    def __init__(self, obj: Json) -> None:
        self._obj = obj
        self._seen: dict[str, list[Json] | JqError] = {}

    def outputs(self, expr: Expr) -> list[Json]:
        """All outputs in order; the list is shared, so not to be changed. Raises Unreadable.

        An error in the middle of the stream loses the outputs before it (semantics 3.2).
        """
        text = expr.text
        found = self._seen.get(text)
        if found is None:
            found = self._seen[text] = self._run(text)
        if isinstance(found, list):
            return found
        raise Unreadable(Problem(expr.at, found.message))

    def _run(self, text: str) -> list[Json] | JqError:
        keys, compiled = _ready(text)
        if keys is not None:
            value = self._obj
            for key in keys:
                if type(value) is not dict:
                    break
                value = value.get(key)
            else:
                return [value]
            if value is None:
                return [None]
        if isinstance(compiled, JqError):
            return compiled
        try:
            return compiled.run(self._obj)
        except JqError as error:
            return error


def text_of(value: Json) -> str:
    """The value as `tostring` gives it: strings unchanged, else compact JSON with sorted keys (semantics 6.2)."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    from kartatest.jq.values import text_of as tostring

    try:
        return tostring(value)
    except RecursionError:  # equals no text that anyone writes
        return ""
