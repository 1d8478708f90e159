"""docs/differences.md is made of docs/differences.yaml; `pytest --karta-update` writes it."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
import yaml

DOCS = Path(__file__).parents[2] / "docs"
HEAD = """# Where karta reads otherwise than the Go implementation

Consumers link a Go library that reads definitions. `karta` reads as it does, except where this page says so: the
left column is what the library does, the right one what karta does instead. `tests/resolve/test_reference.py` compares
the two on every catalog definition, on generated ones, valid and broken, and on generated and recorded objects; a
difference that is not in this table fails it. So do `tests/edit/test_reference.py` for edits, and
`tests/gang/test_catalog_reference.py` for whose a pod is and how many have to start together. Keys Q01-Q60 are numbered
quirks of the format; the others have names.
"""


def page(entries: list[dict[str, Any]]) -> str:
    """The page: one table per part, in the order of the parts' first entries."""
    parts = list(dict.fromkeys(e["part"] for e in entries))
    ordered = sorted(entries, key=lambda e: parts.index(e["part"]))
    text = HEAD
    for part, rows in groupby(ordered, key=lambda e: e["part"]):
        text += f"\n## {part[0].upper()}{part[1:]}\n\n| key | the Go library | karta |\n| --- | --- | --- |\n"
        text += "".join(f"| {r['key']} | {r['theirs']} | {r['ours']} |\n" for r in rows)
    return text


def test_page_is_made_of_the_table(pytestconfig: pytest.Config) -> None:
    entries = yaml.safe_load((DOCS / "differences.yaml").read_text("utf-8"))
    keys = [e["key"] for e in entries]
    assert len(keys) == len(set(keys))
    wanted = page(entries)
    target = DOCS / "differences.md"
    if pytestconfig.getoption("--karta-update", default=False):
        target.write_text(wanted, "utf-8")
    assert target.read_text("utf-8") == wanted
