"""The functions of the language (gojq 0.12.19, without clock, zone, environment, inputs and modules).

Those of values and of programs are there at once; dates, regular expressions and the rest when a program first names
something else.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from kartatest.jq.builtins import control, core
from kartatest.jq.builtins.registry import FUNCTIONS, Maker

_ = (control, core)  # imported to fill the list
_LATER = ("dates", "formats", "kinds", "loops", "numbers", "paths", "regex", "strings")


def find(name: str, arity: int) -> Maker | None:
    """What compiles calls of name/arity, or None when there is no such function."""
    found = FUNCTIONS.get((name, arity))
    if found is None:
        _load_all()
        found = FUNCTIONS.get((name, arity))
    return found


def names() -> frozenset[str]:
    """All functions as "name/arity"."""
    _load_all()
    return frozenset(f"{name}/{arity}" for name, arity in FUNCTIONS)


@cache
def _load_all() -> None:
    for module in _LATER:
        import_module(f"kartatest.jq.builtins.{module}")
