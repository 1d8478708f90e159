"""karta record, run in process against a cluster in memory."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kartatest.cli import access, main
from kartatest.cluster.fake import FakeCluster
from kartatest.cluster.model import ApiError
from kartatest.definition.model import Gvk
from kartatest.recording.load import load
from kartatest.recording.model import Recording
from kartatest.source import Source
from tests.cluster.controller import DEPLOYMENT, running

BAD = Path(__file__).parents[1] / "cluster" / "scenarios" / "shape.yaml"


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeCluster]:
    made = FakeCluster()
    monkeypatch.setattr(access, "connect", lambda wanted: (made, wanted.namespace or "default"))
    with running(made):
        yield made


def deployed(cluster: FakeCluster) -> None:
    metadata = {"name": "web", "namespace": "default"}
    cluster.create({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": {"replicas": 2}})


def after(seconds: float, call: object, *args: object) -> None:
    timer = threading.Timer(seconds, call, args)  # type: ignore[arg-type]
    timer.daemon = True
    timer.start()


def only(text: str) -> Recording:
    loaded = load(Source("x.yaml", text))
    assert loaded.diagnostics == ()
    (recording,) = loaded.recordings
    return recording


def test_until_the_time_is_up(cluster: FakeCluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A workload that is not there yet is waited for; what is written is whole, masked, and expects nothing."""
    after(1, deployed, cluster)
    file = tmp_path / "deep" / "web.yaml"
    assert main(["record", "deploy", "web", "--pods", "--timeout", "4s", "-o", str(file)]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert "waiting for it, 0 frames" in err
    assert "Deployment web: Initializing, " in err
    assert f"of Deployment web in {file}: 4 s are over" in err
    recording = only(file.read_text("utf-8"))
    assert (recording.definition, recording.operator, recording.want) == ("apps-deployment-v1", "", None)
    assert all(frame.expected is None for frame in recording.frames)
    assert len(recording.frames[-1].pods) == 2
    assert [owner["kind"] for owner in recording.frames[-1].owners] == ["ReplicaSet"]
    assert "SECRET" not in file.read_text("utf-8")


def test_until_a_status(cluster: FakeCluster, capsys: pytest.CaptureFixture[str]) -> None:
    """It stops at the first frame that reads it, and prints the recording; pods are left out unless asked for."""
    deployed(cluster)
    assert main(["record", "deployments.apps", "web", "--until", "Initializing"]) == 0
    recording = only(capsys.readouterr().out)
    assert len(recording.frames) == 1
    assert recording.frames[0].pods == ()


def test_the_end_before_the_status(cluster: FakeCluster, capsys: pytest.CaptureFixture[str]) -> None:
    deployed(cluster)
    after(0.5, cluster.delete, DEPLOYMENT, "web", "default")
    assert main(["record", "deployment", "web", "--until", "Failed"]) == 1
    out, err = capsys.readouterr()
    assert only(out).frames
    assert "it was deleted" in err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["interrupt", "terminate"])
def test_a_signal_ends_it_well(number: int, cluster: FakeCluster, capsys: pytest.CaptureFixture[str]) -> None:
    deployed(cluster)
    after(0.6, os.kill, os.getpid(), number)
    assert main(["record", "deployment", "web"]) == 0
    out, err = capsys.readouterr()
    assert only(out).frames
    assert err.rstrip().endswith("interrupted")


def test_nothing_to_record(cluster: FakeCluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.yaml"
    assert main(["record", "deployment", "away", "--timeout", "300ms", "-o", str(file)]) == 4
    assert not file.exists()
    assert "nothing was recorded of Deployment away: 0.3 s are over" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "code", "told"),
    [
        (["record"], 2, "give TYPE and NAME of a workload"),
        (["record", "job"], 2, "give TYPE and NAME of a workload"),
        (["record", "rocket", "x"], 2, "fake serves no kind 'rocket'"),
        (["record", "configmap", "x", "--until", "Running"], 4, "ConfigMap"),
        (["record", "job", "x", "--scenario", str(BAD)], 2, "give TYPE and NAME of a workload, or a file"),
        (["record", "--scenario", str(BAD), "--pods"], 2, "runs in the lab"),
        (["record", "--scenario", str(BAD)], 1, "unknown key 'operater'"),
    ],
    ids=lambda v: " ".join(v[:4]) if isinstance(v, list) else None,
)
def test_wrong_calls(
    argv: list[str], code: int, told: str, cluster: FakeCluster, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(argv) == code
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("place", ["", "file/below.yaml"])
def test_a_place_that_no_file_can_have_is_told_at_once(
    place: str, cluster: FakeCluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    assert main(["record", "deploy", "web", "-o", str(tmp_path / place)]) == 2
    assert capsys.readouterr().err.startswith("karta: ")


class Refusing:
    """A cluster as somebody sees it who may not do one thing with one kind."""

    def __init__(self, cluster: FakeCluster, call: str, kind: str) -> None:
        self._cluster, self._call, self._kind = cluster, call, kind

    def __getattr__(self, name: str) -> Any:
        there = getattr(self._cluster, name)

        def refuse(gvk: Gvk, *args: Any, **options: Any) -> Any:
            if gvk.kind == self._kind:
                raise ApiError(f"{self._kind} is forbidden", code=403, reason="Forbidden")
            return there(gvk, *args, **options)

        return refuse if name == self._call else there


def refusing(cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch, call: str, kind: str) -> None:
    seen = Refusing(cluster, call, kind)
    monkeypatch.setattr(access, "connect", lambda wanted: (seen, wanted.namespace or "default"))


def test_pods_below_an_owner_that_may_not_be_read_are_told(
    cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A recording without pods would say that there were none."""
    deployed(cluster)
    refusing(cluster, monkeypatch, "get", "ReplicaSet")
    assert main(["record", "deploy", "web", "--pods", "--timeout", "2s"]) == 0
    assert "karta: pods below apps/v1 ReplicaSet are left out: you may not read that kind" in capsys.readouterr().err


def test_a_workload_that_may_not_be_watched_is_a_refusal(
    cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    deployed(cluster)
    refusing(cluster, monkeypatch, "watch", "Deployment")
    assert main(["record", "deploy", "web"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == "karta: Deployment is forbidden"
