"""What the terminal can show."""

from __future__ import annotations

import os
import sys
from itertools import islice
from typing import TYPE_CHECKING

from kartatest.source import Json

if TYPE_CHECKING:
    from kartatest.report.style import Style

_CHUNKS = 50_000
"""Pieces of JSON that are written at once."""


def style(*, ascii_only: bool = False) -> Style:
    """Line-drawing characters where stdout's encoding has them; colours on a terminal, unless NO_COLOR is set."""
    from kartatest.report.style import Style

    return Style(unicode=not ascii_only and _draws(), color=colors())


def colors() -> bool:
    """Whether stdout takes colours: a terminal that is not dumb, and NO_COLOR is unset or empty."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def write(text: str) -> None:
    """Text to stdout; characters that its encoding lacks are written as escapes."""
    encoding = sys.stdout.encoding or "ascii"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))


def write_json(value: Json) -> None:
    """A value as JSON to stdout, ASCII only where stdout is not UTF-8."""
    import json

    utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    chunks = json.JSONEncoder(indent=2, ensure_ascii=not utf8).iterencode(value)
    while some := list(islice(chunks, _CHUNKS)):  # all of them at once are ten times the text
        write("".join(some))
    write("\n")


def _draws() -> bool:
    try:
        "├└│─".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
