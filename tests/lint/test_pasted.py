"""Snippets as newcomers paste them: each line with a fault ends in a comment that names the codes it must get."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kartatest.lint.engine import lint
from kartatest.source import Source

FILES = sorted((Path(__file__).parent / "pasted").glob("*.yaml"))
MARK = re.compile(r"#((?: KT\d{3})+)$")


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_each_marked_line_gets_its_codes_and_no_other_does(path: Path) -> None:
    source = Source(path.name, path.read_text("utf-8"))
    lines = source.text.splitlines()
    wanted = {(i, code) for i, line in enumerate(lines, 1) if (m := MARK.search(line)) for code in m[1].split()}
    assert wanted
    assert {(source.position(d.span.start)[0], d.code) for d in lint(source)} == wanted
