"""libjq, the reference beside our engine: all expressions of a definition in one program on one normalised input.

libjq keeps the order of keys and the text of numbers; `normalise` takes both away, as the consumers' JSON round trip
does. Programs that definitions may not run are refused before libjq sees them: it would read the environment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from kartatest.jq.errors import JqError
from kartatest.jq.values import SAFE, to_float
from kartatest.source import Json

_MOST_OUTPUTS = 1000
_MOST_COMBINED = 256


@dataclass(frozen=True, slots=True)
class Result:
    """Outputs of one program; error is None, or what went wrong: then there are no outputs (semantics 3.2)."""

    outputs: tuple[Json, ...] = ()
    error: str | None = None


def normalise(value: Json) -> Json:
    """value as the consumers see it: keys sorted at every level, whole floats as ints, ints as 64-bit floats hold them.

    Raises RecursionError for a value nested too deeply.
    """
    if isinstance(value, dict):
        return {k: normalise(value[k]) for k in sorted(value)}
    if isinstance(value, list):
        return [normalise(x) for x in value]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return value
    if isinstance(value, int):
        return value if -SAFE <= value <= SAFE else _whole(to_float(value))
    return _whole(value)


def _whole(number: float) -> int | float:
    return int(number) if number.is_integer() else number


def evaluate(programs: Sequence[str], value: Json) -> tuple[Result, ...]:
    """What libjq makes of each program on value, in their order. One that does not compile or fails hurts no other.

    Not bounded in time or memory: `worker` is.
    """
    from json import dumps

    if not programs:
        return ()
    refused = {text: error for text in set(programs) if (error := _refusal(text)) is not None}
    runnable = tuple(dict.fromkeys(text for text in programs if text not in refused))
    try:
        text = dumps(normalise(value), ensure_ascii=False, allow_nan=False)
    except (RecursionError, ValueError):
        return tuple(Result(error="the value is nested too deeply or holds no JSON number") for _ in programs)
    found: dict[str, Result] = {t: Result(error=e) for t, e in refused.items()}
    for at in range(0, len(runnable), _MOST_COMBINED):
        found.update(_run(runnable[at : at + _MOST_COMBINED], text))
    return tuple(found[text] for text in programs)


@lru_cache(maxsize=4096)
def _refusal(text: str) -> str | None:
    """Why a program may not run at all."""
    from kartatest.jq.parse import parse
    from kartatest.jq.safety import violations

    try:
        return next((v.message for v in violations(parse(text)) if v.fatal), None)
    except JqError as e:
        return e.message


def _combined(programs: Sequence[str]) -> str:
    """One program that gives [[outputs], error] for each; the line breaks end comments."""
    parts = (f"(try [[limit({_MOST_OUTPUTS + 1}; ({text}\n))], null] catch [[], (. | tojson)])" for text in programs)
    return f"[{', '.join(parts)}]"


@lru_cache(maxsize=1024)
def _compiled(program: str) -> Any:
    import jq

    return jq.compile(program)


def _run(programs: tuple[str, ...], text: str) -> dict[str, Result]:
    if not programs:
        return {}
    try:
        (rows,) = _compiled(_combined(programs)).input_text(text).all()
    except (ValueError, StopIteration) as e:
        if len(programs) == 1:  # it does not compile, or breaks out of what is around it
            return {programs[0]: Result(error=_first_line(e))}
        return {program: _run((program,), text)[program] for program in programs}
    return {program: _result(outputs, error) for program, (outputs, error) in zip(programs, rows, strict=True)}


def _result(outputs: list[Json], error: str | None) -> Result:
    if error is not None:
        return Result(error=error)
    if len(outputs) > _MOST_OUTPUTS:
        return Result(error=f"the program gives more than {_MOST_OUTPUTS} results")
    return Result(tuple(outputs))


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), "libjq refuses the program")
