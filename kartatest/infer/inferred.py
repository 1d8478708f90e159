"""The result of inference: what one expression does on every object of one type."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from kartatest.infer.counts import Count
from kartatest.infer.events import Compared, Defaulted, Event, Failure, Missing, Read
from kartatest.infer.lattice import ALL, NULL, Value, root_value
from kartatest.infer.wording import words

if TYPE_CHECKING:
    from kartatest.jq.ast import Ast
    from kartatest.schema.model import Type

_T = TypeVar("_T")


@dataclass(frozen=True)
class Inferred:
    """What an expression gives on the objects of a type.

    value: every result is one of it. count: how many there are where nothing fails. events: in the order in which the
    expression is walked. complete: nothing was given up, so an object on which it fails is among the failures.
    """

    value: Value
    count: Count
    events: tuple[Event, ...]
    complete: bool
    writable: bool = False
    """Whether consumers can write through it in every object: only `.field`, `["key"]`, `[]` and `?`."""

    @cached_property
    def missing(self) -> tuple[Missing, ...]:
        """Steps to fields that no object has.

        A step of a function that is called on values of several types is none while one of them has the field.
        """
        there = {(id(read.node), read.path[-1]) for read in self.reads if read.path and read.value.may(ALL & ~NULL)}
        return tuple(missing for missing in self._of(Missing) if (id(missing.node), missing.name) not in there)

    @cached_property
    def failures(self) -> tuple[Failure, ...]:
        """Steps that fail on some object, unless something catches them."""
        return self._of(Failure)

    @cached_property
    def reads(self) -> tuple[Read, ...]:
        """Steps into the object, each place once for a step."""
        return self._of(Read)

    @cached_property
    def comparisons(self) -> tuple[Compared, ...]:
        """Comparisons with what stands on both sides."""
        return self._of(Compared)

    @cached_property
    def defaults(self) -> tuple[Defaulted, ...]:
        """`//` with what stands on both sides."""
        return self._of(Defaulted)

    @property
    def may_fail(self) -> bool | None:
        """Whether it fails on some object; None when that cannot be told."""
        return True if self.failures else False if self.complete else None

    def __str__(self) -> str:
        count = "" if self.count.over == () else f", {self.count}"
        return f"{words(self.value)}{count}"

    def _of(self, kind: type[_T]) -> tuple[_T, ...]:
        return tuple(event for event in self.events if isinstance(event, kind))


def infer(tree: Ast, type_: Type) -> Inferred:
    """Run a syntax tree on all objects of a type."""
    from kartatest.infer.interpret import Interpreter
    from kartatest.infer.state import Env
    from kartatest.jq.shape import writable

    interpreter = Interpreter()
    made = interpreter.run(tree, root_value(type_), Env())
    return Inferred(made.value, made.count, tuple(interpreter.events), interpreter.complete, writable(tree))
