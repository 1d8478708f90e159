"""How much a program may do: steps, outputs, nested calls and bytes, the same on every machine.

A step is one item of an iteration, one call of a function, one branch of a comma; work that grows with its input
(sorting, joining, matching) counts as many steps as it has to look at. Bytes count what is built, not what lives.
"""

from __future__ import annotations

from typing import NoReturn

from kartatest.jq.errors import JqBudgetError
from kartatest.source import Json
from kartatest.value import value


@value
class Budget:
    """Bounds for one run. outputs is inclusive (Q12); depth counts calls of the program's own functions."""

    steps: int = 250_000
    outputs: int = 1000
    depth: int = 120
    bytes: int = 64 * 2**20


DEFAULT = Budget()
_WORD = 8


class Meter:
    """What is left of a budget during a run. Closures of one program share one."""

    __slots__ = ("budget", "bytes", "depth", "patterns", "steps", "tolerant")

    def __init__(self) -> None:
        self.tolerant = False
        self.reset(DEFAULT)

    def reset(self, budget: Budget) -> None:
        """Start a run."""
        self.budget = budget
        self.steps = budget.steps
        self.bytes = budget.bytes
        self.depth = budget.depth
        self.patterns: set[tuple[str, str]] | None = None
        """The regular expressions the run has used, with their flags."""

    def spend(self, steps: int) -> None:
        """Count steps; raises JqBudgetError when there are none left."""
        self.steps -= steps
        if self.steps < 0:
            self.out_of_steps()

    def build(self, size: int) -> None:
        """Count bytes about to be built."""
        self.bytes -= size
        if self.bytes < 0:
            raise JqBudgetError(f"the program builds more than {self.budget.bytes // 2**20} MiB of text and lists")

    def text(self, text: str) -> str:
        """Count a string that was built, and give it back."""
        self.build(len(text) if text.isascii() else 4 * len(text))
        return text

    def words(self, count: int) -> None:
        """Count the slots of an array or object about to be built."""
        self.build(_WORD * count)

    def keep(self, values: list[Json]) -> list[Json]:
        """Count an array that was built, and give it back."""
        self.build(_WORD * len(values))
        return values

    def out_of_steps(self) -> NoReturn:
        """Stop the run."""
        raise JqBudgetError(f"the program takes more than {self.budget.steps:,} steps")

    def enter(self) -> None:
        """Count a call of a function of the program; leave() when it is done."""
        self.steps -= 1
        if self.steps < 0:
            self.out_of_steps()
        self.depth -= 1
        if self.depth < 0:
            raise JqBudgetError(f"the program's functions call each other more than {self.budget.depth} levels deep")

    def leave(self) -> None:
        """Undo enter()."""
        self.depth += 1
