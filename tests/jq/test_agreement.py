"""Our engine against gojq, which it must equal, and libjq, which it equals but for what a table names."""

from __future__ import annotations

import re
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import yaml

from kartatest.jq import libjq
from tests.jq.engines import FAILED, of_gojq, of_libjq, ours, same
from tests.jq.generate import pairs
from tests.reference import ask, needs_oracle

TABLES = Path(__file__).parent / "cases" / "agreement"
SHAPES = yaml.safe_load((TABLES / "shapes.yaml").read_text("utf-8"))
GENERATED = 10_000
KNOWN_LIBJQ = ("1.13",)  # the binding that carries libjq 1.8.2


@cache
def rows() -> list[dict[str, Any]]:
    tables = sorted(p for p in TABLES.glob("*.yaml") if p.name != "shapes.yaml")
    return [row for table in tables for row in yaml.safe_load(table.read_text("utf-8"))]


def named(keys: tuple[str, ...]) -> list[Any]:
    return [
        pytest.param(row, id=f"{row['program']} <- {row['input']}"[:80])
        for row in rows()
        if any(k in row for k in keys)
    ]


@pytest.mark.parametrize("row", named(("ours", "gojq")))
def test_our_engine_gives_what_the_table_says(row: dict[str, Any]) -> None:
    wanted = row.get("ours", row.get("gojq"))
    assert same(ours(row["program"], row["input"]), wanted)


@cache
def answers() -> dict[int, Any]:
    told = [{"program": row["program"], "input": row["input"]} for row in rows()]
    return {id(row): of_gojq(answer) for row, answer in zip(rows(), ask("jq", told), strict=True)}


@needs_oracle
@pytest.mark.parametrize("row", named(("gojq",)))
def test_gojq_gives_what_the_table_says(row: dict[str, Any]) -> None:
    assert same(answers()[id(row)], row["gojq"])


@pytest.mark.skipif(not version("jq").startswith(KNOWN_LIBJQ), reason="the table is about libjq 1.8.2")
@pytest.mark.parametrize("row", named(("libjq", "gojq")))
def test_libjq_gives_what_the_table_says(row: dict[str, Any]) -> None:
    assert same(of_libjq(row["program"], row["input"]), row.get("libjq", row.get("gojq")))


def unexplained(engine: str, program: str) -> bool:
    return not any(re.search(known["shape"], program, re.DOTALL) for known in SHAPES[engine])


@needs_oracle
def test_generated_programs_mean_what_they_mean_to_gojq() -> None:
    made = list(pairs(2026, GENERATED))
    told = ask("jq", ({"program": program, "input": value} for program, value in made))
    wrong = []
    outputs = 0
    for (program, value), answer in zip(made, told, strict=True):
        if answer.get("error", "").startswith("panic"):
            continue
        theirs = of_gojq(answer)
        outputs += len(answer.get("outputs") or ())
        if not same(ours(program, value), theirs) and unexplained("gojq", program):
            wrong.append((program, value, theirs))
    assert not wrong, f"{len(wrong)} programs differ, such as {min(wrong, key=lambda w: len(str(w)))}"
    assert outputs > GENERATED  # the generator makes programs that work


def together(made: list[tuple[str, Any]]) -> list[Any]:
    """What libjq makes of each pair, many in one program: starting it costs more than most programs do."""
    programs = [f".[{i}] | ({program}\n)" for i, (program, _) in enumerate(made)]
    found = libjq.evaluate(programs, [value for _, value in made])
    return [FAILED if result.error is not None else list(result.outputs) for result in found]


def test_generated_programs_mean_what_they_mean_to_libjq() -> None:
    made = list(pairs(7, GENERATED, tamed=True))
    differing, wrong = 0, []
    for at in range(0, GENERATED, 50):
        some = made[at : at + 50]
        for (program, value), theirs in zip(some, together(some), strict=True):
            if not same(ours(program, value), theirs):
                differing += 1
                if unexplained("libjq", program):
                    wrong.append((program, value))
    assert not wrong, f"{len(wrong)} programs differ, such as {min(wrong, key=lambda w: len(str(w)))}"
    assert differing < GENERATED // 50
