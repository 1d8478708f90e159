"""karta set, suspend and resume, run in process: what they print, write and refuse."""

from __future__ import annotations

import json
import shutil
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
import yaml

from kartatest.cli import main
from tests import outputs

HERE = Path(__file__).parent / "edit"
RIG = Path(__file__).parents[1] / "rig"
DIFFS = {
    "suspend": ["suspend"],
    "set": [
        *("set", "--scheduler-name", "kai-scheduler", "--image", "main=new:2"),
        *("--label", "team=vision", "--label", "a-"),
    ],
    "set-one": [
        *("set", "--instance", "workers", "--container", "side", "--clear", "priority-class"),
        *("--request", "nvidia.com/gpu=4", "--limit", "nvidia.com/gpu=4"),
    ],
    "set-files": ["set", "--component", "replicatedjob", "--patch", "patch.yaml", "--node-affinity", "affinity.yaml"],
}


@pytest.fixture
def jobset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for file in HERE.glob("*.yaml"):
        shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "jobset.yaml"


@pytest.mark.parametrize("name", DIFFS)
def test_diff(name: str, jobset: Path, capsys: pytest.CaptureFixture[str], pytestconfig: pytest.Config) -> None:
    before = jobset.read_text("utf-8")
    assert main([*DIFFS[name], "-f", "jobset.yaml"]) == 0
    out, err = capsys.readouterr()
    outputs.check(HERE / f"{name}.out", out, pytestconfig)
    assert err == ""
    assert jobset.read_text("utf-8") == before


