"""Definitions that a real scheduler was given: lint speaks of those it refused for what the definition says."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from kartatest.lint.engine import lint
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
