"""The one list of functions the language brings along, and how modules add to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar

from kartatest.jq.budget import Meter
from kartatest.jq.code import Code, cartesian
from kartatest.source import Json, Span

Maker: TypeAlias = Callable[[Sequence[Code], Meter, Span], Code]
"""What compiles a call: the arguments' code, the program's meter, the place of the call."""

FUNCTIONS: dict[tuple[str, int], Maker] = {}

_F = TypeVar("_F", bound=Callable[..., Any])


def plain(name: str, function: Callable[..., Json], arity: int = 0, *, first_outer: bool = False) -> None:
    """Adds a function of plain values: function(input, *arguments)."""
    FUNCTIONS[name, arity] = lambda args, _meter, span: cartesian(function, args, span, first_outer=first_outer)


def function(name: str, arity: int = 0, *, first_outer: bool = False) -> Callable[[_F], _F]:
    """Decorator: a function(meter, input, *arguments) of values; of several arguments the last is the outermost loop.

    first_outer turns that round, as for functions gojq defines in jq itself with $parameters.
    """

    def register(body: _F) -> _F:
        def make(args: Sequence[Code], meter: Meter, span: Span) -> Code:
            return cartesian(lambda *values: body(meter, *values), args, span, first_outer=first_outer)

        FUNCTIONS[name, arity] = make
        return body

    return register


def control(name: str, arity: int = 0) -> Callable[[_F], _F]:
    """Decorator: a function(meter, span, *arguments as Code) that gives Code itself."""

    def register(body: _F) -> _F:
        FUNCTIONS[name, arity] = lambda args, meter, span: body(meter, span, *args)
        return body

    return register
