"""karta gang, run in process: exit code, what it prints, and what it tells beside."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from kartatest.cli import main
from kartatest.gang.model import Outcome
from tests import outputs

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent / "gang"
CREW = ["-f", str(HERE / "crew.yaml"), "--definition", str(HERE / "crew-definition.yaml")]
PODS = ["--pods", str(HERE / "pods.yaml")]
KAI = ["--consumer", "kai"]
LWS = ["-f", str(HERE / "lws.yaml")]


def _json(args: list[str], capsys: pytest.CaptureFixture[str], *, code: int = 0) -> Any:
    assert main(["gang", *args, "-o", "json"]) == code
    return json.loads(capsys.readouterr().out)


def _written(tmp_path: Path, change: Any, name: str = "crew-definition.yaml") -> str:
    """A file of the folder with something changed."""
    value = yaml.safe_load((HERE / name).read_text("utf-8"))
    change(value)
    (tmp_path / name).write_text(yaml.safe_dump(value), "utf-8")
    return str(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("crew", [*CREW, *PODS]),
        ("crew-kai", [*CREW, *PODS, *KAI]),
        ("crew-ascii", [*CREW, *PODS, *KAI, "--ascii"]),
        ("crew-without-pods", CREW),
        ("lws", LWS),
        ("lws-kai", [*LWS, *KAI]),
    ],
)
def test_text(name: str, args: list[str], capsys: pytest.CaptureFixture[str], pytestconfig: pytest.Config) -> None:
    assert main(["gang", *args]) == 0
    out, err = capsys.readouterr()
    outputs.check(HERE / f"{name}.out", out, pytestconfig)
    assert err == ""
    assert "ascii" not in name or out.isascii()


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    data = _json([*CREW, *PODS, *KAI], capsys)
    assert data["groups"] == [
        {
            "name": "pg-5f0c61de-0000-4000-8000-000000000001-gang",
            "minMember": None,
            "minSubGroup": 1,
            "subGroups": [{"name": "pool", "minMember": 16, "topology": None}],
            "topology": {"name": "hall", "preferred": "rack", "required": None},
            "queue": "default-queue",
        }
    ]
    assert set(data["pods"][0]) >= {"name", "group", "subGroup", "outcome", "text"}
    assert [(p["name"], p["subGroup"], p["outcome"]) for p in data["pods"]] == [
        ("night-lead-0", "pool", "grouped"),
        ("night-hand-0", "pool", "grouped"),
        ("night-hand-1", "pool", "grouped"),
        ("night-cook", None, "grouped"),
        ("night-watch", None, "ignored"),
    ]
    assert (data["consumer"], data["kind"], data["name"]) == ("kai", "Crew", "night")


def test_leader_worker_set_of_two_groups_of_four(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["describe", *LWS, "-o", "json"]) == 0
    tree = json.loads(capsys.readouterr().out)
    (group,) = tree["components"]
    desired = {c["name"]: c["replicas"]["desired"] for c in group["children"]}
    assert (desired, tree["totals"]["pods"]["desired"]) == ({"leader": 2, "worker": 6}, 8)
    for more in ([], KAI):
        data = _json([*LWS, *more], capsys)
        assert [g["minMember"] for g in data["groups"]] == [4, 4]
        assert sorted(len([p for p in data["pods"] if p["group"] == g["name"]]) for g in data["groups"]) == [4, 4]


def test_leader_worker_set_by_totals_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without the minima, which are one group's, Go multiplies the groups by the pods of all groups."""

    def change(value: Any) -> None:
        for child in value["spec"]["structureDefinition"]["childComponents"]:
            del child["scaleDefinition"]["minReplicasPath"]

    catalog = yaml.safe_load((ROOT / "catalog" / "leaderworkerset-x-k8s-io-leaderworkerset-v1.yaml").read_text("utf-8"))
    change(catalog)
    (tmp_path / "totals.yaml").write_text(yaml.safe_dump(catalog), "utf-8")
    args = [*LWS, "--definition", str(tmp_path / "totals.yaml")]
    assert [g["minMember"] for g in _json(args, capsys)["groups"]] == [4, 4]
    data = _json([*args, *KAI], capsys)
    assert [g["minMember"] for g in data["groups"]] == [16, 16]
    assert "for 'group' KAI Scheduler counts 16, and the counts as written come to 4" in data["notes"]


