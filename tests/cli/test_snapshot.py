from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kartatest.cli import main

RIG = Path(__file__).parents[1] / "rig"


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(RIG, tmp_path / "rig")
    monkeypatch.chdir(tmp_path / "rig")
    monkeypatch.delenv("CI", raising=False)
    return tmp_path / "rig"


def run(command: str, *paths: str) -> int:
    return main(["snapshot", command, *paths, "--definition", "trainrig.yaml"])


def test_check_diff_update(rig: Path, capsys: pytest.CaptureFixture[str]) -> None:
    golden = rig / "fixtures" / "v1.2.0-completed.golden"
    assert run("check") == 0
    assert capsys.readouterr().out == ""
    golden.write_text(golden.read_text("utf-8").replace("replicas 2", "replicas 3"), "utf-8")
    assert run("check", "fixtures") == 1
    assert capsys.readouterr().out == "differs  fixtures/v1.2.0-completed.golden\n"
    assert run("diff") == 1
    assert "-  worker: replicas 3\n+  worker: replicas 2\n" in capsys.readouterr().out
    assert run("update") == 0
    assert capsys.readouterr().out == "changed  fixtures/v1.2.0-completed.golden\n"
    assert run("diff") == 0
    golden.unlink()
    assert run("check") == 1
    assert capsys.readouterr().out == "missing  fixtures/v1.2.0-completed.golden\n"
    assert run("update") == 0
    assert golden.read_bytes() == (RIG / "fixtures" / golden.name).read_bytes()


def test_no_update_in_ci(rig: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("CI", "true")
    (rig / "fixtures" / "v1.2.0-completed.golden").unlink()
    assert run("update") == 2
    assert "CI is set" in capsys.readouterr().err
    assert not list(rig.rglob("v1*.golden"))


def test_prune(rig: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stale = rig / "fixtures" / "v0.9.0-old.golden"
    stale.write_text("old\n", "utf-8")
    assert main(["snapshot", "prune"]) == 1
    assert capsys.readouterr().out == "stale  fixtures/v0.9.0-old.golden\n"
    assert stale.exists()
    assert main(["snapshot", "prune", "fixtures", "--yes"]) == 0
    assert not stale.exists()
    assert (rig / "fixtures" / "v1.2.0-completed.golden").exists()
    assert main(["snapshot", "prune"]) == 0


def test_a_broken_recording_fails_even_when_goldens_fit(rig: Path) -> None:
    (rig / "fixtures" / "v2.yaml").write_text("frames: 1\n", "utf-8")
    assert run("check") == 1


def test_nothing_to_compare(rig: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (rig / "empty").mkdir()
    assert run("check", "empty") == 4
    assert main(["snapshot", "prune", "empty"]) == 4
    assert run("check", "-") == 2
    shutil.rmtree(rig / "fixtures")
    assert run("check") == 2
    assert "there is no folder fixtures here" in capsys.readouterr().err
