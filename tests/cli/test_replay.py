from __future__ import annotations

import io
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from kartatest.cli import main

RIG = Path(__file__).parents[1] / "rig"
DEFINITION = ["--definition", str(RIG / "trainrig.yaml")]
COMPLETED = str(RIG / "fixtures" / "v1.2.0-completed.yaml")


def test_matrix(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(RIG / "broken.yaml"), COMPLETED, *DEFINITION]) == 1
    assert capsys.readouterr().out == (RIG / "matrix.out").read_text("utf-8")


def test_what_fits_exits_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", COMPLETED, *DEFINITION]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[-1] == "1 recording, 3 frames: 3 as expected"
    assert err == ""


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(RIG / "broken.yaml"), *DEFINITION, "-o", "json"]) == 1
    rows = json.loads(capsys.readouterr().out)
    assert [(r["frame"], r["statuses"], r["expected"]) for r in rows] == [
        (0, ["Undefined"], ["Running"]),
        (1, ["Running", "Completed"], ["Failed"]),
        (2, ["Undefined"], None),
        (3, [], ["Running"]),
    ]
    assert {(r["definition"], r["recording"]) for r in rows} == {("demo-io-trainrig-v1", "v1.2.0-broken")}
    assert rows[3]["problems"][0]["message"] == "conditions are an object, not a list"


WATCH = """apiVersion: demo.io/v1
kind: TrainRig
metadata: {name: a}
spec: {size: 1}
status: {phase: Starting}
---
apiVersion: demo.io/v1
kind: TrainRig
metadata: {name: a}
spec: {size: 1}
status: {done: 1, phase: Starting}
---
apiVersion: other.io/v1
kind: Thing
metadata: {name: a}
"""


def test_a_watch_dump(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "flow.yaml").write_text(WATCH, "utf-8")
    arguments = ["replay", str(tmp_path / "flow.yaml"), *DEFINITION]
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert "overlap" in out
    assert "1 recording, 2 frames: 1 overlapping, 2 without expectation" in out
    assert "there is no definition for other.io/v1 Thing" in err
    assert main([*arguments, "--exact"]) == 1


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(WATCH.encode())))
    assert main(["replay", "-", *DEFINITION]) == 0
    assert capsys.readouterr().out.startswith("stdin-trainrig-a  demo-io-trainrig-v1\n")


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("", 1, "KT006"),
        ("values: 1\n", 4, "neither a recording nor a Kubernetes object"),
        ("apiVersion: other.io/v1\nkind: Thing\nmetadata: {name: a}\n", 4, "no recording has a definition"),
        ("frames: []\n", 1, "the recording has no frames"),
        ("frames: [{patch: {}}]\n", 1, "the first frame is a patch"),
    ],
)
def test_nothing_to_replay(text: str, code: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.yaml").write_text(text, "utf-8")
    assert main(["replay", str(tmp_path / "x.yaml"), *DEFINITION]) == code
    out, err = capsys.readouterr()
    assert said in err
    assert out == ""


def test_wrong_calls(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(tmp_path)]) == 4
    assert main(["replay", str(tmp_path / "gone.yaml")]) == 2
    assert "does not exist" in capsys.readouterr().err
    assert main(["replay"]) == 2


def test_both_engines() -> None:
    assert main(["replay", COMPLETED, *DEFINITION, "--engine", "both"]) == 0


def test_libjq_alone_reads_the_same(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ["replay", str(RIG / "broken.yaml"), COMPLETED, *DEFINITION, "-o", "json"]
    assert main(arguments) == 1
    ours = json.loads(capsys.readouterr().out)

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("our engine was asked")

    monkeypatch.setattr("kartatest.resolve.evaluate.program", refuse)
    assert main([*arguments, "--engine", "libjq"]) == 1
    assert json.loads(capsys.readouterr().out) == ours
