"""libjq beside our engine: combined programs, normalised input, the process with bounds."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from kartatest.jq.errors import JqBudgetError, JqCompileError, JqRunError
from kartatest.jq.libjq import Result, evaluate, normalise
from kartatest.jq.reference import Reference
from kartatest.jq.worker import Worker


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with Worker(timeout_seconds=1.0) as started:
        yield started


def test_each_program_has_its_own_outputs_or_error() -> None:
    programs = [".a", ".b[]", ".b[].x", ".nothing", "empty", "error(null)", ".b[0], error(1)"]
    found = evaluate(programs, {"a": 1, "b": [1, 2]})
    assert [r.outputs for r in found] == [(1,), (1, 2), (), (None,), (), (), ()]
    assert [r.error is not None for r in found] == [False, False, True, False, False, True, True]


@pytest.mark.parametrize("bad", [".[", "nosuch(1)", "break $x", "$x", "1 as", "(", ". | #", "input", "env", "$__loc__"])
def test_a_bad_program_takes_no_other_down(bad: str) -> None:
    first, broken, last = evaluate([".a", bad, ".a + 1"], {"a": 1})
    assert (first, last) == (Result((1,)), Result((2,)))
    assert broken.error is not None


def test_comments_end_with_their_line() -> None:
    assert evaluate([".a # first", "# all of it\n.a", ".a"], {"a": 1}) == (Result((1,)),) * 3


def test_names_of_one_program_are_unknown_to_the_next() -> None:
    own, other = evaluate(["def f: 1; f", "f"], None)
    assert own == Result((1,))
    assert other.error is not None


def test_no_programs_no_results() -> None:
    assert evaluate([], {"a": 1}) == ()


def test_many_programs_keep_their_order() -> None:
    assert [r.outputs for r in evaluate([f". + {i}" for i in range(700)], 1)] == [(i + 1,) for i in range(700)]


@pytest.mark.parametrize(
    ("value", "seen"),
    [
        ({"b": 1, "a": {"d": 1, "c": 2}}, '{"a": {"c": 2, "d": 1}, "b": 1}'),
        ([3.0, 2.5, -0.0], "[3, 2.5, 0]"),
        (2**53 + 1, "9007199254740992"),
        ([True, None, "1.0"], '[true, null, "1.0"]'),
    ],
)
def test_input_is_seen_as_the_consumers_see_it(value: Any, seen: str) -> None:
    import json

    assert json.dumps(normalise(value)) == seen


def test_deep_input_is_an_error_not_a_crash() -> None:
    value: Any = 1
    for _ in range(20_000):
        value = [value]
    (found,) = evaluate(["."], value)
    assert found.error is not None


def test_too_many_outputs_are_an_error() -> None:
    few, many = evaluate([".[:1000][]", ".[]"], list(range(1001)))
    assert len(few.outputs) == 1000
    assert many.error is not None
    assert "1000" in many.error


def test_environment_stays_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KARTA_SECRET", "told")
    assert "told" not in repr(evaluate(["env.KARTA_SECRET", "$ENV.KARTA_SECRET", '"\\(env)"'], None))


def test_worker_says_what_libjq_says(worker: Worker) -> None:
    programs = [".a", ".b[]", ".["]
    assert worker.evaluate(programs, {"a": 1, "b": [1]}) == evaluate(programs, {"a": 1, "b": [1]})


@pytest.mark.skipif(sys.platform == "win32", reason="no bound on memory there")
@pytest.mark.parametrize(
    "program",
    ["[limit(1000000000; range(100000) | range(100000))] | length", 'reduce range(100) as $i ("x"; . + .) | length'],
)
def test_worker_stops_what_overruns_and_goes_on(worker: Worker, program: str) -> None:
    worker.evaluate(["."], 1)
    start = time.monotonic()
    with pytest.raises(JqBudgetError, match="libjq was stopped"):
        worker.evaluate([program], None)
    assert time.monotonic() - start < 10
    assert worker.evaluate(["."], 1) == (Result((1,)),)


def test_one_process_serves_many_calls(worker: Worker) -> None:
    worker.evaluate(["."], 1)
    process = worker._process
    assert [worker.evaluate([". + 1"], i)[0].outputs for i in range(20)] == [(i + 1,) for i in range(20)]
    assert worker._process is process


def test_a_reference_runs_all_texts_together_and_each_alone_where_one_is_greedy() -> None:
    greedy = "[range(90000) as $a | range(90000) as $b | 1] | length"
    with Worker(timeout_seconds=0.5) as worker:
        reference = Reference([".a", greedy, "", ".a.b", "no_such"], worker)
        for value in ({"a": 1}, {"a": 2.0}):
            with pytest.raises(JqBudgetError, match="stopped"):
                reference.run(greedy, value)
            assert reference.run(".a", value) == [int(value["a"])]
            assert reference.run(".a, .c", value) == [int(value["a"]), None]  # not among the texts
            with pytest.raises(JqRunError):
                reference.run(".a.b", value)
            with pytest.raises(JqRunError, match="no_such"):
                reference.run("no_such", value)
            with pytest.raises(JqCompileError, match="empty"):
                reference.run(" ", value)
