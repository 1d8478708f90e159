"""Lines of a Python function under way: fresh names, blocks, helpers, and what is known at the current line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeAlias

from kartatest.jq.ast import Node
from kartatest.jq.budget import Meter
from kartatest.jq.code import Code, Scope
from kartatest.jq.emit import emit
from kartatest.jq.errors import JqRunError
from kartatest.jq.values import preview
from kartatest.source import Json, Span

Atom: TypeAlias = str
"""Python text for a value that costs nothing to write twice: a local name or a literal."""

Sink: TypeAlias = Callable[[Atom], None]
"""Writes what is done with one output."""

_MOST_LINES = 1200
_MOST_NESTED = 18
"""Python refuses more than twenty loops inside each other."""


class TooLong(Exception):  # noqa: N818 - a signal within this package
    """The function would be too long or nested too deeply."""


class Names(NamedTuple):
    """The variables in reach at one node: for closures (scope, and the text that makes its Env), and by name."""

    scope: Scope
    env: str
    variables: dict[str, Atom]

    def bind(self, name: str, atom: Atom) -> Names:
        """These with one more."""
        return Names(self.scope.bind("var", name), f"({atom}, {self.env})", {**self.variables, name: atom})


class Writer:
    """Collects lines. Text is only ever added, so a name once given to a value keeps it within its block."""

    def __init__(self, meter: Meter) -> None:
        self.lines: list[str] = []
        self.space: dict[str, Any] = {"meter": meter}
        self.meter = meter
        self.counts: dict[int, int] = {}
        self.outermost = Names(Scope(meter), "None", {})
        self._indent = 1
        self._loops = 0
        self._count = 0
        self._known: dict[tuple[Atom, str], Atom] = {}
        self._codes: dict[tuple[int, int], tuple[Scope, Code]] = {}

    def line(self, text: str) -> None:
        """Add a line to the current block."""
        if len(self.lines) >= _MOST_LINES:
            raise TooLong
        self.lines.append(" " * self._indent + text)

    def fresh(self) -> Atom:
        """A local name that nothing has."""
        self._count += 1
        return f"x{self._count}"

    def put(self, text: str) -> Atom:
        """A local name for what the text gives here."""
        name = self.fresh()
        self.line(f"{name} = {text}")
        return name

    def named(self, value: Atom) -> Atom:
        """The value under a name, also where it is a literal: Python warns of literals that are looked into."""
        return value if is_name(value) else self.put(value)

    def is_made_here(self, value: Atom) -> bool:
        """Whether the value comes from the input, not from the program's text."""
        return is_name(value) and value not in self.space

    def helper(self, value: Any) -> str:
        """A name under which the function finds a value of ours."""
        self._count += 1
        name = f"h{self._count}"
        self.space[name] = value
        return name

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """A block under a head such as `if x:`; what becomes known inside is forgotten behind it."""
        self.line(head)
        known, loops, before = dict(self._known), self._loops, len(self.lines)
        self._indent += 1
        self._loops += head.startswith("for ")
        if self._loops > _MOST_NESTED or self._indent > 90:
            raise TooLong
        yield
        if len(self.lines) == before:
            self.line("pass")
        self._indent -= 1
        self._known, self._loops = known, loops

    def code(self, node: Node, names: Names) -> Code:
        """The closures of a node, for what is not written out."""
        key = (id(node), id(names.scope))
        if key not in self._codes:
            self._codes[key] = (names.scope, emit(node, names.scope))
        return self._codes[key][1]

    def member(self, value: Atom, key: str, span: Span) -> Atom:
        """`value.key`; looked up once where it has been before."""
        found = self._known.get((value, key))
        if found is None:
            value = self.named(value)
            lost = self.helper(_lost(key, span))
            found = self.put(
                f"{value}.get({key!r}) if type({value}) is dict else None if {value} is None else {lost}({value})"
            )
            self._known[value, key] = found
        return found

    def true(self, value: Atom) -> str:
        """The Python expression for jq's truth of a value."""
        if not is_name(value):
            return str(value not in ("None", "False"))
        return f"{value} is not None and {value} is not False"

    def spend(self, steps: int | str) -> None:
        """Count steps."""
        self.line(f"meter.steps -= {steps}")
        self.line("if meter.steps < 0: meter.out_of_steps()")

    def build(self, size: int | str) -> None:
        """Count bytes that are built."""
        self.line(f"meter.bytes -= {size}")
        self.line("if meter.bytes < 0: meter.build(0)")


def is_name(value: Atom) -> bool:
    """Whether the text is a name, not a literal."""
    return value.isidentifier() and value not in ("None", "True", "False")


def _lost(key: str, span: Span) -> Callable[[Json], Json]:
    def lost(value: Json) -> Json:
        if isinstance(value, dict):  # a subclass of dict
            return value.get(key)
        message = f'cannot read "{key}" of {preview(value)}'
        raise JqRunError(message, span, message)

    return lost
