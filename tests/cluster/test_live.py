"""What a recording says of the lab it was made in."""

from __future__ import annotations

from pathlib import Path

import pytest

from kartatest.cluster import live, operators
from kartatest.cluster.fake import FakeCluster
from kartatest.cluster.lab import Lab
from kartatest.cluster.scenario import Reference, Scenario
from kartatest.cluster.state import State
from kartatest.definition.model import Gvk

PLAIN = "scenarios/starts.yaml in the lab, where programs of karta play kubelets"


@pytest.mark.parametrize(
    ("operator", "source"),
    [
        ("kubernetes", PLAIN),
        ("trainer", PLAIN),
        ("spark", f"{PLAIN}, spark-submit and the driver that asks for executors"),
        ("kuberay", f"{PLAIN}, the Ray dashboard and the proxies of Ray Serve"),
    ],
)
def test_stand_ins_of_other_operators_of_the_lab_are_not_named(operator: str, source: str) -> None:
    chosen = operators.ordered(["spark", "kuberay", "trainer"], operators.built_in())
    lab = Lab("a", FakeCluster(), State(Path("nowhere")), tuple(chosen))
    target = Reference(Gvk("", "v1", "Pod"), "a", "b")
    scenario = Scenario("fixtures/x/scenarios/starts.yaml", "x", operator, ("v1",), "starts", target, ())
    assert live._source(scenario, lab) == source
