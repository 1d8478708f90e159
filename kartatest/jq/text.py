"""A tree back to text (stub)."""

from __future__ import annotations

from kartatest.jq.ast import Ast


def to_text(tree: Ast) -> str:
    """The canonical text of a tree."""
    raise NotImplementedError
