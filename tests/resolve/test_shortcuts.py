"""The short ways of reading give what the long ones give, on recorded objects and on objects with faults in them."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kartatest.data import folder
from kartatest.definition.load import load_file
from kartatest.recording.find import load_file as load_recordings
from kartatest.resolve import extract, status
from kartatest.resolve.evaluate import Evaluator

CATALOG = sorted(folder("catalog").glob("*.yaml"))
ODD: list[Any] = [None, "", "x", "2", 0, -1, 1.5, 2**31, True, [], {}, [1], [{"name": "a"}, {"name": "a"}], {"a": 1}]


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container with each of its keys, without what is deep inside pod templates."""
    stack = [(value, 0)]
    while stack:
        at, depth = stack.pop()
        if depth < 6 and isinstance(at, (dict, list)):
            for key, below in list(at.items()) if isinstance(at, dict) else list(enumerate(at)):
                yield at, key
                stack.append((below, depth + 1))


NEVER_SHORT = {
    "apps-nvidia-com-nimcache-v1alpha1",
    "argoproj-io-workflow-v1alpha1",
    "grove-io-podcliqueset-v1alpha1",
    "milvus-io-milvus-v1beta1",
    "nvidia-com-dynamographdeployment-v1alpha1",
    "serving-kserve-io-inferenceservice-v1beta1",
    "sparkoperator-k8s-io-sparkapplication-v1beta2",
    "trainer-kubeflow-org-trainjob-v1alpha1",
}
"""Definitions all of whose components have instances, fragments or other things that take the long way."""


def objects(name: str) -> Iterator[Any]:
    """Frames of the recordings, then the same with a part replaced or gone."""
    chance = random.Random(name)
    for file in sorted((folder("fixtures") / name).glob("*.yaml")):
        for recording in load_recordings(file).recordings:
            yield from (frame.obj for frame in recording.frames)
            for _ in range(30):
                obj = copy.deepcopy(chance.choice(recording.frames).obj)
                container, key = chance.choice(list(places({k: obj[k] for k in ("spec", "status") if k in obj})))
                if chance.random() < 0.3:
                    del container[key]
                else:
                    container[key] = chance.choice(ODD)
                yield obj


@pytest.mark.parametrize("file", CATALOG, ids=lambda file: file.stem)
def test_components_in_order_are_read_as_any_other(file: Path) -> None:
    usual = 0
    for item in load_file(file).items:
        for obj in objects(file.stem):
            for component in item.definition.components:
                if component.instance_ids is None and component.spec is None and component.scale is None:
                    continue
                evaluator = Evaluator(obj)
                short = extract._as_usual(component, evaluator)
                if short is not None:
                    usual += 1
                    assert short == extract._in_full(component, evaluator)
    assert bool(usual) is (file.stem not in NEVER_SHORT)


@pytest.mark.parametrize("file", CATALOG, ids=lambda file: file.stem)
def test_status_words_mean_what_the_matchers_say(file: Path) -> None:
    for item in load_file(file).items:
        mapped = item.definition.root.status
        words = status.words_of(mapped)
        assert words is not None
        for obj in objects(file.stem):
            evaluator = Evaluator(obj)
            assert status.read_status(mapped, evaluator, words) == status.read_status(mapped, evaluator)
