"""Typing is cheap enough to be always on."""

from __future__ import annotations

import time

from benchmarks.bench_infer import work
from kartatest import catalog
from kartatest.infer import infer


def test_a_definition_of_the_catalog_is_typed_in_15_ms_of_cpu() -> None:
    every = list(work())
    assert len(every) > 40
    definitions = len(catalog.names())

    def once() -> float:
        started = time.process_time()
        for _, tree, type_ in every:
            infer(tree, type_)
        return time.process_time() - started

    assert min(once() for _ in range(3)) < 0.015 * definitions


def test_a_program_that_would_take_for_ever_is_given_up() -> None:
    from kartatest.jq import parse

    (_, _, type_), *_ = work()
    deep = "def f(g): g | g; " + "f(" * 40 + "." + ")" * 40
    started = time.process_time()
    found = infer(parse(deep), type_)
    assert not found.complete
    assert time.process_time() - started < 5
