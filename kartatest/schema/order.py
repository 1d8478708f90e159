"""Releases in the order in which they came out."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NUMBERS = re.compile(r"\d+(?:-\d\d-\d\d)|\d+(?:\.\d+)*")
_PIECE = re.compile(r"\d+|[A-Za-z]+")

Key = tuple[tuple[int, ...], bool, tuple[tuple[int, int | str], ...], str]


def key(tag: str) -> Key:
    """What to sort a tag by: its numbers, then what stands behind them; a release comes after its own candidates.

    v0.8.2 < v0.10.1, v1.0.0-rc.1 < v1.0.0, main-2025-08-20 < main-2026-04-24; a tag without a number comes first.
    """
    found = _NUMBERS.search(tag)
    if found is None:
        return ((), False, (), tag)
    numbers = tuple(int(n) for n in re.findall(r"\d+", found[0]))
    behind = tag[found.end() :].partition("+")[0]
    pieces: list[tuple[int, int | str]] = [(0, int(p)) if p.isdecimal() else (1, p) for p in _PIECE.findall(behind)]
    return (numbers, not pieces, tuple(pieces), tag)


def in_order(tags: Iterable[str]) -> tuple[str, ...]:
    """Each tag once, oldest first."""
    return tuple(sorted(set(tags), key=key))


def same(one: str, other: str) -> bool:
    """Whether two tags name one release although they are spelled differently: 1.7.0, v1.7.0, ray-v1.7.0."""
    numbers, *behind = key(one)[:3]
    return bool(numbers) and (numbers, *behind) == key(other)[:3]
