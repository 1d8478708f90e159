"""karta lab, as far as it goes without a cluster."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kartatest.cli import main
from kartatest.cluster import build, lab, state
from kartatest.cluster.fake import FakeCluster

BAD = "name: widget\nbinary: w\nversions: [v1.0.0]\nrun:\n- args: ['${kubeconfg}']\n"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("KARTA_LAB_BIN", raising=False)
    return tmp_path


def test_nothing_is_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "status"]) == 0
    assert capsys.readouterr() == ("", "no lab is up; `karta lab up` starts one\n")
    assert main(["lab", "status", "-o", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == []
    assert main(["lab", "down"]) == 0
    assert capsys.readouterr() == ("", "nothing was up\n")


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (["up", "jobst"], "karta: no operator is called 'jobst'; did you mean 'jobset'?\n"),
        (
            ["up", "jobset"],
            "karta: jobset@v0.12.0 is not built; `karta lab build jobset@v0.12.0` does it with your Go\n",
        ),
        (["up", "--name", "../mine"], "karta: '../mine' cannot be the name of a lab: "),
        (["build", "jobset@v7"], "karta: jobset has the versions v0.12.0, v0.10.1, not v7;"),
        (["down", "mine"], "karta: no lab is called 'mine'; none is up\n"),
        (["env"], "karta: there is no lab 'lab'; `karta lab up --name lab` starts one\n"),
    ],
)
def test_what_cannot_be_done_is_one_line(call: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", *call]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(told)
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("command", ["up", "build"])
def test_what_is_wrong_in_a_data_file_is_shown_at_its_place(
    command: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = home / "widget.yaml"
    file.write_text(BAD, "utf-8")
    assert main(["lab", command, "widget", "--operator", str(file)]) == 2
    said = capsys.readouterr().err
    assert f"{file}:5:10: error[KT060] nothing is called ${{kubeconfg}}" in said
    assert "did you mean 'kubeconfig'?" in said
    assert said.endswith("karta: an operator's data file cannot be used as it is\n")


def test_builds_name_what_is_there_and_what_was_built(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = []

    def built(program: build.Program, progress: build.Progress, *, force: bool) -> build.Built:
        asked.append((program.file_name, force))
        progress.say(f"{program}: compiling")
        return build.Built(program, Path("/x") / program.file_name, 65.4 if program.name == "jobset" else 0)

    monkeypatch.setattr(build, "build", built)
    assert main(["lab", "build", "jobset@v0.10.1", "trainer", "--force"]) == 0
    said = capsys.readouterr()
    core = [program.file_name for program in build.CORE]
    assert [name for name, _ in asked] == [*core, "jobset-v0.10.1", "jobset-v0.12.0", "trainer-v2.1.0"]
    assert all(force for _, force in asked)
    assert said.out.splitlines()[len(core)].split() == [
        "jobset",
        "v0.10.1",
        "built",
        "in",
        "65",
        "s",
        "/x/jobset-v0.10.1",
    ]
    assert "[1/9] etcd v3.6.16: compiling\n" in said.err
    assert said.err.endswith("2 built, 7 there\n")


def test_all_means_every_version(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(build, "build", lambda program, _progress, *, force: build.Built(program, Path("/x"), 0))
    assert main(["lab", "build", "all"]) == 0
    shown = capsys.readouterr().out.splitlines()
    versions = sum(len(operator.versions) for operator in lab.known().values())
    assert len(shown) == len(build.CORE) + versions


def test_who_is_led_to_a_lab_that_is_not_whole_is_told(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """stdout is for the shell, so it is said on stderr."""
    held = state.create("lab")
    monkeypatch.setattr(lab, "attach", lambda name: lab.Lab(name, FakeCluster(), held, ()))
    monkeypatch.setattr(lab, "find", lambda name: lab.Shown(name, "broken", held, ended=("etcd",)))
    assert main(["lab", "env"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("export KUBECONFIG=")
    assert said.err == f"karta: the lab 'lab' is not whole: etcd has ended; its log is in {held.logs}\n"


def test_a_lab_whose_processes_are_gone_has_ended(capsys: pytest.CaptureFixture[str]) -> None:
    held = state.create("lab")
    state.change(held, kept=True, notes={"lab": "old", "operators": ["jobset@v0.12.0"], "since": 1.0})
    assert main(["lab", "status"]) == 1
    assert capsys.readouterr().out.splitlines()[1].split()[:3] == ["old", "ended", "jobset@v0.12.0"]
    assert main(["lab", "env", "--name", "old"]) == 2
    assert "the lab 'old' has ended; `karta lab down old`" in capsys.readouterr().err
    assert main(["lab", "down", "--all"]) == 0
    assert capsys.readouterr().out == "ended old\n"
    assert state.states() == ()


def test_a_name_and_all_are_two_things(capsys: pytest.CaptureFixture[str]) -> None:
    state.change(state.create("lab"), kept=True, notes={"lab": "a"})
    assert main(["lab", "down", "a", "--all"]) == 2
    assert "not both" in capsys.readouterr().err


GO = """#!/bin/sh
case "$1" in
env) echo go9.9.9 ;;
mod) echo $$ > {here}/pid; exec sleep 60 ;;
esac
"""


def test_a_build_that_is_told_to_end_takes_its_compiler_along(home: Path) -> None:
    (home / "go").write_text(GO.format(here=home), "utf-8")
    (home / "go").chmod(0o755)
    command = [sys.executable, "-m", "kartatest", "lab", "build"]
    env = {**os.environ, "PATH": f"{home}:/usr/bin:/bin"}
    with subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as started:
        end = time.monotonic() + 20
        while not (home / "pid").exists() and time.monotonic() < end:
            time.sleep(0.05)
        time.sleep(0.1)
        started.terminate()
        assert started.wait(20) == 128 + signal.SIGTERM
    assert state.beginning(int((home / "pid").read_text("ascii"))) == ""
