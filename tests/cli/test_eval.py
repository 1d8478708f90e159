"""karta eval: outputs, their places in the file, errors and exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kartatest.cli import main

HERE = Path(__file__).parent / "describe"
JOBSET = str(HERE / "jobset.yaml")
PODS = str(HERE / "pods.yaml")


def _json(capsys: pytest.CaptureFixture[str], *args: str, code: int = 0) -> Any:
    assert main(["eval", *args, "-o", "json"]) == code
    return json.loads(capsys.readouterr().out)


def test_outputs_and_places(capsys: pytest.CaptureFixture[str]) -> None:
    data = _json(capsys, ".spec.replicatedJobs[] | .name, .replicas", "-f", JOBSET)
    assert data["outputs"] == ["leader", None, "workers", 2]
    assert data["error"] is None
    lines = Path(JOBSET).read_text("utf-8").splitlines()
    for output, place in zip(data["outputs"], data["places"], strict=True):
        assert place["path"][:2] == ["spec", "replicatedJobs"]
        if output is None:
            assert (place["line"], place["column"]) == (None, None)
        else:
            assert lines[place["line"] - 1][place["column"] - 1 :].startswith(str(output))


def test_made_values_have_no_place(capsys: pytest.CaptureFixture[str]) -> None:
    data = _json(capsys, ".spec.replicatedJobs | length", "-f", JOBSET)
    assert data["outputs"] == [2]
    assert data["places"] == [{"path": None, "line": None, "column": None}]


def test_odd_steps_of_a_path(capsys: pytest.CaptureFixture[str]) -> None:
    program = '(.spec.replicatedJobs | .[-1e18, infinite, nan], .[1:2]), .["a b"]'
    paths = [place["path"] for place in _json(capsys, program, "-f", JOBSET)["places"]]
    assert [path[-1] for path in paths[1:]] == [1.7976931348623157e308, None, {"end": 2, "start": 1}, "a b"]
    assert main(["eval", program, "-f", JOBSET]) == 0
    out = capsys.readouterr().out
    for text in (".spec.replicatedJobs[-1000000000000000000]", ".spec.replicatedJobs[nan]", "Jobs[1:2]", '.["a b"]'):
        assert text in out


@pytest.mark.parametrize(
    ("expression", "writable"),
    [(".spec.suspend", True), ('.spec["a-b"]?', True), (".spec | length", False), (".a // .b", False)],
)
def test_writable(expression: str, writable: bool, capsys: pytest.CaptureFixture[str]) -> None:
    assert _json(capsys, expression, "-f", JOBSET)["writable"] is writable


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        (".spec.none[]", "cannot iterate over null"),
        (".spec.foo[", "never closed"),
        (".spec | keyz", "keyz"),
        ("", "empty"),
        ("$x", "$x"),
        ("[range(1e9)]", "range"),
    ],
)
def test_errors(expression: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    data = _json(capsys, expression, "-f", JOBSET, code=1)
    assert data["outputs"] == []
    assert message in data["error"]
    assert main(["eval", expression, "-f", JOBSET]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert "Traceback" not in err


def test_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", ".metadata.name, .spec.none, (.spec | length)", "-f", JOBSET]) == 0
    out = capsys.readouterr().out
    assert out.splitlines() == [
        '"train"',
        f"    {JOBSET}:3:18  .metadata.name",
        "null",
        "    .spec.none",
        "1",
        "    made by the expression",
        "# type: string or integer or null, 3",
        "# no object has .spec.none",
        "# no path that can be written through",
    ]


def test_pods(capsys: pytest.CaptureFixture[str]) -> None:
    data = _json(capsys, ".metadata.labels.role", "--pods", PODS)
    assert [(d["object"], d["outputs"]) for d in data] == [
        ("Pod odd-0", ["worker"]),
        ("Pod odd-1", ["worker"]),
        ("Pod stray", [None]),
        ("Pod odd-2", ["worker"]),
    ]


def test_any_yaml_value(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    file.write_text("- 1\n- [2, nan]\n", "utf-8")
    data = _json(capsys, ".[1][0], nan, .[0:1]", "-f", str(file))
    assert data["outputs"] == [2, None, [1]]
    assert data["places"][0] == {"path": [1, 0], "line": 2, "column": 4}
    assert main(["eval", ".[0:1]", "-f", str(file)]) == 0


def test_frames(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "flow.yaml"
    file.write_text(
        "definition: d\nframes:\n"
        "  - object: {apiVersion: demo.io/v1, kind: TrainRig, metadata: {name: a}, status: {phase: Down}}\n"
        "  - patch: {status: {phase: Up}}\n",
        "utf-8",
    )
    last = _json(capsys, ".status.phase", "-f", str(file))
    assert (last["outputs"], last["places"][0]["line"]) == (["Up"], None)
    first = _json(capsys, ".status.phase", "-f", str(file), "--frame", "0")
    assert (first["outputs"], first["places"][0]["line"]) == (["Down"], 3)
    assert main(["eval", ".", "-f", str(file), "--frame", "9"]) == 2


@pytest.mark.parametrize(
    ("args", "code"),
    [(["-f", "/nowhere"], 2), ([], 2), (["-f", JOBSET, "--pods", PODS], 2), (["--pods", JOBSET], 4)],
)
def test_calls(args: list[str], code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", ".", *args]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err


def test_the_inferred_type(capsys: pytest.CaptureFixture[str]) -> None:
    data = _json(capsys, ".spec.replicatedJobs[]?.name", "-f", JOBSET)
    assert data["type"] == "string, one for each of `.spec.replicatedJobs[]`"
    assert data["missing"] == []
    data = _json(capsys, ".spec.replicatedJob // 1", "-f", JOBSET)
    assert data["missing"] == [".spec.replicatedJob"]


def test_engines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "o.yaml"
    file.write_text("apiVersion: v1\nkind: Pod\nspec: {z: 1.0, a: [1, 2]}\n", "utf-8")
    arguments = ["eval", "-f", str(file)]
    assert main([*arguments, ".spec.a[], .spec", "--engine", "libjq"]) == 0
    assert capsys.readouterr().out == '1\n2\n{"a":[1,2],"z":1}\n# no path that can be written through\n'
    assert main([*arguments, ".spec.a.b", "--engine", "libjq"]) == 1
    assert "index" in capsys.readouterr().err.lower()
    assert main([*arguments, "def f: f; f", "--engine", "libjq"]) == 1
    assert capsys.readouterr().err.startswith("<expression>:1:")
    assert main([*arguments, ".spec.a | length", "--engine", "both"]) == 0
    assert main([*arguments, "{b: 1, a: 2} | to_entries[0].key", "--engine", "both"]) == 1
    assert capsys.readouterr().err == (
        f'karta: {file}: {{b: 1, a: 2}} | to_entries[0].key gives "a", and gives "b" with libjq\n'
    )


def test_items_without_a_name_are_told_apart_by_their_places(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "list.yaml"
    file.write_text("kind: List\nitems:\n- {a: 1}\n- {a: 2}\n- {kind: X, metadata: {name: one}, a: 3}\n", "utf-8")
    assert main(["eval", ".a", "-f", str(file)]) == 0
    heads = [line for line in capsys.readouterr().out.splitlines() if line.startswith("# ")]
    assert heads[:3] == [f"# {file}:3:3", f"# {file}:4:3", "# X one"]


def test_what_is_long_is_cut(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "list.json"
    pod = {"kind": "Pod", "metadata": {"name": "n" * 5000}}
    file.write_text(json.dumps({"kind": "List", "items": [pod, pod]}), "utf-8")
    assert main(["eval", "error(.metadata.name)", "-f", str(file)]) == 1
    out, err = capsys.readouterr()
    assert max(map(len, (out + err).splitlines())) < 600
    assert "characters more)" in err
