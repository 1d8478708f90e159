"""What docs/library.md shows does what it says: its blocks run one after another, and print what stands beside them."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import kartatest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "library.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.S)


def said(code: str) -> list[str]:
    """The lines that a block says it prints: behind `print(...)`, or as comments below a loop that prints."""
    lines = code.splitlines()
    found: list[str] = []
    for number, line in enumerate(lines):
        if match := re.match(r"\s*print\(.*\)  # (.*)$", line):
            found.append(match[1])
        elif re.match(r"\s+print\(.*\)$", line):
            for below in lines[number + 1 :]:
                if not below.startswith("# "):
                    break
                found.append(below[2:])
    return found


def test_examples_print_what_they_say(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT / "tests" / "house" / "library")
    names: dict[str, Any] = {}
    assert len(BLOCKS) >= 7
    for code in BLOCKS:
        assert said(code)
        exec(compile(code, PAGE.name, "exec"), names)
        assert capsys.readouterr().out.splitlines() == said(code), code


def test_the_cluster_takes_ten_lines() -> None:
    (code,) = [code for code in BLOCKS if "cluster.json" in code]
    assert len([line for line in code.splitlines() if line.strip()]) <= 10


def test_the_table_names_what_is_there() -> None:
    table = re.findall(r"^\| `(kartatest\.[a-z_.]+)\(", PAGE.read_text("utf-8"), re.M)
    assert len(table) >= 6
    for name in table:
        found: Any = kartatest
        for part in name.split(".")[1:]:
            found = getattr(found, part)
        assert callable(found)


def test_the_editor_has_every_method_of_the_table() -> None:
    from kartatest.edit.editor import Editor

    rows = PAGE.read_text("utf-8").partition("| method | sets |")[2].partition("\n\n")[0]
    named = set(re.findall(r"`([a-z_]+)", rows))
    public = {name for name, member in vars(Editor).items() if not name.startswith("_") and callable(member)}
    assert named == public - {"set_pods"}


@pytest.mark.parametrize("file", ["kartatest/__init__.py", "kartatest/edit/editor.py"])
def test_what_is_public_has_a_docstring(file: str) -> None:
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    nodes = [n for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.ClassDef)) and n.name[0] != "_"]
    assert nodes
    assert [n.name for n in nodes if not ast.get_docstring(n)] == []


def test_importing_is_quick() -> None:
    """What `import kartatest` costs beside Python itself, in seconds of this process; the best of some runs."""
    code = "import time; t = time.process_time(); import kartatest; print(time.process_time() - t)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(7)]
    assert min(float(run.stdout) for run in runs) < 0.030
