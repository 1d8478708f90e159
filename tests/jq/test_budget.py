"""Whatever a program does, it ends soon, within its memory, with one clear error."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import yaml

from kartatest.jq.budget import Budget
from kartatest.jq.compile import compile as compile_program
from kartatest.jq.errors import JqBudgetError, JqCompileError, JqRunError

CASES = yaml.safe_load((Path(__file__).parent / "cases" / "run" / "greedy.yaml").read_text("utf-8"))


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


RUN_ALL = """
import json, resource, sys, time
from kartatest.jq.compile import compile
from kartatest.jq.errors import JqBudgetError
told = []
for program in json.load(sys.stdin):
    start = time.process_time()
    try:
        compile(program, trusted=True).run(None)
        message = None
    except JqBudgetError as e:
        message = e.message
    told.append((program, message, time.process_time() - start))
json.dump({"told": told, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}, sys.stdout)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured as Linux counts it")
def test_greedy_programs_are_stopped_in_time_and_memory() -> None:
    done = subprocess.run(
        [sys.executable, "-c", RUN_ALL], input=json.dumps(CASES["stopped"]), capture_output=True, text=True, check=True
    )
    told = json.loads(done.stdout)
    for program, message, seconds in told["told"]:
        assert message, f"{program} was not stopped"
        assert "\n" not in message
        assert seconds < 6, f"{program} took {seconds:.1f} s"  # a quarter of it on a machine that does nothing else
    assert told["peak"] < 512 * 1024


@pytest.mark.parametrize("program", CASES["fine"])
def test_large_but_honest_work_is_done(program: str) -> None:
    assert compile_program(program, trusted=True).run(None)


@pytest.mark.parametrize(
    "program", ["tojson", ". == .", "sort", "flatten", "walk(.)", "[..] | tojson", ".. | .. | select(false)"]
)
def test_deep_value_is_a_clear_error(program: str) -> None:
    with pytest.raises(JqBudgetError):
        compile_program(program).run([nested(10_000), nested(10_000)])


def test_deep_value_may_pass_through() -> None:
    value = {"a": nested(10_000)}
    assert compile_program(".a").run(value)[0] is value["a"]


def test_try_does_not_catch_the_budget() -> None:
    with pytest.raises(JqBudgetError):
        compile_program('try ("x" * 1000000000) catch "caught"').run(None)


def test_a_thousand_outputs_are_allowed_and_one_more_is_not() -> None:
    assert len(compile_program(".[]").run(list(range(1000)))) == 1000
    with pytest.raises(JqBudgetError, match="1001 results, more than 1000"):
        compile_program(".[]").run(list(range(1001)))


def test_budget_can_be_set() -> None:
    program = compile_program("[.[] | . + 1]")
    assert program.run([1, 2, 3], budget=Budget(steps=10)) == [[2, 3, 4]]
    with pytest.raises(JqBudgetError, match="steps"):
        program.run(list(range(100)), budget=Budget(steps=10))
    assert program.run([1]) == [[2]]  # each run starts afresh


@pytest.mark.parametrize(
    "program", ["while(true; .)", "[repeat(1)]", "until(false; .)", "[combinations]", "def f: f; f", "range(1e9)"]
)
def test_what_need_not_end_is_refused(program: str) -> None:
    with pytest.raises(JqCompileError):
        compile_program(program)


def test_regular_expressions_take_linear_time() -> None:
    start = time.process_time()
    assert compile_program('test("^(a+)+$")').run("a" * 200_000 + "b") == [False]
    assert time.process_time() - start < 2


def test_huge_regular_expressions_are_refused() -> None:
    for pattern in ("(((a{1,30}){1,30}){1,30}){1,30}", "a" * 20_000):
        with pytest.raises(JqRunError):
            compile_program(f'test("{pattern}")').run("a")


def test_a_long_path_is_followed_in_linear_time() -> None:
    start = time.process_time()
    traced = compile_program('getpath([range(100000) | "a"])').trace({})
    assert [len(t.path or ()) for t in traced] == [100_000]
    assert time.process_time() - start < 2


def test_a_regular_expression_counts_the_same_kept_or_not() -> None:
    program, budget = compile_program('[.[] | test("^(x|y){40}$")]'), Budget(steps=400)
    for _ in range(40):  # also once it is written out
        assert program.run(["x", "y"], budget=budget) == [[False, False]]
        with pytest.raises(JqBudgetError):
            program.run(["x" * 40] * 30, budget=budget)


@pytest.mark.parametrize("run", ["run", "trace"])
@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("reduce range(5000) as $i (.; [.])", "the results nest more than 300 levels deep"),
        ("reduce range(5000) as $i (.; {a: .})", "the results nest more than 300 levels deep"),
        ("reduce range(40) as $i (.; [., .])", "the results are larger than 64 MiB"),
    ],
)
def test_results_can_be_written_down(program: str, message: str, run: str) -> None:
    with pytest.raises(JqBudgetError, match=message):
        getattr(compile_program(program), run)({"a": 1})
