"""What the terminal can show."""

from __future__ import annotations

import os
import sys

from kartatest.report.tree import Style


def style(*, ascii_only: bool = False) -> Style:
    """Line-drawing characters where stdout's encoding has them; colours on a terminal, unless NO_COLOR is set."""
    return Style(unicode=not ascii_only and _draws(), color=colors())


def colors() -> bool:
    """Whether stdout takes colours: a terminal that is not dumb, and NO_COLOR is unset or empty."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _draws() -> bool:
    try:
        "├└│─".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
