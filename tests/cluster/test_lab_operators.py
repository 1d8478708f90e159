"""Each operator of the lab, in each of its versions, brings one object of each of its kinds to its running state."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jq
import pytest
import yaml

from kartatest.cluster import lab, operators
from kartatest.cluster.model import Cluster
from kartatest.cluster.waits import until
from kartatest.definition.model import Gvk
from kartatest.errors import ClusterError

CASES = Path(__file__).parent / "running"
OPERATORS = operators.built_in()
VERSIONS = [f"{name}@{version}" for name, operator in OPERATORS.items() for version in operator.versions]


def objects(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = yaml.safe_load((CASES / f"{name}.yaml").read_text("utf-8"))
    return found


@pytest.mark.parametrize("name", OPERATORS)
def test_there_is_an_object_of_each_kind(name: str) -> None:
    kinds = [f"{case['object']['apiVersion']}/{case['object']['kind']}" for case in objects(name)]
    assert kinds == list(OPERATORS[name].kinds)


def _bring_up(cluster: Cluster, obj: dict[str, Any], running: Any) -> None:
    made = cluster.create({**obj, "metadata": {**obj["metadata"], "namespace": "default"}})
    name = made["metadata"]["name"]

    def is_running() -> bool:
        return bool(running.input_value(cluster.get(Gvk.of(made), name, "default")).first())

    until(is_running, waiting_for=f"that {obj['kind']} runs", timeout_seconds=90)


@pytest.mark.cluster
@pytest.mark.slow
@pytest.mark.parametrize("word", VERSIONS)
def test_objects_reach_their_running_state(word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    try:
        started = lab.up([word])
        up = started.__enter__()
    except ClusterError as error:
        pytest.skip(str(error))
    try:
        for case in objects(word.partition("@")[0]):
            _bring_up(up.cluster, case["object"], jq.compile(f"try ({case['running']}) catch false"))
    finally:
        started.__exit__(None, None, None)
