"""Every expression of the catalog: libjq agrees with our engine, recordings reach all of it, each gives a value on one,
each matcher holds on one and fails on another, writes have places."""

from __future__ import annotations

import json
from functools import cache

import jq
import pytest

from kartatest.definition.model import Expr, Root
from kartatest.definition.walk import expressions
from kartatest.jq.ast import Call, Literal, String, walk
from kartatest.jq.compile import Program
from kartatest.jq.compile import compile as compile_text
from kartatest.source import JsonObject, Span
from tests import realdata
from tests.catalog.reading import NAMES, definition, our_flows, read
from tests.catalog.tables import AT_WORK, READ_ONLY, TOLD_TO_SUSPEND

FLOWS = list(our_flows())
REAL = list(realdata.recorded_flows())
WRITTEN = [
    (name, e)
    for name in NAMES
    for e in expressions(definition(name))
    if e.use.written and e.use.value not in READ_ONLY.get(name, ())
]


@cache
def _program(text: str) -> Program:
    return compile_text(text)


def _inputs(name: str, expr: Expr, *, real: bool) -> list[JsonObject]:
    """Every object, or every pod, that the recordings of a kind hold, each state once."""
    frames = [f for flow in [*FLOWS, *(REAL if real else [])] if flow.definition == name for f in flow.frames]
    objects = [frame.obj for frame in frames] if expr.root is Root.WORKLOAD else [p for f in frames for p in f.pods]
    return [json.loads(text) for text in sorted({json.dumps(o, sort_keys=True) for o in objects})]


@pytest.mark.parametrize("name", NAMES)
def test_libjq_agrees(name: str) -> None:
    for text, expr in {e.text: e for e in expressions(definition(name))}.items():
        inputs = _inputs(name, expr, real=True)
        assert inputs
        reference = jq.compile(text)
        for value in inputs:
            assert _program(text).run(value) == reference.input_value(value).all(), text


@pytest.mark.parametrize("name", NAMES)
def test_our_recordings_reach_every_literal_and_call(name: str) -> None:
    for text, expr in {e.text: e for e in expressions(definition(name))}.items():
        hits: set[Span] = set()
        for value in _inputs(name, expr, real=False):
            _program(text).run_covered(value, hits)
        missed = [
            text[n.span.start : n.span.end]
            for n in walk(_program(text).tree)
            if isinstance(n, Literal | String | Call) and n.span not in hits
        ]
        assert not missed, text


@pytest.mark.parametrize("name", NAMES)
def test_our_recordings_show_each_expression_a_value(name: str) -> None:
    """No path, selector or instruction is taken on trust: each gives more than null on an object or pod of ours."""
    silent = [
        ".".join(map(str, e.at))
        for e in expressions(definition(name))
        if all(output is None for value in _inputs(name, e, real=False) for output in _program(e.text).run(value))
    ]
    assert not silent


@pytest.mark.parametrize("name", NAMES)
def test_each_matcher_holds_on_one_of_our_frames_and_fails_on_another(name: str) -> None:
    status = definition(name).root.status
    assert status is not None
    for mapping in status.mappings:
        for matcher in mapping.matchers:
            expr = matcher.expression
            assert expr is not None
            found = {_program(expr.text).run(value) == [matcher.expected] for value in _inputs(name, expr, real=False)}
            assert found == {True, False}, (mapping.status, expr.text)


@pytest.mark.parametrize(("name", "expr"), WRITTEN, ids=lambda v: v if isinstance(v, str) else ".".join(map(str, v.at)))
def test_written_paths_are_paths(name: str, expr: Expr) -> None:
    """Each output stands at a place of its own, so that a value can be written where it was read."""
    for value in _inputs(name, expr, real=True):
        places = _program(expr.text).paths(value)
        assert len(places) == len(set(places)) == len(_program(expr.text).run(value))


@pytest.mark.parametrize("name", [n for n in NAMES if definition(n).root.suspend])
def test_suspend_and_resume_ask_for_what_the_status_reads(name: str) -> None:
    """One that runs reads Suspending, or what its kind says, when told to suspend, and Running again when resumed."""
    suspend = definition(name).root.suspend
    assert suspend is not None
    (running, *_) = (
        f.obj for flow in FLOWS if flow.definition == name for f in flow.frames if f.expected == (AT_WORK[name],)
    )
    for actions, status in ((suspend.suspend, TOLD_TO_SUSPEND[name]), (suspend.resume, AT_WORK[name])):
        obj = json.loads(json.dumps(running))
        for action in actions:
            assert action.path is not None
            assert action.value is not None
            (place,) = _program(action.path.text).paths(obj)
            parent = obj
            for key in place[:-1]:
                parent = parent.setdefault(key, {})
            parent[place[-1]] = json.loads(action.value)
        assert [s.value for s in read(name, obj).statuses] == [status]
