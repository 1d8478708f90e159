"""Facts about syntax trees: on listed programs, and against what programs do when they run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from kartatest.jq import safety
from kartatest.jq.ast import walk
from kartatest.jq.compile import compile as compile_program
from kartatest.jq.count import Count, count
from kartatest.jq.errors import JqError
from kartatest.jq.mistakes import slips
from kartatest.jq.parse import parse
from kartatest.jq.places import Places
from kartatest.jq.shape import is_keyed_select, path_text, plain_path, possible_texts, result_type, writable
from tests.jq import generate

CASES = Path(__file__).parent / "cases" / "shape"


def cases(name: str) -> list[Any]:
    listed = yaml.safe_load((CASES / name).read_text("utf-8"))
    return [pytest.param(case, id=case["program"]) for case in listed]


@pytest.mark.parametrize("case", cases("paths.yaml"))
def test_paths(case: dict[str, Any]) -> None:
    tree = parse(case["program"])
    path = plain_path(tree)
    assert (None if path is None else path_text(path)) == case["plain"]
    assert writable(tree) is case.get("writable", False)
    if "reads" in case:
        assert sorted(path_text(p) for _, p in Places(tree).reads()) == sorted(case["reads"])


@pytest.mark.parametrize("case", cases("results.yaml"))
def test_results(case: dict[str, Any]) -> None:
    tree = parse(case["program"])
    if "type" in case:
        assert result_type(tree) == case["type"]
    if "texts" in case:
        texts = possible_texts(tree)
        assert (None if texts is None else sorted(texts)) == case["texts"]
    assert count(tree) == Count(*case["count"])


@pytest.mark.parametrize("case", cases("slips.yaml"))
def test_slips(case: dict[str, Any]) -> None:
    text = case["program"]
    tree = parse(text)
    unknown = {v.span for v in safety.violations(tree) if v.kind == "unknown-function"}
    found = slips(text, tree, unknown)
    assert [[s.kind, s.text, s.meant] for s in found] == case["slips"]
    for slip in found:
        assert text[slip.span.start : slip.span.end] == slip.text
        mended = text[: slip.span.start] + slip.meant + text[slip.span.end :]
        after = {v.span for v in safety.violations(parse(mended)) if v.kind == "unknown-function"}
        assert len(slips(mended, parse(mended), after)) == len(found) - 1


def kind(value: Any) -> str:
    names = {type(None): "null", bool: "boolean", int: "number", float: "number", str: "string", list: "array"}
    return names.get(type(value), "object")


@pytest.mark.parametrize("seed", range(6))
def test_what_programs_give_is_what_their_shape_says(seed: int) -> None:
    checked = typed = bounded = plain = 0
    for text, value in generate.pairs(seed, 400):
        try:
            tree = parse(text)
            program = compile_program(text)
            outputs = program.run(value)
        except JqError:
            continue
        checked += 1
        if not any(is_keyed_select(node) for node in walk(tree)):
            bounds = count(tree)
            assert bounds.low <= len(outputs), text
            assert bounds.high is None or len(outputs) <= bounds.high, text
            bounded += bounds.high is not None
        wanted = result_type(tree)
        if wanted is not None:
            typed += bool(outputs)
            assert {kind(output) for output in outputs} <= {wanted}, text
        texts = possible_texts(tree)
        if texts is not None:
            assert set(compile_program(f"({text}) | tostring").run(value)) <= texts, text
        path = plain_path(tree)
        if path:
            plain += 1
            for place in program.paths(value):
                assert len(place) == len(path), text
                assert all(want is None or want == step for want, step in zip(path, place, strict=True)), text
    assert checked > 100
    assert typed
    assert bounded
    assert plain
