"""karta get and karta definitions, run in process against a cluster in memory."""

from __future__ import annotations

import json

import pytest

from kartatest.cli import access, main
from kartatest.cli.access import seconds
from kartatest.cluster.fake import FakeCluster
from kartatest.cluster.model import Access, ApiError
from kartatest.definition.model import Gvk
from kartatest.errors import UsageError
from kartatest.report.inventory import duration

NAMES = ("a", "b")


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> FakeCluster:
    """Two Deployments without pods; every call is answered by it."""
    made = FakeCluster()
    for name in NAMES:
        template = {"spec": {"containers": [{"name": "c", "resources": {"limits": {"nvidia.com/gpu": "2"}}}]}}
        metadata = {"name": name, "namespace": "default"}
        spec = {"replicas": 3, "template": template}
        made.create({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec})
    monkeypatch.setattr(access, "connect", lambda wanted: (made, wanted.namespace or "default"))
    return made


def test_rows(cluster: FakeCluster, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["get"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == ["NAME", "TYPE", "STATUS", "PODS", "GPUS", "AGE"]
    assert [line[:5] for line in lines[1:]] == [[name, "Deployment", "Initializing", "0/3", "6"] for name in NAMES]
    assert main(["get", "deploy", "-A"]) == 0
    assert capsys.readouterr().out.split()[0] == "NAMESPACE"


def test_json(cluster: FakeCluster, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["get", "-o", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in rows] == ["a", "b"]
    assert rows[0]["type"] == "deployments.apps"
    assert rows[0]["statuses"] == ["Initializing"]
    assert rows[0]["pods"] == {"desired": 3, "current": 0, "ready": 0}
    assert rows[0]["requests"] == {"nvidia.com/gpu": "6"}
    assert 0 <= rows[0]["age"] < 60


def test_nothing_there(cluster: FakeCluster, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["get", "-n", "kube-system"]) == 4
    assert "no workload in the namespace 'kube-system'; -A looks in all" in capsys.readouterr().err
    assert main(["get", "deploymant"]) == 4
    assert "no definition for deploymant; near are apps-deployment-v1" in capsys.readouterr().err


def test_rows_of_a_watch_stand_below_their_heads(
    cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def change(_: float, left: list[str] = ["a"]) -> None:  # noqa: B006 - kept between the calls
        if not left:
            raise KeyboardInterrupt
        cluster.delete(Gvk("apps", "v1", "Deployment"), left.pop(), "default")

    monkeypatch.setattr("kartatest.cli.get.time.sleep", change)
    assert main(["get", "--watch"]) == 130
    heads, *_, last = capsys.readouterr().out.splitlines()
    assert last.split()[:3] == ["a", "Deployment", "gone"]
    assert [last.index(word) for word in ("Deployment", "gone")] == [heads.index(head) for head in ("TYPE", "STATUS")]


def test_a_server_that_is_away_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def refuse(wanted: Access) -> None:
        raise ApiError("cannot reach https://127.0.0.1:1: connection refused")

    monkeypatch.setattr(access, "connect", refuse)
    assert main(["get", "-A"]) == 2
    assert capsys.readouterr().err == "karta: cannot reach https://127.0.0.1:1: connection refused\n"


def test_describe_reads_one_of_a_cluster(cluster: FakeCluster, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["describe", "deploy", "a"]) == 0
    by_two_words = capsys.readouterr().out
    assert by_two_words.startswith("Deployment default/a")
    assert main(["describe", "deployments.apps/a"]) == 0
    assert capsys.readouterr().out == by_two_words
    assert main(["describe", "deploy", "nope"]) == 4
    assert "no Deployment 'nope' in the namespace 'default'" in capsys.readouterr().err


@pytest.mark.parametrize("args", [[], ["deploy"], ["deploy", "a", "-f", "x.yaml"], ["deploy", "a", "--frame", "1"]])
def test_describe_says_what_it_takes(args: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["describe", *args]) == 2
    assert "-f" in capsys.readouterr().err


def test_definitions(cluster: FakeCluster, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["definitions", "register", "catalog/apps-deployment-v1.yaml"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said == ["customresourcedefinition/kartas.run.ai created", "karta/apps-deployment-v1 created"]
    assert main(["definitions", "list", "--cluster"]) == 0
    rows = {line.split()[0]: line.split()[-1] for line in capsys.readouterr().out.splitlines()}
    assert (rows["apps-deployment-v1"], rows["ray-io-raycluster-v1"]) == ("same", "-")
    assert main(["definitions", "show", "deploy"]) == 0
    assert "kind: Karta" in capsys.readouterr().out


def test_a_definition_with_a_fault_is_not_sent(
    cluster: FakeCluster, tmp_path: object, capsys: pytest.CaptureFixture[str]
) -> None:
    from pathlib import Path

    file = Path(str(tmp_path)) / "bad.yaml"
    file.write_text("apiVersion: run.ai/v1alpha1\nkind: Karta\nmetadata: {name: x}\nspec: {}\n", "utf-8")
    assert main(["definitions", "register", str(file)]) == 2
    err = capsys.readouterr().err
    assert f"{file}:4:" in err
    assert not [r for r in cluster.resources() if r.gvk.group == "run.ai"]


@pytest.mark.parametrize(("text", "value"), [("10", 10), ("1.5s", 1.5), ("2m", 120), ("500ms", 0.5), ("1h", 3600)])
def test_times_are_kubectls(text: str, value: float) -> None:
    assert seconds(text) == value


@pytest.mark.parametrize("text", ["", "x", "0", "-1s", "nan", "inf", "2 weeks"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is no time"):
        seconds(text)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0s"),
        (119, "119s"),
        (120, "2m"),
        (200, "3m20s"),
        (3600, "60m"),
        (11100, "3h5m"),
        (90000, "25h"),
        (7**7, "9d"),
    ],
)
def test_durations(seconds: int, text: str) -> None:
    assert duration(seconds) == text