@pytest.mark.parametrize("name", DIFFS)
def test_the_object_is_printed_with_its_comments(name: str, jobset: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*DIFFS[name], "-f", "jobset.yaml", "-o", "yaml"]) == 0
    text = capsys.readouterr().out
    assert "# nightly training" in text
    assert main([*DIFFS[name], "-f", "jobset.yaml", "-o", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == yaml.safe_load(text)
    assert "9007199254740993" in text
    assert main([*DIFFS[name], "-f", "jobset.yaml", "--in-place"]) == 0
    assert capsys.readouterr() == ("", "")
    assert jobset.read_text("utf-8") == text
    assert [p.name for p in jobset.parent.iterdir() if p.name.startswith(".")] == []
    assert main([*DIFFS[name], "-f", "jobset.yaml"]) == 0
    assert capsys.readouterr() == ("", "karta: nothing to change\n")


def test_resume_with_what_was_before(jobset: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = jobset.read_text("utf-8")
    shutil.copy(jobset, "before.yaml")
    jobset.chmod(0o640)
    assert main(["suspend", "-f", "jobset.yaml", "--in-place"]) == 0
    assert main(["resume", "-f", "jobset.yaml"]) == 0
    assert "-  suspend: true\n+  suspend: false\n" in capsys.readouterr().out
    assert main(["resume", "-f", "jobset.yaml", "--before", "before.yaml", "--in-place"]) == 0
    assert jobset.read_text("utf-8") == before
    assert jobset.stat().st_mode & 0o777 == 0o640


def test_resume_with_a_recording(jobset: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = jobset.read_text("utf-8")
    main(["suspend", "-f", "jobset.yaml", "--in-place"])
    second = jobset.read_text("utf-8")
    Path("watch.yaml").write_text(first.replace("replicas: 2", "replicas: 9") + "---\n" + first + "---\n" + second)
    assert main(["resume", "-f", "jobset.yaml", "--before", "watch.yaml", "--in-place"]) == 0
    assert jobset.read_text("utf-8") == first
    Path("watch.yaml").write_text(second)
    capsys.readouterr()
    assert main(["resume", "-f", "jobset.yaml", "--before", "watch.yaml"]) == 4
    assert "is suspended already" in capsys.readouterr().err
    Path("watch.yaml").write_text(first.replace("name: train", "name: other"))
    assert main(["resume", "-f", "jobset.yaml", "--recording", "watch.yaml"]) == 4
    assert "there is no earlier state of jobset.x-k8s.io/v1alpha2 JobSet 'train'" in capsys.readouterr().err


REFUSED = {
    "neither scheduler nor label": (["set"], "there is nothing to set"),
    "no container": (["set", "--image", "x"], "instance 'workers': the patch names no container"),
    "no instance": (["set", "--label", "a=b", "--instance", "typo"], "there is no instance 'typo'"),
    "no component": (["set", "--label", "a=b", "--component", "typo"], "there is no component 'typo'"),
    "no quantity": (["set", "--request", "cpu=4x", "--container", "main"], "unknown suffix 'x'"),
    "no pair": (["set", "--label", "a"], "--label 'a' is no K=V"),
    "twice": (["set", "--label", "a=b", "--label", "a=c"], "--label gives 'a' twice"),
    "no key": (["set", "--label", "=c"], "has no key"),
    "images": (["set", "--image", "main="], "is no [CONTAINER=]IMAGE"),
    "set and cleared": (["set", "--scheduler-name", "a", "--clear", "scheduler-name"], "contradict each other"),
    "patch": (["set", "--patch", "affinity.yaml"], "a patch has `metadata` and `spec`"),
    "file": (["set", "--patch", "nowhere.yaml"], "cannot read nowhere.yaml"),
    "component without": (["suspend", "--component", "replicatedjob"], "does not say how to suspend"),
    "stdin twice": (["resume", "--before", "-", "-f", "-"], "stdin is read once"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str, jobset: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = jobset.read_text("utf-8")
    args, message = REFUSED[name]
    assert main([*args[:1], "-f", "jobset.yaml", "--in-place", *args[1:]]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1
    assert jobset.read_text("utf-8") == before


def test_one_of_several_objects_that_cannot_be_edited_stops_all(
    jobset: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    second = jobset.read_text("utf-8").replace("name: train", "name: second").replace("name: side", "name: beside")
    jobset.write_text(jobset.read_text("utf-8") + "---\n" + second, "utf-8")
    assert main(["set", "-f", "jobset.yaml", "--instance", "workers", "--image", "side=x"]) == 2
    assert "JobSet second: component 'replicatedjob', instance 'workers': there is no container 'side'" in (
        capsys.readouterr().err
    )
    assert main(["suspend", "-f", "jobset.yaml"]) == 0
    assert capsys.readouterr().out.count("+  suspend: true") == 2


def test_objects_without_a_definition_are_left_alone(jobset: Path, capsys: pytest.CaptureFixture[str]) -> None:
    jobset.write_text(jobset.read_text("utf-8") + "---\napiVersion: v1\nkind: Gadget\nmetadata: {name: g}\n", "utf-8")
    assert main(["suspend", "-f", "jobset.yaml"]) == 0
    out, err = capsys.readouterr()
    assert out.count("+") == 5
    assert "there is no definition for v1 Gadget" in err
    jobset.write_text("apiVersion: v1\nkind: Gadget\nmetadata: {name: g}\n", "utf-8")
    assert main(["suspend", "-f", "jobset.yaml"]) == 4


def test_what_cannot_be_kept_is_written_anew(jobset: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = jobset.read_text("utf-8")
    head, tail = text.split("    - name: workers")
    shared = head.replace("template:\n        spec", "template: &t\n        spec", 1)
    jobset.write_text(shared + "    - {name: workers, replicas: 2, template: *t}\n", "utf-8")
    assert tail
    assert main(["set", "-f", "jobset.yaml", "--instance", "workers", "--scheduler-name", "kai"]) == 0
    out, err = capsys.readouterr()
    assert err == "karta: the text cannot be kept, so the objects are written anew\n"
    assert [line for line in out.splitlines() if line[:1] in "+-"][2:] == [
        "-            schedulerName: default",
        "+            schedulerName: kai",
    ]
    assert main(["set", "-f", "jobset.yaml", "--instance", "workers", "--scheduler-name", "kai", "--in-place"]) == 2
    assert "cannot be edited in place" in capsys.readouterr().err


def test_recordings_are_shown_and_not_written(capsys: pytest.CaptureFixture[str]) -> None:
    recording = sorted((RIG / "fixtures").glob("*.yaml"))[0]
    before = recording.read_bytes()
    args = ["-f", str(recording), "--definition", str(RIG / "trainrig.yaml")]
    assert main(["set", *args, "--scheduler-name", "kai"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"--- {recording} (written anew)\n")
    assert "+      schedulerName: kai\n" in out
    assert main(["set", *args, "--scheduler-name", "kai", "--in-place"]) == 2
    assert "holds recorded states, which are not edited" in capsys.readouterr().err
    assert recording.read_bytes() == before


def test_stdin(jobset: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def given() -> None:
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(jobset.read_bytes())))

    given()
    assert main(["suspend", "-f", "-", "-o", "yaml"]) == 0
    assert capsys.readouterr().out == jobset.read_text("utf-8") + "  suspend: true\n"
    given()
    assert main(["suspend", "-f", "-", "--in-place"]) == 2
    assert "stdin cannot be written" in capsys.readouterr().err


def test_a_link_stays_a_link(jobset: Path) -> None:
    link = jobset.parent / "link.yaml"
    link.symlink_to(jobset)
    assert main(["suspend", "-f", "link.yaml", "--in-place"]) == 0
    assert link.is_symlink()
    assert jobset.read_text("utf-8").endswith("suspend: true\n")
