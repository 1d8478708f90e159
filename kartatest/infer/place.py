"""Which value a value is, so that what a condition says of it holds wherever it is met again."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count as _counter
from typing import Final, TypeAlias


@dataclass(frozen=True, slots=True)
class Each:
    """A step to one entry of a list or map: which one is the same within one run of the step that made it."""

    run: int


Step: TypeAlias = str | int | Each


@dataclass(frozen=True, slots=True)
class Place:
    """Which value it is: two values at equal places are the same one. root 0 is the input of the whole program."""

    root: int
    steps: tuple[Step, ...] = ()

    def __truediv__(self, step: Step) -> Place:
        return Place(self.root, (*self.steps, step))


_fresh: Final = _counter(1)


def new_root() -> Place:
    """The place of a value that an expression made."""
    return Place(next(_fresh))


def new_each() -> Each:
    """A step to an entry, other than all before it."""
    return Each(next(_fresh))
