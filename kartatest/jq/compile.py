"""Programs ready to run: a syntax tree compiled to closures, with the hooks that tell where outputs came from.

A program that runs again and again is written out as one Python function (`jq.straight`), which does the same faster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from threading import Lock
from typing import TypeVar

from kartatest.jq.ast import Ast
from kartatest.jq.budget import DEFAULT, Budget, Meter
from kartatest.jq.code import Code, Collect, Env, Scope, intact
from kartatest.jq.emit import emit
from kartatest.jq.errors import JqBudgetError, JqCompileError
from kartatest.jq.operators import too_deep
from kartatest.source import DocPath, Json, Span
from kartatest.value import value

_T = TypeVar("_T")

_DEEPEST = 300
"""Levels of a result that a program built; a file may nest 256."""

_COLD_RUNS = 32
"""Runs after which a program is written out: by then they have cost about as much as that will."""


@value
class Traced:
    """An output, and the path in the input it lies at; None for a value the program made."""

    value: Json
    path: DocPath | None


class Program:
    """A compiled program. It may be run any number of times, one run at a time; the input is never changed."""

    __slots__ = ("_code", "_collect", "_covering", "_hits", "_lock", "_meter", "_runs", "text", "tree")

    def __init__(self, text: str, tree: Ast) -> None:
        self.text = text
        self.tree = tree
        self._meter = Meter()
        self._lock = Lock()
        self._code = _emitted(tree, Scope(self._meter))
        self._collect: Collect = self._warming
        self._runs = 0
        self._covering: Code | None = None
        self._hits: set[Span] = set()

    @property
    def keys(self) -> tuple[str, ...] | None:
        """The keys of a program that is a chain of them (`.a.b`; `.` has none), None for any other."""
        return self._code.keys

    def run(self, value: Json, *, budget: Budget = DEFAULT) -> list[Json]:
        """All outputs for value, which is used as it is; parts of it may be among the outputs.

        Raises JqRunError when the program fails, whatever it gave before (semantics 3.2); JqBudgetError.
        """
        meter = self._meter
        with self._lock:  # reset() and _check() are written out, as this is the hottest path there is
            meter.budget = budget
            meter.steps = budget.steps
            meter.bytes = limit = budget.bytes
            meter.depth = budget.depth
            meter.patterns = None
            try:
                outputs = self._collect(value, None)
            except (RecursionError, MemoryError):
                raise too_deep() from None
            built = meter.bytes != limit
        if built or len(outputs) > budget.outputs:
            _check(outputs, budget, built=built)
        return outputs

    def _warming(self, value: Json, env: Env) -> list[Json]:
        """The first runs; then the program is worth being written out, unless it cannot be."""
        self._runs += 1
        if self._runs > _COLD_RUNS:
            from kartatest.jq.straight import straight

            self._collect = straight(self.tree, self._meter) or self._code.collect
            return self._collect(value, env)
        return self._code.collect(value, env)

    def paths(self, value: Json, *, budget: Budget = DEFAULT) -> list[tuple[Json, ...]]:
        """What `path(program)` gives; a slice is an object with start and end. Raises JqRunError for what has none."""
        meter = self._meter

        def found() -> Iterator[tuple[Json, ...]]:
            for x, place in self._code.trail(value, ((), value), None):
                yield intact(x, place, meter)[0] or ()

        return self._bounded(budget, lambda: list(found()))

    def trace(self, value: Json, *, budget: Budget = DEFAULT) -> list[Traced]:
        """The outputs of run(), each with the place in value that it is, if it is one."""
        meter = self._meter

        def found() -> list[Traced]:
            meter.tolerant = True
            try:
                pairs = [(x, intact(x, place, meter)[0]) for x, place in self._code.trail(value, ((), value), None)]
            finally:
                meter.tolerant = False
            known = _containers(value) if any(p is None for _, p in pairs) else {}
            return [Traced(x, known.get(id(x)) if p is None else p) for x, p in pairs]

        return self._bounded(budget, found)

    def run_covered(self, value: Json, hits: set[Span], *, budget: Budget = DEFAULT) -> list[Json]:
        """run(), adding to hits the span of every node of the tree that was reached."""
        if self._covering is None:
            self._covering = _emitted(self.tree, Scope(self._meter, self._hits))
        collect = self._covering.collect
        self._hits.clear()
        try:
            return self._bounded(budget, lambda: collect(value, None))
        finally:
            hits |= self._hits

    def _bounded(self, budget: Budget, run: Callable[[], list[_T]]) -> list[_T]:
        with self._lock:
            self._meter.reset(budget)
            try:
                outputs = run()
            except (RecursionError, MemoryError):
                raise too_deep() from None
            built = self._meter.bytes != budget.bytes
        _check(outputs, budget, built=built)
        return outputs


def _emitted(tree: Ast, scope: Scope) -> Code:
    try:
        return emit(tree, scope)
    except RecursionError:
        raise JqCompileError("the program is nested too deeply") from None


def _check(outputs: list[_T], budget: Budget, *, built: bool) -> None:
    """Refuse too many outputs, and too large ones when any of them was built."""
    if len(outputs) > budget.outputs:
        raise JqBudgetError(f"the program gives {len(outputs)} results, more than {budget.outputs}")
    built = built or any(isinstance(x, Traced) and x.path is None for x in outputs)
    if built and (len(outputs) > 1 or isinstance(outputs[0] if outputs else None, (list, dict, Traced))):
        _weigh(outputs, budget)


def _weigh(outputs: list[_T], budget: Budget) -> None:
    """Refuse outputs that nest too deeply to be written down, or are endless because they share so much."""
    left = budget.bytes
    level: list[Json] = [x.value if isinstance(x, Traced) else x for x in outputs]
    for _ in range(_DEEPEST):
        below: list[Json] = []
        for x in level:
            if isinstance(x, str):
                left -= len(x)
            elif isinstance(x, (list, tuple)):
                left -= 56 + 8 * len(x)
                below.extend(x if left > 0 else ())
            elif isinstance(x, dict):
                left -= 56 + 16 * len(x)
                below.extend(x.values() if left > 0 else ())
            if left < 0:
                raise JqBudgetError(f"the results are larger than {budget.bytes // 2**20} MiB")
        if not below:
            return
        level = below
    raise JqBudgetError(f"the results nest more than {_DEEPEST} levels deep")


def _containers(value: Json) -> dict[int, DocPath]:
    """Where each array and object of the input lies, by identity."""
    found: dict[int, DocPath] = {}
    stack: list[tuple[Json, DocPath]] = [(value, ())]
    while stack:
        x, path = stack.pop()
        if not isinstance(x, (dict, list)) or id(x) in found:
            continue
        found[id(x)] = path
        stack.extend((y, (*path, k)) for k, y in (x.items() if isinstance(x, dict) else enumerate(x)))
    return found


def compile(program: str | Ast, *, trusted: bool = False) -> Program:  # noqa: A001 - jq's own word
    """A program from its text or tree; texts are kept for the next call.

    Raises JqSyntaxError, and JqCompileError for a name that does not exist and for what definitions may not do
    (`safety.violations`, the fatal ones). trusted leaves the second check out: the budget still holds.
    """
    return _compiled(program, trusted) if isinstance(program, str) else _program("", program, trusted)


@lru_cache(maxsize=4096)
def _compiled(text: str, trusted: bool) -> Program:
    from kartatest.jq.parse import parse

    return _program(text, parse(text), trusted)


def _program(text: str, tree: Ast, trusted: bool) -> Program:
    if not trusted:
        from kartatest.jq.safety import violations

        for found in violations(tree):
            if found.fatal:
                error = JqCompileError(found.message, found.span)
                error.help = found.help
                raise error
    if not text:
        from kartatest.jq.text import to_text

        text = to_text(tree)
    return Program(text, tree)
