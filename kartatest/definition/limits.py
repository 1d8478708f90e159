"""Limits of those who read definitions and place pods, with what says so."""

from __future__ import annotations

from typing import NamedTuple


class Limit(NamedTuple):
    """So many are taken, by releases of that time."""

    most: int
    since: str = ""


POD_SETS = (Limit(8), Limit(10, "May 2026"), Limit(18, "July 2026"))
"""Sets of equal pods that one workload may have in Kueue (pull requests 11388 and 12819 of kubernetes-sigs/kueue)."""


def too_many_pod_sets(sets: int) -> str:
    """Why a queue may refuse a workload with so many sets of equal pods; "" where every release takes it."""
    if sets <= POD_SETS[0].most:
        return ""
    first, *later = POD_SETS
    taken = " and ".join(f"{limit.most} since {limit.since}" for limit in later)
    return f"Kueue takes {first.most}, {taken}"
