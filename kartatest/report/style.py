"""How trees are drawn: colours, and lines for terminals that show them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from kartatest.report.text import printable
from kartatest.resolve.quantity import is_accelerator

RESET = "\x1b[0m"
BOLD, DIM, RED, GREEN, YELLOW = "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m"


class Style(NamedTuple):
    """How to draw. unicode: the terminal can show line-drawing characters; color: it takes ANSI colours."""

    unicode: bool = True
    color: bool = False

    def paint(self, tone: str, text: str) -> str:
        """The text in that colour, if colours are wanted."""
        return f"{tone}{text}{RESET}" if self.color and text else text


PLAIN = Style()


class Node(NamedTuple):
    """What becomes a row, the notes under it as colour and text, and what hangs below.

    Without cells it is a line with the first note behind its name.
    """

    name: str
    cells: tuple[str, ...]
    notes: tuple[tuple[str, str], ...] = ()
    children: tuple[Node, ...] = ()


def head_of(columns: Sequence[str]) -> Callable[[str], str]:
    """Short column titles: GPU where there is one kind of accelerator, else the part of the name that differs."""
    accelerators = [c for c in columns if is_accelerator(c)]

    def head(name: str) -> str:
        if [name] == accelerators and name.endswith("/gpu"):
            return "GPU"
        return printable(name.rpartition("/")[2])[:14].upper()

    return head
