"""How many outputs an expression gives, and which list or map they go along with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from kartatest.jq.shape import Path, path_text


@dataclass(frozen=True, slots=True)
class Count:
    """At least low outputs, at most high (None: no bound), errors left out.

    over: the lists and maps that there is exactly one output for each entry of, outermost first; () for exactly one
    output in all; None when it is neither.
    """

    low: int
    high: int | None
    over: tuple[Path, ...] | None = None

    def __mul__(self, other: Count) -> Count:
        """Each of the ones with each of the others."""
        if self.high == 0 or other.high == 0:
            return NONE
        high = None if self.high is None or other.high is None else self.high * other.high
        over = None if self.over is None or other.over is None else self.over + other.over
        return Count(self.low * other.low, high, over)

    def __add__(self, other: Count) -> Count:
        """The ones, then the others."""
        if self.high == 0:
            return other
        if other.high == 0:
            return self
        high = None if self.high is None or other.high is None else self.high + other.high
        return Count(self.low + other.low, high)

    def __or__(self, other: Count) -> Count:
        """Either."""
        high = None if self.high is None or other.high is None else max(self.high, other.high)
        return Count(min(self.low, other.low), high, self.over if self.over == other.over else None)

    def perhaps(self) -> Count:
        """As many, or fewer."""
        return Count(0, self.high)

    @property
    def several(self) -> bool:
        """Whether there can be more than one."""
        return self.high is None or self.high > 1

    def __str__(self) -> str:
        if self.over:
            return f"one for each of {' and '.join(f'`{path_text((*path, None))}`' for path in self.over)}"
        if self.low == self.high:
            return str(self.low) if self.low else "none"
        if self.high is None:
            return "any number" if self.low == 0 else f"{self.low} or more"
        return f"{self.low} to {self.high}" if self.high > 1 else "0 or 1"


NONE: Final = Count(0, 0)
ONE: Final = Count(1, 1, ())
PERHAPS: Final = Count(0, 1)
MANY: Final = Count(0, None)


def product(counts: Iterable[Count]) -> Count:
    """Each with each."""
    total = ONE
    for one in counts:
        total *= one
    return total
