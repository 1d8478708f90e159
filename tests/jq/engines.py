"""What the three engines make of a program, in one shape, and when two of them agree."""

from __future__ import annotations

import math
from typing import Any

from kartatest.jq import libjq
from kartatest.jq.compile import compile as compile_program
from kartatest.jq.errors import JqError

FAILED = "error"
LARGEST = 1.7976931348623157e308


def ours(program: str, value: Any) -> Any:
    """Outputs, or FAILED."""
    try:
        return compile_program(program).run(value)
    except JqError:
        return FAILED


def of_libjq(program: str, value: Any) -> Any:
    """Outputs of libjq on normalised input, or FAILED."""
    (result,) = libjq.evaluate([program], value)
    return FAILED if result.error is not None else list(result.outputs)


def of_gojq(answer: dict[str, Any]) -> Any:
    """Outputs from an answer of the oracle, or FAILED."""
    return FAILED if any(k in answer for k in ("error", "parse_error", "compile_error")) else answer["outputs"]


def is_number(x: Any) -> bool:
    return isinstance(x, (int, float)) and not isinstance(x, bool)


def same(x: Any, y: Any) -> bool:
    """Equal as JSON: numbers by value, up to the last bits of what libraries compute; not-a-number prints as null."""
    if is_number(x) and is_number(y):
        a, b = (min(max(float(n), -LARGEST), LARGEST) for n in (x, y))
        return a == b or math.isclose(a, b, rel_tol=1e-13) or (x != x and y != y)
    if (is_number(x) and x != x) or (is_number(y) and y != y):
        return (x is None or x != x) and (y is None or y != y)
    if type(x) is not type(y):
        return False
    if isinstance(x, list):
        return len(x) == len(y) and all(map(same, x, y))
    if isinstance(x, dict):
        return x.keys() == y.keys() and all(same(x[k], y[k]) for k in x)
    return bool(x == y)
