"""karta lint --crds and --crd-version: which types expressions are checked against."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from kartatest.cli import main

RULES = Path(__file__).parents[1] / "lint" / "rules"
CRD = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "rigs.example.io"},
    "spec": {
        "group": "example.io",
        "names": {"kind": "Rig", "plural": "rigs"},
        "scope": "Namespaced",
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "schema": {
                    "openAPIV3Schema": {
                        "type": "object",
                        "properties": {
                            "spec": {
                                "type": "object",
                                "properties": {
                                    "count": {"type": "integer", "default": 2},
                                    "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
                                },
                            }
                        },
                    }
                },
            }
        ],
    },
}


def definition(folder: Path, expression: str) -> str:
    file = folder / "example-io-rig-v1.yaml"
    matcher = {"byExpression": {"expression": expression, "expectedResult": "true"}}
    root = {
        "name": "rig",
        "kind": {"group": "example.io", "version": "v1", "kind": "Rig"},
        "statusDefinition": {"statusMappings": {"running": [matcher]}},
    }
    text = {
        "apiVersion": "run.ai/v1alpha1",
        "kind": "Karta",
        "metadata": {"name": "example-io-rig-v1"},
        "spec": {"structureDefinition": {"rootComponent": root}},
    }
    file.write_text(yaml.safe_dump(text), "utf-8")
    return str(file)


@pytest.fixture
def crds(tmp_path: Path) -> str:
    folder = tmp_path / "crds"
    folder.mkdir()
    (folder / "rigs.yaml").write_text(yaml.safe_dump(CRD), "utf-8")
    return str(folder)


def test_a_crd_of_ones_own(tmp_path: Path, crds: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = definition(tmp_path, "(.spec.cuont // 2) > 1")
    assert main(["lint", file]) == 0, "nobody knows the kind"
    assert main(["lint", file, "--crds", crds]) == 1
    out = capsys.readouterr().out
    assert "Rig (rigs.example.io) has no `.spec.cuont`" in out
    assert "did you mean 'count'?" in out
    assert main(["lint", definition(tmp_path, '.spec.free.any == "x"'), "--crds", crds]) == 0


def test_another_release(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["lint", str(RULES / "KT241" / "bad.yaml"), "--fixtures", str(tmp_path), "--fail-on", "warning"]
    assert main(call) == 1
    assert "until v2.0.1" in capsys.readouterr().out
    assert main([*call, "--crd-version", "v2.0.1"]) == 0


def test_a_release_that_nobody_has(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", str(RULES / "KT241" / "bad.yaml"), "--crd-version", "v99.0.0"]) == 2
    assert "no kind is known in that release" in capsys.readouterr().err


def test_a_folder_without_crds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    assert main(["lint", str(RULES / "KT241" / "bad.yaml"), "--crds", str(tmp_path / "empty")]) == 2
    assert "no CRD" in capsys.readouterr().err
