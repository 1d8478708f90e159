"""Definitions that a real scheduler was given: lint speaks of those it refused for what the definition says."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from kartatest.lint.engine import lint
from kartatest.recording.model import Frame, Recording
from kartatest.replay import evidence
from kartatest.source import Source
from tests import realdata

WANTED: dict[str, list[str]] = yaml.safe_load(Path(__file__).with_name("scheduler.yaml").read_text("utf-8"))
BREVITY = {"KT113", "KT409", "KT906"}


@pytest.mark.skipif(realdata.kai() is None, reason=realdata.ABSENT)
def test_codes_of_each_case() -> None:
    folder = realdata.kai()
    assert folder is not None
    found: dict[str, list[str]] = {}
    for file in sorted(folder.glob("*.yaml")):
        case = yaml.safe_load(file.read_text("utf-8"))
        codes: set[str] = set()
        for definition in case.get("definitions", []):
            text = yaml.safe_dump(definition, sort_keys=False)
            codes |= {d.code for d in lint(Source(file.name, text))} - BREVITY
        if codes:
            found[case["case"]] = sorted(codes)
    assert found == WANTED


SHOWN: dict[str, list[str]] = yaml.safe_load(Path(__file__).with_name("scheduler-shown.yaml").read_text("utf-8"))


@pytest.mark.skipif(realdata.kai() is None, reason=realdata.ABSENT)
def test_what_their_objects_show() -> None:
    """With the workload as evidence: the counts that it refused, subgroups at 0, and minima that are not what is meant.

    Where a rule speaks of a refusal, the scheduler did refuse.
    """
    folder = realdata.kai()
    assert folder is not None
    found: dict[str, list[str]] = {}
    for file in sorted(folder.glob("*.yaml")):
        case = yaml.safe_load(file.read_text("utf-8"))
        frames = Recording(file.name, "", "", "", file.stem, (Frame(0, case["objects"][0]),))
        codes: set[str] = set()
        for definition in case.get("definitions", []):
            source = Source(file.name, yaml.safe_dump(definition, sort_keys=False))
            given = lint(source, evidence=lambda item, frames=frames: evidence(item.definition, [frames]))
            codes |= {d.code for d in given} & {"KT712", "KT713", "KT714", "KT622"}
        if codes:
            found[case["case"]] = sorted(codes)
        if codes & {"KT713", "KT714"}:
            assert all("refusal" in pod or "refusalOnlyInLog" in pod for pod in case["result"]["pods"]), file.name
    assert found == SHOWN
