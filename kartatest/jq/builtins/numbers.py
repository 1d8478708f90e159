"""Functions of numbers. Where mathematics has no answer they give not-a-number or an infinity, as Go does."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from kartatest.jq.budget import Meter
from kartatest.jq.builtins.registry import FUNCTIONS, function, plain
from kartatest.jq.code import cartesian, constant
from kartatest.jq.values import Exact, Written, fail, is_number, normal, preview, to_float
from kartatest.source import Json


def _number(name: str, value: Json) -> float:
    if not is_number(value):
        raise fail(f"{name} takes a number, not {preview(value)}")
    return to_float(value)


def _math(
    names: str, arity: int, compute: Callable[..., float], outside: float | Callable[..., float] = math.nan
) -> None:
    """Adds functions of numbers. outside is the answer where Python sees an error."""
    for name in names.split():

        def run(v: Json, *args: Json, name: str = name) -> Json:
            numbers = [_number(name, x) for x in (args or (v,))]
            try:
                return normal(compute(*numbers))
            except (ValueError, OverflowError, ZeroDivisionError):
                return outside(*numbers) if callable(outside) else outside

        plain(name, run, arity)


def _at_pole(x: float) -> float:
    return -math.inf if x == 0 else math.nan


def _signed_infinity(x: float) -> float:
    return math.copysign(math.inf, x)


def _round(x: float) -> float:
    # half away from zero; exact, unlike floor(x + 0.5)
    whole = math.trunc(x)
    return math.copysign(float(whole + (math.copysign(1, x) if abs(x - whole) >= 0.5 else 0)), x)


def _finite(compute: Callable[[float], float]) -> Callable[[float], float]:
    return lambda x: compute(x) if math.isfinite(x) else x


def _signed(compute: Callable[[float], int]) -> Callable[[float], float]:
    """A rounding whose zero keeps the sign of what was rounded."""
    return _finite(lambda x: math.copysign(float(compute(x)), x) if compute(x) == 0 else float(compute(x)))


_math("floor", 0, _signed(math.floor))
_math("ceil", 0, _signed(math.ceil))
_math("trunc", 0, _signed(math.trunc))
_math("round", 0, _finite(_round))
_math("nearbyint rint", 0, _signed(round))
_math("fabs", 0, math.fabs)
_math("sqrt", 0, math.sqrt)
_math("cbrt", 0, math.cbrt)
for _name in ("sin", "cos", "tan", "asin", "acos", "atan", "asinh", "acosh", "tanh", "erf", "erfc"):
    _math(_name, 0, getattr(math, _name))
_math("sinh", 0, math.sinh, _signed_infinity)
_math("cosh", 0, math.cosh, math.inf)
_math("atanh", 0, math.atanh, lambda x: _signed_infinity(x) if abs(x) == 1 else math.nan)
_math("exp", 0, math.exp, math.inf)
_math("exp2", 0, math.exp2, math.inf)
_math("exp10", 0, lambda x: math.pow(10, x), math.inf)
_math("expm1", 0, math.expm1, math.inf)
for _name in ("log", "log2", "log10"):
    _math(_name, 0, getattr(math, _name), _at_pole)
_math("log1p", 0, math.log1p, lambda x: -math.inf if x == -1 else math.nan)


def _logb(x: float) -> float:
    if x == 0:
        return -math.inf
    return math.fabs(x) if math.isinf(x) else float(math.frexp(x)[1] - 1) if x == x else x


def _significand(x: float) -> float:
    return x if math.isinf(x) or x != x else math.frexp(x)[0] * 2


def _gamma_outside(x: float) -> float:
    if x == 0:
        return math.copysign(math.inf, x)
    return math.inf if x > 0 else math.nan


_math("logb", 0, _logb)
_math("significand", 0, _significand)
_math("gamma tgamma", 0, math.gamma, _gamma_outside)
_math("lgamma", 0, math.lgamma, math.inf)


def _remainder(x: float, y: float) -> float:
    rest = math.remainder(x, y)
    return math.copysign(rest, x) if rest == 0 else rest


def _power_outside(x: float, y: float) -> float:
    if x == 0:
        return math.copysign(math.inf, x) if y.is_integer() and y % 2 else math.inf
    if x < 0 and not y.is_integer():
        return math.nan
    return -math.inf if x < 0 and y % 2 else math.inf


def _load_exponent(x: float, y: float) -> float:
    return math.ldexp(x, int(max(-5000.0, min(y, 5000.0))) if y == y else 0)


def _difference(x: float, y: float) -> float:
    return max(x - y, 0.0) if x - y == x - y else math.nan


def _fma(x: float, y: float, z: float) -> float:
    from fractions import Fraction

    if not (math.isfinite(x) and math.isfinite(y) and math.isfinite(z)):
        return x * y + z
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    return float(exact) if exact else x * y + z


_math("pow", 2, math.pow, _power_outside)
_math("atan2", 2, math.atan2)
_math("copysign", 2, math.copysign)
_math("drem", 2, _remainder)
_math("remainder", 2, math.remainder)
_math("fdim", 2, _difference)
_math("fmax", 2, lambda x, y: y if x != x else x if y != y else max(x, y))
_math("fmin", 2, lambda x, y: y if x != x else x if y != y else min(x, y))
_math("fmod", 2, math.fmod)
_math("hypot", 2, math.hypot)
_math("nextafter nexttoward", 2, math.nextafter)
_math("ldexp scalb scalbln", 2, _load_exponent, lambda x, _y: _signed_infinity(x))
_math("fma", 3, _fma, lambda x, y, _z: _signed_infinity(x * y))


@function("abs")
def _abs(_meter: Meter, v: Json) -> Json:
    if not is_number(v):
        raise fail(f"abs takes a number, not {preview(v)}")
    if isinstance(v, Written):
        return Written(v.text.removeprefix("-"))
    return Exact(abs(v)) if isinstance(v, Exact) else abs(v)


@function("frexp")
def _frexp(_meter: Meter, v: Json) -> Json:
    x = _number("frexp", v)
    mantissa, exponent = math.frexp(x)
    return [mantissa, exponent]


@function("modf")
def _modf(_meter: Meter, v: Json) -> Json:
    x = _number("modf", v)
    if math.isinf(x):
        return [math.copysign(0.0, x), x]
    fraction, whole = math.modf(x)
    return [fraction, whole]


def _value(name: str, value: Any) -> None:
    FUNCTIONS[name, 0] = lambda _args, _meter, _span: constant(value)


def _test(name: str, test: Callable[[float], bool]) -> None:
    FUNCTIONS[name, 0] = lambda _args, _meter, span: cartesian(lambda v: is_number(v) and test(to_float(v)), [], span)


_value("infinite", math.inf)
_value("nan", math.nan)
_test("isfinite", lambda x: not math.isinf(x))
_test("isinfinite", math.isinf)
_test("isnormal", lambda x: math.isfinite(x) and abs(x) >= 2.2250738585072014e-308)


@function("isnan")
def _isnan(_meter: Meter, v: Json) -> bool:
    return False if v is None else math.isnan(_number("isnan", v))
