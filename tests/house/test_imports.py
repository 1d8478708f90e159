"""Imports point up the list: each part of kartatest may import only what stands above it."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "kartatest"

# A part and what of ours it may import beside itself and the first two rows.
FIRST_TWO = {"source", "errors", "diagnostics", "value"}
MAY_IMPORT: dict[str, set[str]] = {
    "source": set(),
    "errors": set(),
    "data": set(),
    "value": set(),
    "diagnostics": {"source", "value"},
    "yamlpos": FIRST_TWO,
    "jq": FIRST_TWO,
    "schema": FIRST_TWO | {"yamlpos", "data"},
    "infer": FIRST_TWO | {"jq", "schema"},
    "definition": FIRST_TWO | {"yamlpos", "jq", "data"},
    "catalog": FIRST_TWO | {"yamlpos", "definition", "data"},
    "recording": FIRST_TWO | {"yamlpos"},
    "resolve": FIRST_TWO | {"definition", "jq"},
    "gang": FIRST_TWO | {"definition", "jq", "resolve"},
    "edit": FIRST_TWO | {"definition", "jq", "resolve", "schema", "yamlpos"},
    "lint": FIRST_TWO | {"definition", "schema", "jq", "infer", "yamlpos", "data", "recording"},
    "matrix": FIRST_TWO | {"definition", "schema", "jq", "infer", "lint"},
    "replay": FIRST_TWO | {"resolve", "recording", "definition", "catalog", "jq", "gang"},
    "why": FIRST_TWO | {"resolve", "recording", "definition", "jq"},
    "golden": FIRST_TWO | {"resolve", "recording", "definition", "replay"},
    "cluster": FIRST_TWO
    | {"recording", "definition", "catalog", "schema", "resolve", "replay", "golden", "data", "yamlpos"},
    "report": FIRST_TWO | {"cluster", "matrix", "resolve", "recording", "replay", "gang"},
}
# Methods of a value that lead to what works on it, for those who hold one: imported only while they run.
DOORS: dict[str, set[str]] = {"kartatest/definition/model.py": {"resolve", "edit"}}
FREE = {"cli", "pytest_plugin", "__init__", "__main__"}


def part(module: Path) -> str:
    return module.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(module: Path) -> set[tuple[str, int]]:
    """Parts of kartatest that a module imports, anywhere in its text, with the line."""
    found = set()
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names = [node.module] if node.module != "kartatest" else [f"kartatest.{a.name}" for a in node.names]
        elif isinstance(node, ast.Import):
            names = [a.name for a in node.names]
        assert not (isinstance(node, ast.ImportFrom) and node.level), f"{module}:{node.lineno}: relative import"
        found |= {(name.split(".")[1], node.lineno) for name in names if name.startswith("kartatest.")}
    return found


MODULES = sorted(PACKAGE.rglob("*.py"))


def test_every_part_is_in_the_table() -> None:
    assert {part(m) for m in MODULES} - FREE == {
        p for p in MAY_IMPORT if (PACKAGE / p).exists() or (PACKAGE / f"{p}.py").exists()
    }


@pytest.mark.parametrize("module", MODULES, ids=lambda m: str(m.relative_to(ROOT)))
def test_imports_point_up(module: Path) -> None:
    mine = part(module)
    if mine in FREE:
        return
    doors = DOORS.get(str(module.relative_to(ROOT)), set())
    first = imported_first(module)
    wrong = {
        (name, line)
        for name, line in imported(module)
        if name not in MAY_IMPORT[mine] | {mine} and (name not in doors or (name, line) in first)
    }
    assert not wrong, f"{mine} may not import {sorted(wrong)}"


def imported_first(module: Path) -> set[tuple[str, int]]:
    """Of what a module imports, what is imported with it: outside of functions, and not for the type checker alone."""
    tree = ast.parse(module.read_text("utf-8"))
    later = [n for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]
    later += [n for n in tree.body if isinstance(n, ast.If) and ast.unparse(n.test) == "TYPE_CHECKING"]
    lines = {x.lineno for n in later for x in ast.walk(n) if isinstance(x, (ast.Import, ast.ImportFrom))}
    return {(name, line) for name, line in imported(module) if line not in lines}


@pytest.mark.parametrize("module", DOORS)
def test_doors_are_used(module: str) -> None:
    """A door leads through functions of a class, to each part it is listed for."""
    found = {name for name, _ in imported(ROOT / module) - imported_first(ROOT / module)}
    assert DOORS[module] <= found
    code = f"import sys, {module.removesuffix('.py').replace('/', '.')}\nprint(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True).stdout
    assert not {f"kartatest.{name}" for name in DOORS[module]} & set(loaded.split())


PRINTS = {"print"}


@pytest.mark.parametrize("module", [m for m in MODULES if part(m) not in FREE], ids=lambda m: str(m.relative_to(ROOT)))
def test_only_the_faces_print_and_exit(module: Path) -> None:
    tree = ast.parse(module.read_text("utf-8"))
    guarded = [n for n in tree.body if isinstance(n, ast.If) and "__name__" in ast.dump(n.test)]
    skip = {id(x) for g in guarded for x in ast.walk(g)}
    mains = {id(x) for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "main" for x in ast.walk(n)}
    for node in ast.walk(tree):
        if id(node) in skip or id(node) in mains:
            continue
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in PRINTS, f"{module}:{node.lineno}: only cli and pytest_plugin print"
        if isinstance(node, ast.Attribute) and node.attr == "exit" and isinstance(node.value, ast.Name):
            assert node.value.id != "sys", f"{module}:{node.lineno}: only cli and pytest_plugin choose exit codes"


def test_modules_stay_small() -> None:
    long = {str(m.relative_to(ROOT)): n for m in MODULES if (n := len(m.read_text("utf-8").splitlines())) > 400}
    assert not long, f"past 400 lines, look for a seam: {long}"
