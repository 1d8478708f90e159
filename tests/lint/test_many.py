"""What is large or odd is checked in time that grows with it, not with its square."""

from __future__ import annotations

import copy
import os
from pathlib import Path
from time import process_time
from typing import Any

import pytest
import yaml

from kartatest.cli import main
from kartatest.jq import shape
from kartatest.lint.engine import lint
from kartatest.lint.files import definition_files
from kartatest.source import Source

JOBSET = Path(__file__).parents[2] / "catalog" / "jobset-x-k8s-io-jobset-v1alpha2.yaml"


def conditions(structure: dict[str, Any]) -> None:
    matchers = [{"byConditions": [{"type": f"T{i}", "status": "True"}]} for i in range(2000)]
    structure["rootComponent"]["statusDefinition"]["statusMappings"] = {"running": matchers}


def owners(structure: dict[str, Any]) -> None:
    child = structure["childComponents"][0]
    structure["childComponents"] = [
        copy.deepcopy(child) | {"name": f"c{i}", "ownerRef": f"c{i - 1}" if i else "jobset"} for i in range(300)
    ]


def expressions(structure: dict[str, Any]) -> None:
    matchers = [{"byExpression": {"expression": f'.status.a{i} == "x"', "expectedResult": "true"}} for i in range(1500)]
    structure["rootComponent"]["statusDefinition"]["statusMappings"]["running"] = matchers


def beside(structure: dict[str, Any]) -> None:
    owners(structure)
    for child in structure["childComponents"]:
        child["ownerRef"] = "jobset"


@pytest.mark.parametrize("enlarge", [conditions, owners, expressions, beside])
def test_large_definitions(enlarge: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    definition = yaml.safe_load(JOBSET.read_text("utf-8"))
    enlarge(definition["spec"]["structureDefinition"])
    file = tmp_path / "large.yaml"
    file.write_text(yaml.safe_dump(definition, sort_keys=False), "utf-8")
    before = process_time()
    assert main(["lint", str(file), "--statistics"]) in (0, 1)
    assert process_time() - before < 12  # a square took minutes
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("enlarge", [owners, beside])
def test_a_path_is_read_once_however_many_components_are_compared(
    enlarge: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    definition = yaml.safe_load(JOBSET.read_text("utf-8"))
    enlarge(definition["spec"]["structureDefinition"])
    calls = 0
    original = shape.plain_path

    def counted(tree: Any) -> Any:
        nonlocal calls
        calls += 1
        return original(tree)

    monkeypatch.setattr(shape, "plain_path", counted)
    lint(Source("large.yaml", yaml.safe_dump(definition, sort_keys=False)))
    assert 0 < calls < 30_000  # comparing each with each read it hundreds of thousands of times


def test_a_pipe_in_a_folder_is_no_definition(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("kind: Karta\n", "utf-8")
    os.mkfifo(tmp_path / "b.yaml")
    assert list(definition_files([tmp_path])) == [tmp_path / "a.yaml"]


def test_a_link_to_nothing_in_a_folder_is_passed_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.yaml").write_text(JOBSET.read_text("utf-8"), "utf-8")
    (tmp_path / "b.yaml").symlink_to(tmp_path / "gone.yaml")
    (tmp_path / "c.yaml").symlink_to(tmp_path / "c.yaml")
    assert main(["lint", str(tmp_path), "--fixtures", str(tmp_path)]) == 0
    told = capsys.readouterr().err
    assert [name for name in ("a.yaml", "b.yaml", "c.yaml") if f"{name}: what it links to" in told] == [
        "b.yaml",
        "c.yaml",
    ]
    assert main(["lint", str(tmp_path / "b.yaml")]) == 2
