"""karta describe, run in process: exit code, what it prints, and what it tells beside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
import yaml

from kartatest.cli import main
from tests import outputs

HERE = Path(__file__).parent / "describe"
JOBSET = str(HERE / "jobset.yaml")
RIG = ["-f", str(HERE / "rig.yaml"), "--definition", str(HERE / "rig-definition.yaml")]
PODS = ["--pods", str(HERE / "pods.yaml")]


def _stdin(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(text.encode())))


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("jobset", ["-f", JOBSET]),
        ("jobset-ascii", ["-f", JOBSET, "--ascii"]),
        ("rig", RIG),
        ("rig-pods", [*RIG, *PODS]),
        ("lws", ["-f", str(HERE.parent / "gang" / "lws.yaml")]),
        ("lws-troubled", ["-f", str(HERE / "lws-troubled.yaml")]),
    ],
)
def test_text(name: str, args: list[str], capsys: pytest.CaptureFixture[str], pytestconfig: pytest.Config) -> None:
    assert main(["describe", *args]) == 0
    out, err = capsys.readouterr()
    outputs.check(HERE / f"{name}.out", out, pytestconfig)
    assert err == ""
    assert all(len(line) <= 80 for line in out.splitlines()[1:] if not line.startswith("!"))


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["describe", "-f", JOBSET, "-o", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["apiVersion"], data["kind"]) == ("jobset.x-k8s.io/v1alpha2", "JobSet")
    assert (data["namespace"], data["name"], data["statuses"]) == ("lab", "train", ["Running"])
    assert [(c["name"], c["instance"], c["replicas"], c["pods"]) for c in data["components"]] == [
        ("replicatedjob", "leader", {"desired": 1, "current": 0, "ready": 0}, []),
        ("replicatedjob", "workers", {"desired": 2, "current": 0, "ready": 0}, []),
    ]
    assert data["components"][1]["requests"] == {"nvidia.com/gpu": "4", "cpu": "8", "memory": "64Gi"}
    assert data["totals"]["pods"] == {"desired": 3, "current": 0, "ready": 0}
    assert data["totals"]["desired"] == {"nvidia.com/gpu": "12", "cpu": "16500m", "memory": "192Gi"}
    assert data["totals"]["current"] == {}
    assert (data["totals"]["uncertain"], data["totals"]["unread"]) == (False, [])


def test_json_with_pods(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["describe", *RIG, *PODS, "-o", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    (group,) = data["components"]
    assert group["replicas"]["desired"] == 2
    worker = group["children"][0]
    assert worker["replicas"] == {"desired": 2, "current": 2, "ready": 1}
    assert [(p["name"], p["current"], p["ready"], p["node"], p["reason"]) for p in worker["pods"]] == [
        ("odd-0", True, True, "node-a", None),
        ("odd-1", True, False, None, "Unschedulable"),
        ("odd-2", False, False, "node-b", "Evicted"),
    ]
    assert (worker["phases"], worker["nodes"]) == ({"Pending": 1, "Running": 1, "Failed": 1}, ["node-a"])
    assert (worker["reasons"], worker["deleting"]) == ({"Evicted": 1, "Unschedulable": 1}, 0)
    assert worker["problems"][0]["message"] == "the output is 2.5, not a whole number"
    assert worker["problems"][0]["path"].endswith("scaleDefinition.replicasPath")
    assert data["totals"]["pods"] == {"desired": 2, "current": 2, "ready": 1}
    assert data["totals"]["current"] == {"cpu": "2"}
    reason = "it belongs to another workload: it is in the namespace elsewhere"
    assert data["unassigned"] == [{"name": "stray", "cause": "elsewhere", "reason": reason}]
    assert data["contested"] == []
    assert data["totals"]["uncertain"]
    assert data["totals"]["unread"] == ["worker scaleDefinition.replicasPath"]


def test_yaml_says_what_json_says(capsys: pytest.CaptureFixture[str]) -> None:
    main(["describe", *RIG, *PODS, "-o", "json"])
    as_json = json.loads(capsys.readouterr().out)
    main(["describe", *RIG, *PODS, "-o", "yaml"])
    text = capsys.readouterr().out
    assert yaml.safe_load(text) == as_json
    assert "&id" not in text


@pytest.mark.parametrize("name", ["1e3", "yes", "2020-01-01", "0x10", "12:30:45", "~", "0o7", "null", "=", "a: b"])
def test_every_reader_takes_a_text_in_yaml_for_a_text(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _stdin(monkeypatch, Path(JOBSET).read_text("utf-8").replace("name: train", f"name: {json.dumps(name)}"))
    assert main(["describe", "-f", "-", "-o", "yaml"]) == 0
    assert f"\nname: {json.dumps(name)}\n" in capsys.readouterr().out


def test_stdin_and_list_with_pods_and_owners(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    jobset = yaml.safe_load(Path(JOBSET).read_text("utf-8"))
    jobset["metadata"]["uid"] = "set"
    owner = {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "name": "train", "uid": "set"}
    job: dict[str, Any] = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "train-workers-0", "uid": "j"}}
    job["metadata"]["ownerReferences"] = [{**owner, "controller": True}]
    pod: dict[str, Any] = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "train-workers-0-0"}}
    pod["metadata"]["labels"] = {"jobset.sigs.k8s.io/replicatedjob-name": "workers"}
    pod["metadata"]["ownerReferences"] = [
        {"apiVersion": "batch/v1", "kind": "Job", "name": "train-workers-0", "uid": "j", "controller": True}
    ]
    _stdin(monkeypatch, json.dumps({"apiVersion": "v1", "kind": "List", "items": [pod, job, jobset]}))
    assert main(["describe", "-f", "-", "-o", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["kind"] == "JobSet"
    assert [c["replicas"]["current"] for c in data["components"]] == [0, 1]


def test_several_workloads(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    text = Path(JOBSET).read_text("utf-8")
    service = "apiVersion: v1\nkind: Service\nmetadata: {name: s}\n"
    _stdin(monkeypatch, f"{text}---\n{service}---\n{text.replace('name: train', 'name: other')}")
    assert main(["describe", "-f", "-", "-o", "json"]) == 0
    out, err = capsys.readouterr()
    assert [d["name"] for d in json.loads(out)] == ["train", "other"]
    assert "v1 Service" in err


def test_unknown_kind(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    _stdin(monkeypatch, Path(JOBSET).read_text("utf-8").replace("kind: JobSet", "kind: JobSett"))
    assert main(["describe", "-f", "-"]) == 4
    out, err = capsys.readouterr()
    assert out == ""
    assert "jobset.x-k8s.io/v1alpha2 JobSett" in err
    assert "jobset-x-k8s-io-jobset-v1alpha2" in err


def test_other_version_is_a_warning(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Q46."""
    _stdin(monkeypatch, Path(JOBSET).read_text("utf-8").replace("v1alpha2", "v1alpha7"))
    assert main(["describe", "-f", "-"]) == 0
    out, err = capsys.readouterr()
    assert "Running" in out
    assert "v1alpha7" in err


