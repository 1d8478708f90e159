"""How two goldens differ."""

from __future__ import annotations

from difflib import unified_diff


def diff(old: str, new: str, name: str) -> str:
    """A unified diff from the text on disk to the text of now; "" when they are alike. Ends with a line break."""
    if old == new:
        return ""
    lines = unified_diff(old.splitlines(), new.splitlines(), f"{name} (on disk)", f"{name} (now)", lineterm="")
    return "".join(f"{line}\n" for line in lines) or f"{name}: only line breaks at the end differ\n"
