"""Rules on long and bushy expressions: they end soon, and never for want of stack."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest

from kartatest.lint.engine import lint
from kartatest.source import Source

TEXT = (Path(__file__).parent / "rules" / "KT404" / "bad.yaml").read_text("utf-8")
WORD = "'.status.startTime'"

PROGRAMS = {
    "path": ".a" * 150,
    "iterations": ".a" + "[]" * 150,
    "pipe": ".a" + " | .a" * 150,
    "sum": "1" + " + 1" * 150,
    "both": ".a" + " and .status.a == .status.b" * 60,
    "defaults": ".a" + " // .a" * 150,
    "several": ".a" + ", .a" * 150,
    "doubling": "(.a, .b)" + " | (.a, .b)" * 60,
    "branches": "if .a then 1 " + "elif .b then 2 " * 60 + "else 3 end",
    "bindings": ". as $x | " * 60 + "$x",
    "functions": "def f0: .;" + "".join(f" def f{i}: f{i - 1}, f{i - 1};" for i in range(1, 60)) + " f59",
    "brackets": "[" * 60 + "]" * 60,
    "guards": "(.status.a | length) > 0" + " and any(.status.a[]; .b)" * 60,
    "label": ".metadata.labels." + "a.b/c-" * 60 + "d",
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_large_programs_are_checked_soon(program: str) -> None:
    assert WORD in TEXT
    start = process_time()
    found = lint(Source("large.yaml", TEXT.replace(WORD, f"'{program}'")))
    assert "KT002" not in {d.code for d in found}, "it was not even parsed"
    assert process_time() - start < 5