FRAMES = """
definition: demo-io-trainrig-v1
frames:
  - object: {apiVersion: demo.io/v1, kind: TrainRig, metadata: {name: a}, status: {phase: Down}}
  - patch: {status: {phase: Up}}
"""


def test_frames(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "flow.yaml"
    file.write_text(FRAMES, "utf-8")
    base = ["describe", "-f", str(file), "--definition", str(HERE / "rig-definition.yaml"), "-o", "json"]
    assert main(base) == 0
    assert json.loads(capsys.readouterr().out)["statuses"] == ["Running"]
    assert main([*base, "--frame", "0"]) == 0
    assert json.loads(capsys.readouterr().out)["statuses"] == ["Failed"]
    assert main([*base, "--frame", "2"]) == 2
    assert "0 to 1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "code"), [("a: [", 2), ("", 2), ("kind: X\n", 4), ("\0", 2), ("apiVersion: v1\nkind: Event\n", 4)]
)
def test_not_an_object(text: str, code: int, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(text, "utf-8")
    assert main(["describe", "-f", str(file)]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.strip()
    assert "Traceback" not in err


def test_a_broken_definition_is_used_as_far_as_it_goes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = (
        (HERE / "rig-definition.yaml")
        .read_text("utf-8")
        .replace("- name: helper", "- nam: helper\n        name: helper")
    )
    file = tmp_path / "d.yaml"
    file.write_text(text, "utf-8")
    assert main(["describe", "-f", str(HERE / "rig.yaml"), "--definition", str(file)]) == 0
    out, err = capsys.readouterr()
    assert "Running" in out
    assert "1 fault in" in err


def test_no_pods_yet(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "pods.yaml"
    file.write_text("apiVersion: v1\nkind: List\nitems: []\n", "utf-8")
    assert main(["describe", "-f", JOBSET, "--pods", str(file)]) == 0
    assert "3 pods desired, 0 there, 0 ready" in capsys.readouterr().out
    assert main(["describe", "-f", JOBSET, "--pods", JOBSET]) == 4
    assert "no pod" in capsys.readouterr().err


def test_missing_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["describe", "-f", "/nowhere.yaml"]) == 2
    assert "/nowhere.yaml" in capsys.readouterr().err


@pytest.mark.parametrize("output", ["tree", "json", "yaml"])
def test_any_encoding_of_stdout(output: str, tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(Path(JOBSET).read_text("utf-8").replace("name: train", "name: zür𝕜"), "utf-8")
    command = [sys.executable, "-m", "kartatest", "describe", "-f", str(file), "-o", output]
    done = subprocess.run(command, capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.isascii()


def test_hostile_names_do_not_reach_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = Path(JOBSET).read_text("utf-8").replace("name: leader", 'name: "\\e[31mred\\nline"')
    _stdin(monkeypatch, text)
    assert main(["describe", "-f", "-"]) == 0
    assert "\x1b" not in capsys.readouterr().out


def test_gangs_and_needs_for_machines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["describe", "-f", str(HERE / "lws-troubled.yaml"), "-o", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    each = {"nvidia.com/gpu": "8", "cpu": "16"}
    four = {"nvidia.com/gpu": "32", "cpu": "64"}
    assert [(g["name"], g["keys"], g["minMember"], g["requests"]) for g in data["needs"]["gangs"]] == [
        ("group", ["0"], 4, four),
        ("group", ["1"], 4, four),
    ]
    assert data["needs"]["largestPod"] == {"name": "leader", "instance": None, "requests": each, "claims": []}
    total = {"nvidia.com/gpu": "64", "cpu": "128"}
    assert data["needs"]["total"] == {"pods": 8, "requests": total, "claims": 0, "uncertain": False}
    assert [(g["current"], g["ready"], g["currentRequests"]["cpu"]) for g in data["gangs"]] == [
        (4, 4, "64"),
        (2, 1, "32"),
    ]
    (group,) = data["components"]
    assert [(g["key"], g["replicas"], g["deleting"]) for g in group["groups"]] == [
        ("0", {"desired": 4, "current": 4, "ready": 4}, 0),
        ("1", {"desired": 4, "current": 2, "ready": 1}, 1),
    ]
    assert group["below"]["pods"] == {"desired": 8, "current": 6, "ready": 5}
    assert main(["gang", "-f", str(HERE / "lws-troubled.yaml"), "-o", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["needs"] == data["needs"]


def test_two_workloads_side_by_side_with_owners(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    items = [*_set("a"), *_set("b")]
    pods = {item["metadata"]["name"]: item for item in items if item["kind"] == "Pod"}
    for one, other in (("a-0", "b-0"), ("b-0", "a-0")):
        pods[one]["metadata"]["labels"] = {**SET_LABELS, f"{SET}/jobset-name": other[0]}
    pods["a-1"]["metadata"]["ownerReferences"][0].update(name="gone", uid="gone")
    file = tmp_path / "all.json"
    file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    assert main(["describe", "-f", str(file), "-o", "json"]) == 0
    first, second = json.loads(capsys.readouterr().out)
    assert [[p["name"] for p in tree["components"][0]["pods"]] for tree in (first, second)] == [["a-0"], ["b-0", "b-1"]]
    assert [p["cause"] for p in first["unassigned"]] == ["owner", "elsewhere", "elsewhere"]
    assert first["unassigned"][0]["reason"] == "its owner Job gone is not among the objects given"
    assert [(p["name"], p["reason"]) for p in first["contested"]] == [
        ("a-0", f"its label {SET}/jobset-name says 'b', which is JobSet b"),
    ]
    assert [p["name"] for p in second["contested"]] == ["b-0"]
    assert main(["describe", "-f", str(file)]) == 0
    text = capsys.readouterr().out
    assert "Contested  1 pod\n! a-0: counted for 'replicatedjob[w]', but its label" in text
    assert "Unassigned  1 pod\n! a-1: its owner Job gone is not among" in text
    assert "2 pods of other workloads left out" in text


SET = "jobset.sigs.k8s.io"
SET_LABELS = {f"{SET}/replicatedjob-name": "w"}


def _set(name: str) -> list[Any]:
    """A JobSet of one job with two pods, with all of them."""
    template = {"spec": {"containers": [{"name": "c", "image": "i"}]}}
    job = {"name": "w", "replicas": 1, "template": {"spec": {"parallelism": 2, "template": template}}}
    made: list[Any] = [_object("jobset.x-k8s.io/v1alpha2", "JobSet", name, None, {"replicatedJobs": [job]})]
    made.append(_object("batch/v1", "Job", f"{name}-w-0", made[0], {}))
    for index in range(2):
        made.append(_object("v1", "Pod", f"{name}-{index}", made[1], template["spec"]))
        made[-1]["metadata"]["labels"] = {**SET_LABELS, f"{SET}/jobset-name": name}
    return made


def _object(api: str, kind: str, name: str, owner: Any, spec: Any) -> Any:
    metadata: Any = {"name": name, "namespace": "lab", "uid": f"{kind}-{name}"}
    if owner is not None:
        above = {"name": owner["metadata"]["name"], "uid": owner["metadata"]["uid"], "controller": True}
        metadata["ownerReferences"] = [{"apiVersion": owner["apiVersion"], "kind": owner["kind"], **above}]
    return {"apiVersion": api, "kind": kind, "metadata": metadata, "spec": spec}