def test_refused_exits_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    crew = _written(tmp_path, lambda v: v["spec"].update(pools=0, lead={"count": 0}, hand={"count": 0}), "crew.yaml")
    data = _json(["-f", crew, *CREW[2:], *PODS, *KAI], capsys, code=1)
    assert data["groups"] == []
    assert {(p["outcome"], p["reason"]) for p in data["pods"]} == {("refused", "zero-scale"), ("ignored", None)}


def test_crash_exits_1_and_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    unlabelled = _written(tmp_path, lambda v: v["metadata"].pop("labels"))
    assert main(["gang", *CREW[:2], "--definition", unlabelled, *PODS, *KAI]) == 1
    out = capsys.readouterr().out
    assert "the scheduler crashes on night-lead-0, night-hand-0, night-hand-1, night-cook" in out
    assert "lacks the three labels" in out


def test_owner_above_is_passed_to_the_one_with_a_definition(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    above = {"apiVersion": "demo.io/v1", "kind": "Fleet", "metadata": {"name": "f", "namespace": "lab", "uid": "uf"}}
    crew = yaml.safe_load((HERE / "crew.yaml").read_text("utf-8"))
    crew["metadata"]["ownerReferences"] = [
        {"apiVersion": "demo.io/v1", "kind": "Fleet", "name": "f", "uid": "uf", "controller": True}
    ]
    both = tmp_path / "both.yaml"
    both.write_text(yaml.safe_dump_all([crew, above]), "utf-8")
    args = ["-f", str(both), *CREW[2:], *PODS]
    assert _json(args, capsys)["kind"] == "Crew"
    outcomes = {p["outcome"] for p in _json([*args, *KAI], capsys, code=1)["pods"]}
    assert outcomes == {"crash", "ignored"}


def test_two_workloads_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = yaml.safe_load((HERE / "crew.yaml").read_text("utf-8"))
    second = {**first, "metadata": {"name": "day", "namespace": "lab", "uid": "5f0c61de-0000-4000-8000-000000000002"}}
    both = tmp_path / "two.yaml"
    both.write_text(yaml.safe_dump_all([first, second]), "utf-8")
    night, day = _json(["-f", str(both), *CREW[2:], *PODS], capsys)
    assert [len([p for p in one["pods"] if p["outcome"] == "grouped"]) for one in (night, day)] == [5, 0]
    assert {p["outcome"] for p in day["pods"]} == {"ignored"}


def test_without_a_definition(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gang", *CREW[:2], *PODS]) == 4
    assert "there is no definition for demo.io/v1 Crew" in capsys.readouterr().err


def test_without_pods_a_refusal_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = _written(tmp_path, lambda v: v["spec"].update(pools=0, lead={"count": 0}, hand={"count": 0}), "crew.yaml")
    data = _json(["-f", empty, *CREW[2:], *KAI], capsys, code=1)
    assert data["blocked"] == "'pool' has no count above 0, and every subgroup needs one"
    unlabelled = _written(tmp_path, lambda v: v["metadata"].pop("labels"))
    assert main(["gang", *CREW[:2], "--definition", unlabelled, *KAI]) == 1
    assert "no pod will start\n  the pod grouper panics" in capsys.readouterr().out


def test_nothing_to_show_is_not_green(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lws = tmp_path / "alone.yaml"
    lws.write_text(next(yaml_documents((HERE / "lws.yaml").read_text("utf-8"))), "utf-8")
    for more in ([], KAI):
        assert main(["gang", "-f", str(lws), *more]) == 4
        assert "without pods there are no groups" in capsys.readouterr().out


def yaml_documents(text: str) -> Iterator[str]:
    yield from text.split("---\n")


def test_unknown_consumer(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gang", *CREW, "--consumer", "kueue"]) == 2
    assert "kai" in capsys.readouterr().err


def test_every_outcome_is_told() -> None:
    from kartatest.report.gang import _REST

    assert {outcome for outcome, _, _ in _REST} == set(Outcome.__args__)  # type: ignore[attr-defined]
