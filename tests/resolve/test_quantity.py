"""Kubernetes quantities: read exactly, written canonically."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kartatest.resolve.quantity import QuantityError, display_order, parse, to_text

READ = {
    "0": 0,
    "2": 2,
    "+2": 2,
    "-2": -2,
    "1.5": Fraction(3, 2),
    ".5": Fraction(1, 2),
    "5.": 5,
    "500m": Fraction(1, 2),
    "250u": Fraction(1, 4000),
    "3n": Fraction(3, 10**9),
    "1k": 1000,
    "2M": 2 * 10**6,
    "3G": 3 * 10**9,
    "4T": 4 * 10**12,
    "5P": 5 * 10**15,
    "6E": 6 * 10**18,
    "1Ki": 2**10,
    "1.5Mi": 3 * 2**19,
    "64Gi": 2**36,
    "1Ti": 2**40,
    "1Pi": 2**50,
    "1Ei": 2**60,
    "1e3": 1000,
    "1E3": 1000,
    "1e+3": 1000,
    "12e-3": Fraction(12, 1000),
    "0.1n": Fraction(1, 10**9),  # finer than the format: up
    "-0.1n": Fraction(-1, 10**9),
    "9Ei": 2**63 - 1,  # binary amounts are capped
    "0.3Ki": Fraction(3072, 10),
}


@pytest.mark.parametrize("text", READ)
def test_reads(text: str) -> None:
    assert parse(text) == READ[text]


@pytest.mark.parametrize(
    ("number", "amount"), [(2, 2), (0.5, Fraction(1, 2)), (1e21, 10**21), (1e-7, Fraction(1, 10**7))]
)
def test_reads_numbers(number: float, amount: Fraction) -> None:
    assert parse(number) == amount


@pytest.mark.parametrize(
    "value",
    ["", ".", "-", "m", "Gi", "1K", "1ki", "1 Gi", " 1", "1 ", "1e", "1ee3", "1e1.5", "1MiB", "1GB", "0x1", "1_000",
     "١", "1e999", "1" * 300, "1\n", "NaN", "inf", True, None, [], {}, float("nan"), float("inf"), 10**400],
)  # fmt: skip
def test_refuses(value: Any) -> None:
    with pytest.raises(QuantityError):
        parse(value)


WRITTEN = [
    ("cpu", Fraction(1, 2), "500m"),
    ("cpu", Fraction(8), "8"),
    ("cpu", Fraction(1500), "1500"),
    ("cpu", Fraction(1, 3), "333333334n"),
    ("cpu", Fraction(1, 4000), "250u"),
    ("memory", Fraction(2**30), "1Gi"),
    ("memory", Fraction(3 * 2**29), "1536Mi"),
    ("memory", Fraction(0), "0"),
    ("memory", Fraction(70 * 10**6), "70M"),
    ("memory", Fraction(128 * 10**9), "128G"),
    ("memory", Fraction(1000), "1k"),
    ("memory", Fraction(1001), "1001"),
    ("memory", Fraction(1, 2), "500m"),
    ("hugepages-2Mi", Fraction(2**21), "2Mi"),
    ("ephemeral-storage", Fraction(2**31), "2Gi"),
    ("nvidia.com/gpu", Fraction(2048), "2048"),
    ("cpu", Fraction(-1, 2), "-500m"),
]


@pytest.mark.parametrize(("resource", "amount", "text"), WRITTEN)
def test_writes(resource: str, amount: Fraction, text: str) -> None:
    assert to_text(resource, amount) == text


@given(
    st.sampled_from(["cpu", "memory", "nvidia.com/gpu"]),
    st.integers(-(10**18), 10**18),
    st.sampled_from([1, 10**3, 10**6, 10**9]),
)
def test_what_is_written_reads_back(resource: str, number: int, parts: int) -> None:
    amount = Fraction(number, parts)
    assert parse(to_text(resource, amount)) == amount


@given(st.text(alphabet="0123456789.+-eEinumkKMGTP", max_size=12))
def test_reads_or_refuses(text: str) -> None:
    try:
        amount = parse(text)
    except QuantityError as error:
        shown = str(error)
    else:
        shown = to_text("cpu", amount)
        assert parse(shown) == amount
    assert shown


def test_accelerators_come_first() -> None:
    names = ["rdma/hca", "memory", "amd.com/gpu", "cpu", "nvidia.com/mig-1g.5gb", "ephemeral-storage", "nvidia.com/gpu"]
    assert sorted(names, key=display_order) == [
        "nvidia.com/gpu",
        "nvidia.com/mig-1g.5gb",
        "amd.com/gpu",
        "cpu",
        "memory",
        "rdma/hca",
        "ephemeral-storage",
    ]
