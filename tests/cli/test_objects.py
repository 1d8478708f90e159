"""The short way to the one object of a text gives what the long way gives, or nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from kartatest.cli import objects
from kartatest.cli.objects import workloads
from kartatest.recording import manifests
from kartatest.source import Source

ROOT = Path(__file__).parents[2]
PLAIN = (ROOT / "benchmarks" / "jobset.yaml").read_text("utf-8")
TEXTS = [
    PLAIN,
    PLAIN.replace("kind: JobSet", "kind: JobSetList"),
    PLAIN.replace("kind: JobSet", 'kind: ""'),
    PLAIN.replace("apiVersion: jobset.x-k8s.io/v1alpha2", "apiVersion: 7"),
    PLAIN.replace("metadata:", "data:"),
    f"---\n{PLAIN}",
    f"{PLAIN}\n---\n{PLAIN.replace('llama-train', 'other')}",
    f"# only words\n{PLAIN}",
    "kind: Event\napiVersion: v1\nmetadata: {name: a}\n",
    "",
    "[1, 2]",
    *(path.read_text("utf-8") for path in sorted((ROOT / "fixtures").rglob("*.yaml"))[:6]),
    *(path.read_text("utf-8") for path in sorted((ROOT / "catalog").glob("*.yaml"))[:2]),
]


def outcome(text: str) -> object:
    try:
        return workloads(Source("some.yaml", text))
    except Exception as error:
        return type(error), str(error)


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_the_short_way_is_the_long_way(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    short = outcome(text)
    monkeypatch.setattr(objects, "_alone", lambda _: None)
    assert short == outcome(text)


def test_one_plain_object_goes_the_short_way() -> None:
    found = objects._alone(Source("some.yaml", PLAIN))
    assert found is not None
    assert found["kind"] == "JobSet"


def test_both_ways_leave_out_the_same_kinds() -> None:
    assert {kind for _, kind in manifests._NO_STATES} <= set(objects.NO_WORKLOADS)
