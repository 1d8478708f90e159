"""Kubernetes quantities, exactly: "500m", "8", "64Gi", "1e3" to Fractions and back.

The rules are those of apimachinery's resource.Quantity: a sign, digits with at most one dot, then a binary suffix
(Ki to Ei), a decimal one (n u m k M G T P E) or an exponent. Amounts finer than 1n are rounded up, away from zero.
"""

from __future__ import annotations

import re
from fractions import Fraction

from kartatest.source import Json

_NUMBER = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?([a-zA-Z]{0,2}|[eE][+-]?[0-9]{1,3})\Z")
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_LONGEST = 200
_LARGEST_EXPONENT = 100
_NANO = 10**9


class QuantityError(ValueError):
    """The value is no quantity; the text says why."""


def parse(value: Json) -> Fraction:
    """The amount in base units. Takes text, and whole or decimal numbers as YAML gives them; raises QuantityError."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise QuantityError("a quantity is a text or a number")
    if isinstance(value, int) and value.bit_length() > 600:  # as long as a text may be, and Python still prints it
        raise QuantityError("the number is too large for a quantity")
    text = value if isinstance(value, str) else repr(value)
    found = _NUMBER.match(text) if len(text) <= _LONGEST else None
    if found is None or not (found[2] or found[3]):
        raise QuantityError(f"{_short(text)} is no quantity, such as 2, 500m or 64Gi")
    sign, whole, decimals, suffix = found.groups(default="")
    amount = Fraction(int(whole + decimals or "0"), 10 ** len(decimals))
    if suffix in _BINARY:
        amount = min(amount * 2 ** _BINARY[suffix], Fraction(2**63 - 1))  # apimachinery caps binary quantities there
    else:
        amount *= Fraction(10) ** _exponent(suffix, text)
    if (amount * _NANO).denominator != 1:
        amount = Fraction(-(-amount * _NANO // 1), _NANO)
    return -amount if sign == "-" else amount


def _exponent(suffix: str, text: str) -> int:
    if suffix in _DECIMAL:
        return _DECIMAL[suffix]
    if suffix[0] in "eE" and len(suffix) > 1 and suffix[1:].lstrip("+-").isdigit():
        exponent = int(suffix[1:])
        if abs(exponent) > _LARGEST_EXPONENT:
            raise QuantityError(f"{_short(text)} has an exponent beyond {_LARGEST_EXPONENT}")
        return exponent
    raise QuantityError(f"{_short(text)} has the unknown suffix {suffix!r}")


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:40] + "...")


def to_text(resource: str, amount: Fraction) -> str:
    """A Kubernetes quantity of exactly that amount (anything finer than 1n is rounded up).

    Bytes take the largest binary suffix that divides them, or a decimal one where that is shorter ("128G"); CPU and all
    that is counted are plain numbers, with m, u or n for parts of one: "8", "500m", "12".
    """
    if amount < 0:
        return "-" + to_text(resource, -amount)
    if amount.denominator != 1:
        for suffix in ("m", "u", "n"):
            scaled = amount / Fraction(10) ** _DECIMAL[suffix]
            if scaled.denominator == 1 or suffix == "n":
                return f"{-(-scaled // 1)}{suffix}"
    number = amount.numerator
    if not in_bytes(resource) or number == 0:
        return str(number)
    binary = decimal = str(number)
    for suffix, power in _BINARY.items():
        if number % 2**power == 0:
            binary = f"{number >> power}{suffix}"
    for suffix in ("k", "M", "G", "T", "P", "E"):
        if number % 10 ** _DECIMAL[suffix] == 0:
            decimal = f"{number // 10 ** _DECIMAL[suffix]}{suffix}"
    return binary if len(binary) <= len(decimal) else decimal


def in_bytes(resource: str) -> bool:
    """Whether the resource is an amount of bytes."""
    return resource in ("memory", "ephemeral-storage", "storage") or resource.startswith("hugepages-")


_ACCELERATORS = (
    "nvidia.com/gpu",
    "nvidia.com/mig-",
    "nvidia.com/",
    "amd.com/",
    "gpu.intel.com/",
    "habana.ai/",
    "google.com/tpu",
    "aws.amazon.com/neuron",
)


def is_accelerator(resource: str) -> bool:
    """Whether the resource is a GPU or the like, as vendors' device plugins name them (Q45)."""
    return resource.startswith(_ACCELERATORS)


def display_order(resource: str) -> tuple[int, str]:
    """Sort key of resource names: accelerators, CPU, memory, then the rest by name."""
    for i, prefix in enumerate(_ACCELERATORS):
        if resource.startswith(prefix):
            return i, resource
    rank = {"cpu": 1, "memory": 2, "ephemeral-storage": 4}.get(resource, 3)
    return len(_ACCELERATORS) + rank, resource
