"""Programs written out as one function: the same outputs, errors, places and counts as their closures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from kartatest.data import folder
from kartatest.definition.load import load_file
from kartatest.definition.walk import expressions
from kartatest.jq.budget import DEFAULT, Budget
from kartatest.jq.compile import Program
from kartatest.jq.compile import compile as compile_program
from kartatest.jq.errors import JqError
from kartatest.jq.parse import parse
from kartatest.jq.straight import straight
from kartatest.recording.find import load_file as load_recordings
from tests.jq.generate import pairs

CASES = Path(__file__).parent / "cases" / "straight.yaml"
CATALOG = sorted(folder("catalog").glob("*.yaml"))
RUNS = 40


def outcome(run: Any, program: Program, value: Any, budget: Budget = DEFAULT) -> Any:
    """Outputs with what is left of the budget, or the error with its place."""
    meter = program._meter
    meter.reset(budget)
    try:
        outputs = run(value, None)
    except JqError as error:
        return type(error), error.message, error.span
    return repr(outputs), meter.steps, meter.bytes


def compare(text: str, *values: Any, budget: Budget = DEFAULT) -> bool:
    """Whether the program could be written out; then both ways do the same on each value."""
    try:
        program = compile_program(text)
    except JqError:
        return False
    written = straight(program.tree, program._meter)
    if written is None:
        return False
    for value in values:
        expected = outcome(program._code.collect, program, value, budget)
        assert outcome(written, program, value, budget) == expected, (text, value)
    return True


@pytest.mark.parametrize("case", yaml.safe_load(CASES.read_text("utf-8")), ids=lambda case: case["program"][:60])
def test_written_out_programs_do_what_their_closures_do(case: dict[str, Any]) -> None:
    assert compare(case["program"], *case["inputs"])


def test_generated_programs_do_the_same_both_ways() -> None:
    written = sum(compare(text, value) for text, value in pairs(31, 6000))
    assert written > 5000


def test_budgets_end_in_the_same_place() -> None:
    for text, value in pairs(32, 1500):
        for steps in (1, 3, 6):
            compare(text, value, budget=Budget(steps=steps, bytes=400))


@pytest.mark.parametrize("file", CATALOG, ids=lambda file: file.stem)
def test_catalog_expressions_do_the_same_both_ways(file: Path) -> None:
    values: list[Any] = [None, {}, {"spec": [], "status": {"conditions": {"a": 1}}}, {"spec": {}, "status": "x"}]
    for recording in sorted((folder("fixtures") / file.stem).glob("*.yaml")):
        values += [frame.obj for r in load_recordings(recording).recordings for frame in r.frames]
    for item in load_file(file).items:
        for text in {e.text for e in expressions(item.definition)}:
            assert compare(text, *values)


def test_a_program_is_written_out_once_it_has_run_a_few_times() -> None:
    program = Program(".a[] | . + 1", parse(".a[] | . + 1"))
    outputs = [program.run({"a": [i, "x" if i == 5 else 1]}) if i != 5 else None for i in range(RUNS)]
    assert outputs == [None if i == 5 else [i + 1, 2] for i in range(RUNS)]
    assert program._collect.__code__.co_filename == "<jq>"


DEEP = "[.[] | " * 40 + "." + "]" * 40
WIDE = "{" + ", ".join([f"k{i}: .a" for i in range(600)]) + "}"
BUSHY = "(1, 2) | " * 30 + "."


@pytest.mark.parametrize("text", [DEEP, WIDE, BUSHY])
def test_what_would_be_too_long_stays_closures(text: str) -> None:
    tree = parse(text)
    assert straight(tree, Program(text, tree)._meter) is None


def test_texts_of_a_program_stay_texts() -> None:
    nasty = 'a"b\'c\\\n{}%s"""\u2028\x00'
    literal = json.dumps(nasty)
    assert compare(f".[{literal}]", {nasty: 1}, {}, None, "x")
    assert compare(f"{{{literal}: .a}} | . == {{}}, .[{literal}] == {literal}", {"a": nasty}, {"a": 2})
