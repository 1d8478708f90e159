"""Printed text against the file that keeps it; `pytest --karta-update` writes the file."""

from __future__ import annotations

from pathlib import Path

import pytest


def check(expected: Path, printed: str, config: pytest.Config) -> None:
    """Fails where the text differs from the file's."""
    if config.getoption("--karta-update", default=False):
        expected.write_text(printed, "utf-8")
    assert printed == expected.read_text("utf-8")
