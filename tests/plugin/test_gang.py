"""The item `::gang`: there where a recording expects pod groups, and red where they are not as expected."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

CREW = Path(__file__).parents[1] / "cli" / "gang"
DEF = "--karta-def=crew.yaml"
GROUP = "pg-<uid>-gang"


@pytest.fixture
def crew(pytester: pytest.Pytester) -> pytest.Pytester:
    (pytester.path / "crew.yaml").write_text((CREW / "crew-definition.yaml").read_text("utf-8"), "utf-8")
    return pytester


def _record(crew: pytest.Pytester, gang: Any) -> None:
    frame = {
        "object": yaml.safe_load((CREW / "crew.yaml").read_text("utf-8")),
        "pods": list(yaml.safe_load_all((CREW / "pods.yaml").read_text("utf-8"))),
        **({"gang": gang} if gang else {}),
    }
    folder = crew.path / "fixtures"
    folder.mkdir()
    recording = {"definition": "demo-io-crew-v1", "version": "v1", "flow": "night", "frames": [frame]}
    (folder / "v1-night.yaml").write_text(yaml.safe_dump(recording), "utf-8")


def test_holds(crew: pytest.Pytester) -> None:
    _record(
        crew,
        {
            "definition": {"groups": {GROUP: {"pool": 8}}, "pods": {"night-cook": GROUP}},
            "kai@2026-08": {
                "groups": {GROUP: {"pool": 16}},
                "pods": {"night-lead-0": f"{GROUP} pool", "night-watch": "ignored"},
            },
        },
    )
    crew.runpytest(DEF, "crew.yaml::v1-night::gang").assert_outcomes(passed=1)


def test_says_what_is_otherwise(crew: pytest.Pytester) -> None:
    _record(crew, {"kai@2026-08": {"groups": {GROUP: {"pool": 8}}}, "kai@2031-01": {"pods": {}}})
    result = crew.runpytest(DEF, "crew.yaml::v1-night::gang")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "*frame 0, kai@2026-08: group 'pg-5f0c61de-*-gang' needs pool 16, expected pool 8",
            "*  note: for 'pool' KAI Scheduler counts 16, and the counts as written come to 8",
            "*frame 0, kai@2031-01: nothing is known of it, only of definition, kai@2026-08",
        ]
    )


def test_is_not_there_without_expectation(crew: pytest.Pytester) -> None:
    _record(crew, None)
    assert not any(line.endswith("::gang") for line in crew.runpytest("--collect-only", "-q", DEF).outlines)
