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
from kartatest.lint.files import definition_files

JOBSET = Path(__file__).parents[2] / "catalog" / "jobset-x-k8s-io-jobset-v1alpha2.yaml"


def conditions(structure: dict[str, Any]) -> None:
    matchers = [{"byConditions": [{"type": f"T{i}", "status": "True"}]} for i in range(2000)]
    structure["rootComponent"]["statusDefinition"]["statusMappings"] = {"running": matchers}


def owners(structure: dict[str, Any]) -> None:
    child = structure["childComponents"][0]
    structure["childComponents"] = [
        copy.deepcopy(child) | {"name": f"c{i}", "ownerRef": f"c{i - 1}" if i else "jobset"} for i in range(120)
    ]


@pytest.mark.parametrize("enlarge", [conditions, owners])
def test_large_definitions(enlarge: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    definition = yaml.safe_load(JOBSET.read_text("utf-8"))
    enlarge(definition["spec"]["structureDefinition"])
    file = tmp_path / "large.yaml"
    file.write_text(yaml.safe_dump(definition, sort_keys=False), "utf-8")
    before = process_time()
    assert main(["lint", str(file), "--statistics"]) in (0, 1)
    assert process_time() - before < 12  # a square took minutes
    assert capsys.readouterr().err == ""


def test_a_pipe_in_a_folder_is_no_definition(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("kind: Karta\n", "utf-8")
    os.mkfifo(tmp_path / "b.yaml")
    assert list(definition_files([tmp_path])) == [tmp_path / "a.yaml"]
