"""Regular expressions: whether one that is written down is one of RE2's, so that using it cannot fail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kartatest.infer.lattice import NULL, STRING, Value
from kartatest.jq.shape import words

PATTERNED: Final = words("test match capture scan split splits sub gsub")
"""Functions of a regular expression and perhaps flags; `split` with flags alone."""


def compiles(given: Sequence[Value]) -> bool:
    """Whether a pattern, and the flags behind it if there are any, are constants that no engine refuses."""
    pattern = given[0]
    if pattern.kinds != STRING or pattern.consts is None:
        return False
    for flags in given[1:]:
        if flags.kinds & ~(STRING | NULL) or (flags.kinds & STRING and flags.consts is None):
            return False
        if any(set(str(text)) - {"g", "i"} for text in flags.consts or ()):
            return False
    return all(_is_regex(str(text)) for text in pattern.consts)


def _is_regex(text: str) -> bool:
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        re2.compile(text, options)
    except re2.error:
        return False
    return True
