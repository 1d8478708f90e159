"""Goldens: the text of what a definition reads in a recording, kept beside it and read in diffs."""

from __future__ import annotations

from kartatest.golden.compare import diff as diff
from kartatest.golden.text import text as text

__all__ = ["diff", "text"]
