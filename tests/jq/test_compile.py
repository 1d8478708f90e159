"""Programs as closures: outputs, places, coverage, errors."""

from __future__ import annotations

import copy
import threading
from pathlib import Path
from typing import Any

import pytest
import yaml

from kartatest.jq.ast import Identity as Here
from kartatest.jq.ast import Index, Literal, walk
from kartatest.jq.compile import Program, Traced
from kartatest.jq.compile import compile as compile_program
from kartatest.jq.errors import JqCompileError, JqRunError, JqSyntaxError
from kartatest.jq.parse import parse
from kartatest.source import Span
from tests.jq.engines import FAILED, same
from tests.jq.generate import pairs
from tests.reference import ask, needs_oracle

CASES = Path(__file__).parent / "cases" / "run"


def cases(name: str) -> list[Any]:
    loaded = yaml.safe_load((CASES / name).read_text("utf-8"))
    return [pytest.param(case, id=case["program"]) for case in loaded]


@pytest.mark.parametrize("case", cases("changes.yaml"))
def test_changing_operators(case: dict[str, Any]) -> None:
    before = copy.deepcopy(case["input"])
    try:
        found: Any = compile_program(case["program"], trusted=True).run(case["input"])
    except JqRunError:
        found = FAILED
    assert same(found, case["output"])
    assert case["input"] == before  # never changed in place


@needs_oracle
def test_changing_operators_mean_what_they_mean_to_gojq() -> None:
    told = [case.values[0] for case in cases("changes.yaml")]
    for case, answer in zip(
        told, ask("jq", [{"program": c["program"], "input": c["input"]} for c in told]), strict=True
    ):
        assert same(FAILED if "error" in answer else answer["outputs"], case["output"]), case["program"]


@pytest.mark.parametrize("case", cases("traces.yaml"))
def test_outputs_know_their_place(case: dict[str, Any]) -> None:
    program = compile_program(case["program"])
    traced = program.trace(case["input"])
    assert [t.value for t in traced] == program.run(case["input"])
    assert [None if t.path is None else list(t.path) for t in traced] == case["paths"]


def test_traced_values_lie_where_they_say() -> None:
    for text, value in pairs(11, 2000):
        try:
            program = compile_program(text)
            outputs = program.run(value)
        except JqRunError:
            continue
        traced = program.trace(value)
        assert same([t.value for t in traced], outputs), text
        for t in traced:
            if t.path is not None and all(isinstance(k, (str, int)) for k in t.path):
                there = value
                for key in t.path:
                    there = None if there is None else there.get(key) if isinstance(there, dict) else item(there, key)
                assert same(there, t.value), (text, t)


def item(values: Any, key: Any) -> Any:
    return values[key] if -len(values) <= key < len(values) else None


def test_input_is_used_as_it_is() -> None:
    value = {"spec": {"seed": 9007199254740993}}
    assert compile_program(".spec").run(value)[0] is value["spec"]
    assert compile_program(".spec.seed").run(value) == [9007199254740993]  # passed through: exact (Q18)
    assert compile_program(".spec.seed | tostring, . == 9007199254740992").run(value) == ["9007199254740992", True]


def test_error_knows_its_step() -> None:
    text = ".metadata.name | .first.second"
    with pytest.raises(JqRunError) as caught:
        compile_program(text).run({"metadata": {"name": "x"}})
    assert caught.value.span is not None
    assert text[caught.value.span.start : caught.value.span.end].startswith(".first")
    assert caught.value.message == 'cannot read "first" of string "x"'


@pytest.mark.parametrize(
    "text", [".a + .b", ".a - 1", "-.a", ".a | keys", ".a[]", '.a | test("x")', ".a | abs", "{(.a): 1}", ".b | error"]
)
def test_errors_have_a_span_inside_the_text(text: str) -> None:
    with pytest.raises(JqRunError) as caught:
        compile_program(text).run({"a": True, "b": "no"})
    assert caught.value.span is not None
    assert 0 <= caught.value.span.start < caught.value.span.end <= len(text)


def test_text_and_tree_compile_to_the_same() -> None:
    tree = Index(Here(), Literal("a"))
    program = compile_program(tree)
    assert isinstance(program, Program)
    assert program.text == ".a"
    assert program.run({"a": 1}) == compile_program(".a").run({"a": 1}) == [1]
    assert compile_program(".a") is compile_program(".a")


@pytest.mark.parametrize("text", ["nosuch", "map", "$x", "break $x", "input", "now", "env", ".a = 1", "del(.a)"])
def test_what_cannot_run_does_not_compile(text: str) -> None:
    with pytest.raises(JqCompileError) as caught:
        compile_program(text)
    assert caught.value.span is not None


@pytest.mark.parametrize("text", ["nosuch", "map", "$x", "break $x", 'import "a" as a; 1'])
def test_unknown_names_do_not_compile_even_when_trusted(text: str) -> None:
    with pytest.raises(JqCompileError):
        compile_program(text, trusted=True)


def test_syntax_errors_are_raised() -> None:
    with pytest.raises(JqSyntaxError):
        compile_program(".[")


def reached(text: str, *values: Any) -> set[str]:
    program, hits = compile_program(text), set[Span]()
    for value in values:
        assert same(program.run_covered(value, hits), program.run(value))
    return {text[s.start : s.end] for s in hits}


def test_coverage_tells_what_was_reached() -> None:
    text = 'if .a then .b.c else .d end, (.e // "none")'
    assert ".b.c" not in reached(text, {"a": False, "e": 1})
    assert '"none"' not in reached(text, {"a": False, "e": 1})
    assert {".a", ".d", ".e"} <= reached(text, {"a": False, "e": 1})
    assert {".b.c", ".b", ".d", '"none"'} <= reached(text, {"a": True, "b": {}}, {})


def test_coverage_sees_inside_selects() -> None:
    text = '.items[] | select(.kind == "x") | .name'
    assert ".name" not in reached(text, {"items": [{"kind": "y"}]})
    assert ".name" in reached(text, {"items": [{"kind": "x"}]})


def test_covered_runs_give_the_same_and_only_known_spans() -> None:
    for text, value in pairs(13, 1500):
        program, hits = compile_program(text), set[Span]()
        try:
            outputs = program.run(value)
        except JqRunError:
            with pytest.raises(JqRunError):
                program.run_covered(value, hits)
        else:
            assert same(program.run_covered(value, hits), outputs)
        known = {node.span for node in walk(parse(text))}
        assert hits <= known | {Span(s.start, s.end) for s in known}


def test_covered_error_keeps_the_hits() -> None:
    hits = set[Span]()
    with pytest.raises(JqRunError):
        compile_program(".a | .b").run_covered({"a": 1}, hits)
    assert Span(0, 2) in hits


def test_threads_may_share_a_program() -> None:
    program = compile_program("[.[] | . * 2] | add")
    found: list[Any] = []

    def work(i: int) -> None:
        found.extend((i, out) for _ in range(50) for out in program.run([i, i]))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert sorted(set(found)) == [(i, 4 * i) for i in range(4)]
    assert Traced(1, ("a",)) == Traced(1, ("a",))
