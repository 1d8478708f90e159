"""Every expression of the catalog on every frame of the fixtures: our engine, libjq and gojq read the same."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kartatest.data import folder
from kartatest.definition.load import load_file
from kartatest.definition.walk import expressions
from kartatest.jq import libjq
from kartatest.recording.load import load
from kartatest.source import Source
from tests.jq.engines import FAILED, of_gojq, ours, same
from tests.reference import ask, needs_oracle

CATALOG = sorted(folder("catalog").glob("*.yaml"))


@cache
def texts(file: Path) -> tuple[str, ...]:
    """The different expressions of a definition, in their order."""
    definitions = [item.definition for item in load_file(file).items]
    return tuple(dict.fromkeys(e.text for d in definitions for e in expressions(d) if e.text.strip()))


@cache
def objects(name: str) -> list[Any]:
    """The objects and pods of all recordings of a definition."""
    found: list[Any] = []
    for file in sorted((folder("fixtures") / name).glob("*.yaml")):
        for recording in load(Source(str(file), file.read_text("utf-8"))).recordings:
            for frame in recording.frames:
                found += [frame.obj, *frame.pods]
    return found


@pytest.mark.parametrize("file", CATALOG, ids=lambda file: file.stem)
def test_libjq_reads_the_same(file: Path) -> None:
    programs = texts(file)
    assert programs
    for value in objects(file.stem):
        for program, result in zip(programs, libjq.evaluate(programs, value), strict=True):
            theirs = FAILED if result.error is not None else list(result.outputs)
            assert same(ours(program, value), theirs), program


@needs_oracle
@pytest.mark.parametrize("file", CATALOG, ids=lambda file: file.stem)
def test_gojq_reads_the_same(file: Path) -> None:
    told = [{"program": program, "input": value} for value in objects(file.stem) for program in texts(file)]
    for question, answer in zip(told, ask("jq", told), strict=True):
        assert same(ours(question["program"], question["input"]), of_gojq(answer)), question["program"]
