"""The abstract interpreter: runs a syntax tree on types instead of values.

Each method gives all that the node can give on an input of that type (lattice.Value), how often, and notes events on
the way. Where jq would run any number of times (reduce, recursion) it goes on until nothing new comes, then widens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from kartatest.infer import build, control, paths
from kartatest.infer.counts import MANY
from kartatest.infer.events import Event, Failure
from kartatest.infer.lattice import ALL, UNKNOWN, Kind, Value
from kartatest.infer.state import NO_OUT, Closure, Env, Out
from kartatest.jq.ast import Ast, Node
from kartatest.source import Span

MOST_STEPS: Final = 20_000
MOST_DEPTH: Final = 120


class Interpreter:
    """One run over one tree. complete: nothing was given up, so that a failure not noted cannot happen."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.complete = True
        self.failures = 0
        self._noted: set[tuple[int, str, str]] = set()
        self._muted = 0
        self._caught = 0
        self._steps = 0
        self._depth = 0
        self._kept: list[Node] = []  # nodes made on the way, so that their ids stay theirs
        self.stack: list[Closure] = []

    # -- events

    @contextmanager
    def muted(self) -> Iterator[None]:
        """No event is noted."""
        before = self.failures
        self._muted += 1
        try:
            yield
        finally:
            self._muted -= 1
            self.failures = before

    def note(self, event: Event, key: str = "") -> None:
        """Note an event, once for each node."""
        once = (id(event.node), type(event).__name__, key)
        if not self._muted and once not in self._noted:
            self._noted.add(once)
            self.events.append(event)

    def give_up(self) -> Out:
        """Anything, any number of times, or an error."""
        self.complete = False
        self.failures += 1
        return Out(UNKNOWN, MANY)

    def fail(self, node: Node, reason: str, value: Value, kinds: Kind, *, span: Span | None = None) -> None:
        """node fails on those of value that are of the kinds; nothing when there are none."""
        bad = value.only(kinds)
        if bad.never:
            return
        self.failures += 1
        if not self._caught:
            always = bad.kinds == value.kinds
            self.note(Failure(node, span or node.span, reason, bad, bad.kinds, always), reason)

    def need(self, node: Node, value: Value, kinds: Kind, reason: str, *, span: Span | None = None) -> Value:
        """Those of value that node works on; it fails on the others."""
        self.fail(node, reason, value, ALL & ~kinds, span=span)
        return value.only(kinds)

    def keep(self, node: Node) -> None:
        """Keep a node that was made on the way, so that its id stays its own."""
        self._kept.append(node)

    # -- evaluation

    def run(self, node: Ast, value: Value, env: Env) -> Out:
        """What a node gives on an input."""
        if value.never:
            return NO_OUT
        self._steps += 1
        if self._steps > MOST_STEPS or self._depth > MOST_DEPTH:
            return self.give_up()
        self._depth += 1
        try:
            made = _RUN[type(node)](self, node, value, env)
        finally:
            self._depth -= 1
        narrowed = env.narrowed(made.value)
        return made if narrowed is made.value else Out(narrowed, made.count, made.facts)

    def quiet(self, node: Ast, value: Value, env: Env) -> Value:
        """The value alone, without events."""
        with self.muted():
            return self.run(node, value, env).value

    def caught(self, node: Ast, value: Value, env: Env) -> tuple[Out, bool]:
        """What a node gives where its failures are caught, and whether it has any."""
        before = self.failures
        self._caught += 1
        made = self.run(node, value, env)
        self._caught -= 1
        failed, self.failures = self.failures > before, before
        return made, failed


_RUN: dict[type, Callable[..., Out]] = {**build.HANDLERS, **paths.HANDLERS, **control.HANDLERS}
