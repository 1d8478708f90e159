"""Filters by kind: arrays, objects, scalars, values and the like. What passes keeps its path."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

from kartatest.jq.builtins.control import selecting
from kartatest.jq.builtins.registry import FUNCTIONS
from kartatest.jq.code import single
from kartatest.jq.values import is_number, to_float, type_name
from kartatest.source import Json


def _only(name: str, test: Callable[[Json], Any]) -> None:
    """A filter of values by kind; the value passes with its path."""
    FUNCTIONS[name, 0] = lambda _args, _meter, _span: selecting(single(lambda v, _env: bool(test(v))))


def _is_kind(kind: str, v: Json) -> bool:
    return type_name(v) == kind


for _kind in ("array", "object", "string", "number", "boolean"):
    _only(f"{_kind}s", partial(_is_kind, _kind))
_only("nulls", lambda v: v is None)
_only("values", lambda v: v is not None)
_only("iterables", lambda v: isinstance(v, (list, dict)))
_only("scalars", lambda v: not isinstance(v, (list, dict)))
_only("finites", lambda v: is_number(v) and not math.isinf(to_float(v)))
_only("normals", lambda v: is_number(v) and _normal(to_float(v)))


def _normal(number: float) -> bool:
    return math.isfinite(number) and abs(number) >= 2.2250738585072014e-308
