"""Expressions of a definition run on one object: each text once, faults as Problems."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast

from kartatest.jq.errors import JqCompileError, JqError
from kartatest.resolve.model import Problem
from kartatest.source import Json, JsonObject, dotted, not_json, same

if TYPE_CHECKING:
    from kartatest.definition.model import Expr
    from kartatest.jq.compile import Program


_T = TypeVar("_T")


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
def _reader(text: str) -> Callable[[Json], list[Json]]:
    """What gives the outputs on an object: the program, or a few look-ups where it is a chain of keys (`.spec.x`)."""
    compiled = program(text)
    if isinstance(compiled, JqError):
        return _failing(compiled)
    return compiled.run if compiled.keys is None else _chain(compiled.keys, compiled.run)


def _failing(error: JqError) -> Callable[[Json], list[Json]]:
    def fail(_obj: Json) -> list[Json]:
        raise error.with_traceback(None)  # it is raised again and again, and would keep every frame

    return fail


def _chain(keys: tuple[str, ...], run: Callable[[Json], list[Json]]) -> Callable[[Json], list[Json]]:
    def look_up(obj: Json) -> list[Json]:
        value = obj
        for key in keys:
            if type(value) is not dict:
                return [None] if value is None else run(obj)  # which says what is wrong
            value = value.get(key)
        return [value]

    return look_up


Run: TypeAlias = Callable[[str, Json], list[Json]]
"""An engine: the outputs of a text on a value. Raises JqError."""

_RUN: ContextVar[Run | None] = ContextVar("run", default=None)


@contextmanager
def evaluated_by(run: Run) -> Iterator[None]:
    """Within, all that is resolved runs its expressions by this engine instead of ours."""
    token = _RUN.set(run)
    try:
        yield
    finally:
        _RUN.reset(token)


@lru_cache(maxsize=4096)
def _tops(text: str) -> frozenset[str] | None:
    """The fields of the object that a text's outputs can depend on; None for all of it."""
    from kartatest.jq.tops import tops

    compiled = program(text)
    return None if isinstance(compiled, JqError) else tops(compiled.tree)


class Evaluator:
    """Runs expressions on one object and remembers what each text gave."""

    __slots__ = ("_asked", "_kept", "_obj", "_seen")

    def __init__(self, obj: Json, *, keeping: bool = False) -> None:
        """keeping: there will be a later moment of the object, which is asked for by `at`."""
        self._obj = obj
        self._seen: dict[str, list[Json] | JqError] = {}
        self._kept: dict[object, tuple[set[str], object]] | None = {} if keeping else None
        self._asked: set[str] | None = None

    def at(self, obj: Json) -> Evaluator:
        """One for the same object at another moment, which remembers what cannot have changed since.

        This one where nothing has changed.
        """
        before = self._obj
        later = Evaluator(obj, keeping=True)
        if type(obj) is dict and type(before) is dict:
            changed = {key for key in obj.keys() | before.keys() if not _is_kept(before, obj, key)}
            if not changed:
                return self
            for text, found in self._seen.items():
                if isinstance(found, list) and (tops := _tops(text)) is not None and tops.isdisjoint(changed):
                    later._seen[text] = found
            seen = later._seen.keys()
            later._kept = {key: made for key, made in (self._kept or {}).items() if made[0] <= seen}
        return later

    def made(self, key: object, make: Callable[[], _T]) -> _T:
        """What make gives, which reads the object by this evaluator alone; kept until what it read changes."""
        if self._kept is None:
            return make()
        known = self._kept.get(key)
        if known is None:
            outer, self._asked = self._asked, set()
            try:
                known = self._asked, make()
            finally:
                self._asked = outer
            self._kept[key] = known
        if self._asked is not None:
            self._asked |= known[0]
        return cast("_T", known[1])

    def outputs(self, expr: Expr) -> list[Json]:
        """All outputs in order; the list is shared, so not to be changed. Raises Unreadable.

        An error in the middle of the stream loses the outputs before it (semantics 3.2).
        """
        text = expr.text
        if self._asked is not None:
            self._asked.add(text)
        found = self._seen.get(text)
        if found is None:
            try:
                run = _RUN.get()
                found = _reader(text)(self._obj) if run is None else run(text, self._obj)
            except JqError as error:
                found = error
            except (TypeError, ValueError):
                found = _not_json(self._obj)
            self._seen[text] = found
        if isinstance(found, list):
            return found
        raise Unreadable(Problem(expr.at, found.message))


def _is_kept(before: JsonObject, after: JsonObject, key: str) -> bool:
    return key in before and key in after and (before[key] is after[key] or same(before[key], after[key]))


def _not_json(obj: Json) -> JqError:
    """Why a step could make nothing of a value: a program that made the object left something in it that no JSON has.

    Raises what is being handled where the object is sound: then the fault is ours.
    """
    odd = next(not_json(obj), None)
    if odd is None:
        raise  # what is being handled
    at, what = odd
    return JqError(f"{'.' + dotted(at) if at else 'the object'} {what}")


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
