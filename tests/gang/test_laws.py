"""What holds for every definition, object and pod."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kartatest.definition.load import load
from kartatest.definition.model import Definition
from kartatest.gang import groups
from kartatest.gang.model import Gangs
from kartatest.gang.names import fault_of_name
from kartatest.gang.pods import go_text
from kartatest.report.gang import Heading, gangs_data, gangs_text
from kartatest.source import Source
from tests import rigs as plain_rigs
from tests.gang import rigs
from tests.gang.test_cases import CASES, definition_of, object_of, pods_of
from tests.resolve.test_laws import json_values
from tests.strategies import broken_definitions, definitions

consumers = st.sampled_from([None, "kai"])
HEADING = Heading("demo.io/v1", "TrainRig", "lab", "r", "d")


def _definition(document: Any) -> Definition | None:
    items = load(Source("made-up.yaml", json.dumps(document))).items
    return items[0].definition if items else None


def _sound(gangs: Gangs, pods: list[Any]) -> None:
    """One place for each pod, in a group that exists; names that an API server takes; each text told."""
    assert len(gangs.pods) == len(pods)
    names = [group.name for group in gangs.groups]
    assert len(set(names)) == len(names)
    assert not any(fault_of_name(place.group or "") for place in gangs.pods if place.outcome == "grouped")
    for place in gangs.pods:
        assert place.outcome != "grouped" or place.group in names
        assert place.sub_group is None or place.sub_group in [s.name for s in gangs.group(place.group).sub_groups]  # type: ignore[union-attr]
        assert place.outcome == "grouped" or place.text
        assert bool(place.reason) == (place.outcome in ("refused", "crash"))
    for group in gangs.groups:
        assert (group.min_member is None) == bool(group.sub_groups)
        assert all(n is None or n >= 0 for n in (group.min_member, *(s.min_member for s in group.sub_groups)))


@given(json_values, st.lists(json_values, max_size=3), st.integers(0, 60), consumers)
def test_nothing_raises_on_any_object(obj: Any, pods: list[Any], seed: int, consumer: str | None) -> None:
    definition = _definition(rigs.definition(seed))
    assert definition is not None
    obj = obj if isinstance(obj, dict) else {"spec": obj}
    pods = [pod for pod in pods if isinstance(pod, dict)]
    gangs = groups(definition, obj, pods, owners=pods, consumer=consumer)
    assert len(gangs.pods) == len(pods)
    gangs_text(gangs, HEADING)
    json.dumps(gangs_data(gangs, HEADING))


@given(definitions() | broken_definitions(), consumers)
def test_nothing_raises_on_any_definition(document: Any, consumer: str | None) -> None:
    definition = _definition(document)
    if definition is None:
        return
    obj, pods = plain_rigs.obj(4), rigs.pods(4)
    if definition.root.kind is not None:
        obj |= {"apiVersion": definition.root.kind.api_version, "kind": definition.root.kind.kind}
    _sound(groups(definition, obj, pods, consumer=consumer), pods)


@given(st.integers(0, 500), st.integers(0, 500), consumers)
def test_made_up_gangs_are_sound(seed: int, other: int, consumer: str | None) -> None:
    definition, obj, pods = _definition(rigs.definition(seed)), plain_rigs.obj(other), rigs.pods(other)
    assert definition is not None
    before = copy.deepcopy((obj, pods))
    gangs = groups(definition, obj, pods, consumer=consumer)
    _sound(gangs, pods)
    assert (obj, pods) == before
    assert groups(definition, obj, pods, consumer=consumer) == gangs


@given(st.integers(0, 300), st.randoms(use_true_random=False))
def test_the_order_of_pods_does_not_show(seed: int, rng: Any) -> None:
    """By the definition's own words; KAI Scheduler lets the last pod decide."""
    definition, obj, pods = _definition(rigs.definition(seed)), plain_rigs.obj(seed), rigs.pods(seed, 8)
    assert definition is not None
    mixed = list(pods)
    rng.shuffle(mixed)
    one, two = groups(definition, obj, pods), groups(definition, obj, mixed)
    assert {g.name: g for g in one.groups} == {g.name: g for g in two.groups}
    assert {p.pod: p for p in one.pods} == {p.pod: p for p in two.pods}


@pytest.mark.parametrize("file", CASES, ids=lambda f: f.stem)
def test_cases_are_printed(file: Path) -> None:
    """Every group, pod and note is in the text; the data is JSON and names the same."""
    case = yaml.safe_load(file.read_text("utf-8"))
    for consumer in (None, "kai"):
        gangs = groups(
            definition_of(case), object_of(case), pods_of(case), owners=case.get("owners", ()), consumer=consumer
        )
        text = gangs_text(gangs, HEADING)
        told = [*(g.name for g in gangs.groups), *gangs.notes, *(p.text for p in gangs.pods)]
        told += [sub.name for group in gangs.groups for sub in group.sub_groups]
        told += [place.pod for place in gangs.pods if place.outcome != "ignored"]
        assert [part for part in told if part not in text] == []
        data = json.loads(json.dumps(gangs_data(gangs, HEADING)))
        assert [p["name"] for p in data["pods"]] == [p.pod for p in gangs.pods]
        assert [g["name"] for g in data["groups"]] == [g.name for g in gangs.groups]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1_000_000, "1e+06"),
        (999_999, "999999"),
        (1_234_567.25, "1.23456725e+06"),
        (-3_000_000, "-3e+06"),
        (12_345_678_901_234_567_890, "1.2345678901234567e+19"),
        (0.0001, "0.0001"),
        (0.00001, "1e-05"),
        (11.25, "11.25"),
        (0, "0"),
        (10**400, "+Inf"),
        (True, "true"),
        ({"b": [1, None], "a": "x"}, "map[a:x b:[1 <nil>]]"),
    ],
)
def test_go_notation(value: Any, text: str) -> None:
    assert go_text(value) == text
