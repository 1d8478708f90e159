"""The functions of the language (gojq 0.12.19, without clock, zone, environment, inputs and modules)."""

from __future__ import annotations

from kartatest.jq.builtins import control, core, dates, formats, kinds, loops, numbers, paths, regex, strings
from kartatest.jq.builtins.registry import FUNCTIONS, Maker

_ = (control, core, dates, formats, kinds, loops, numbers, paths, regex, strings)  # imported to fill the list


def find(name: str, arity: int) -> Maker | None:
    """What compiles calls of name/arity, or None when there is no such function."""
    return FUNCTIONS.get((name, arity))


def names() -> frozenset[str]:
    """All functions as "name/arity"."""
    return frozenset(f"{name}/{arity}" for name, arity in FUNCTIONS)
