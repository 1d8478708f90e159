"""Scenarios are read as they are written, and what is wrong with them is said at its place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kartatest.cluster.scenario import Step, files, load, load_file
from kartatest.definition.scenarios import scenario_schema
from kartatest.errors import FileError
from kartatest.recording.find import load_file as load_recording
from kartatest.source import Json, Source

CASES = Path(__file__).parent / "scenarios"


def _shown(step: Step) -> str:
    way = [f"{e.status}{'!' if e.must else ''}" for e in (*step.through, *([step.expect] if step.expect else []))]
    named = [obj["metadata"]["name"] for obj in step.objects]
    return f"{step.title}: {' '.join([*named, ' -> '.join(way), f'{step.timeout_seconds:g} s'])}"


@pytest.mark.parametrize("case", sorted(CASES.glob("*.yaml")), ids=lambda p: p.stem)
def test_case(case: Path, request: pytest.FixtureRequest) -> None:
    loaded = load_file(case, name=case.name)
    assert (loaded.scenario is None) == bool(loaded.diagnostics)
    lines = []
    if loaded.scenario is not None:
        lines += [f"{loaded.scenario.flow}: {loaded.scenario.target} in {loaded.scenario.target.namespace}"]
        lines += [_shown(step) for step in loaded.scenario.steps]
    for d in loaded.diagnostics:
        line, column = d.source.position(d.span.start)
        lines.append(f"{d.code} {line}:{column} {d.message}" + (f" | {d.help}" if d.help else ""))
    text = "\n".join(lines) + "\n"
    out = case.with_suffix(".out")
    if request.config.getoption("--karta-update", default=False):
        out.write_text(text, "utf-8")
    assert text == out.read_text("utf-8")


def test_a_manifest_that_is_away_is_an_error_of_the_call(tmp_path: Path) -> None:
    text = "{definition: d, operator: o, versions: [v1], steps: [{apply: {file: away.yaml}}]}"
    with pytest.raises(FileError, match=r"away\.yaml"):
        load(Source("s.yaml", text), folder=tmp_path)


_WORDS = [*scenario_schema()["properties"], "apply", "resource", "Running", "status", "when", "become", "metadata"]
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", ".x", "10s", *_WORDS]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_WORDS), inner, max_size=4),
    max_leaves=12,
)


@given(_JSON)
def test_whatever_stands_there_is_told_and_never_raised(value: Json) -> None:
    loaded = load(Source("s.yaml", json.dumps(value)))
    assert loaded.scenario is None
    assert loaded.diagnostics


def test_scenarios_of_a_folder_are_its_own_yaml_files(tmp_path: Path) -> None:
    folder = tmp_path / "scenarios"
    (folder / "parts").mkdir(parents=True)
    for name in ("b.yaml", "a.yml", "c.json", "parts/d.yaml"):
        (folder / name).write_text("")
    assert [p.name for p in files(tmp_path)] == ["a.yml", "b.yaml"]


FIXTURES = Path(__file__).parents[2] / "fixtures"
OURS = sorted(FIXTURES.glob("*/scenarios/*.yaml"))


@pytest.mark.parametrize("file", OURS, ids=lambda p: f"{p.parts[-3]}-{p.stem}")
def test_ours_are_well_formed(file: Path) -> None:
    loaded = load_file(file, name=file.name)
    assert loaded.diagnostics == ()
    assert loaded.scenario is not None
    assert loaded.scenario.definition == file.parts[-3]


def test_recordings_of_scenarios_are_what_these_make() -> None:
    """A recording that says which scenario made it is of that one's flow and versions, and every frame is expected."""
    found = 0
    for file in sorted(FIXTURES.glob("*/*.yaml")):
        for made in load_recording(file).recordings:
            if " in the lab" not in str(made.source):
                continue
            found += 1
            scenario = load_file(file.parent / str(made.source).split(" ")[0]).scenario
            assert scenario is not None, file
            assert (made.definition, made.operator, made.flow) == (
                scenario.definition,
                scenario.operator,
                scenario.flow,
            )
            assert made.version in scenario.versions, file
            assert all(frame.expected is not None and len(frame.expected) == 1 for frame in made.frames), file
    assert found >= 30
