from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kartatest.definition.load import load, load_file
from kartatest.definition.model import Status
from kartatest.source import Source
from kartatest.why import explanation, looked_at, why

RIG = Path(__file__).parent / "rig"
DEFINITION = load_file(RIG / "trainrig.yaml").items[0].definition
READY = {"type": "Ready", "status": "True"}


def lines(status: str, **fields: Any) -> str:
    return "\n".join(why(DEFINITION, {"kind": "TrainRig", "spec": {"size": 2}, "status": fields}, status))


def test_the_nearest_miss() -> None:
    assert lines("Running", phase="Up", conditions=[READY]) == (
        "Running does not hold:\n"
        "  nearest is statusMappings.running[0]: 2 of 3 parts hold; `Available` is absent\n"
        '    holds: the phase should be "Up"; it is "Up"\n'
        '    holds: condition `Ready` should have status "True"; its status is "True"\n'
        '    fails: condition `Available` should have status "True"; `Available` is absent\n'
        "    conditions there: Ready=True"
    )


def test_what_holds() -> None:
    assert lines("Completed", done=2) == (
        "Completed holds by statusMappings.completed[0]:\n"
        '  holds: the expression should give "true"; it gives true\n'
        "  expression: .status.done == .spec.size\n"
        "  .status.done is 2\n"
        "  .spec.size is 2"
    )


def test_what_a_condition_says_instead() -> None:
    text = lines(
        "Failed", conditions=[{"type": "Failed", "status": "True", "reason": "Evicted", "message": "node gone"}]
    )
    assert 'its status is "True", reason "Evicted", message "node gone"' in text


def test_undefined() -> None:
    assert lines("Undefined", phase="Up", conditions=[READY]).splitlines()[:2] == [
        "no mapped status holds; the nearest:",
        "  Running: 2 of 3 parts hold; `Available` is absent",
    ]
    assert lines("Undefined", phase="Starting") == "Undefined does not hold, because Initializing does"


def test_unreadable_statuses_say_which_expression_fails() -> None:
    text = lines("Running", conditions={"Ready": True})
    assert text.splitlines()[0] == "the statuses cannot be read, because an expression that is reached fails:"
    assert "conditionsDefinition.path: conditions are an object, not a list" in text
    assert '.status.conditions is {"Ready": true}' in text


def test_a_status_that_is_not_mapped() -> None:
    assert lines("Degraded") == "no matcher is mapped to Degraded"
    spec = "{structureDefinition: {rootComponent: {name: x}}}"
    bare = f"apiVersion: run.ai/v1alpha1\nkind: Karta\nmetadata: {{name: bare}}\nspec: {spec}"
    definition = load(Source("bare.yaml", bare)).items[0].definition
    assert why(definition, {}, "Running") == ("'bare' maps no statuses: its root component has no statusDefinition",)


def test_looked_at_takes_the_longest_plain_paths_of_the_object() -> None:
    obj = {"status": {"a": {"b": 1}, "list": [1]}, "spec": None}
    found = list(looked_at('.status.a.b + (.status.list | map(.x.y)) + .status.gone + .status["a"]', obj))
    assert found == [(".status.a.b", "1"), (".status.list", "[1]"), (".status.gone", "absent")]
    assert list(looked_at(".status | (", obj)) == []
    assert list(looked_at(".status", [1])) == []


values = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["Up", "True", "Ready"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "status", "reason", "phase", "done", "size"]), inner, max_size=4)
    ),
    max_leaves=10,
)


@given(values, values, st.sampled_from(Status))
def test_there_is_always_something_to_say(status: Any, conditions: Any, word: Status) -> None:
    obj = {"status": {"phase": status, "conditions": conditions}, "spec": status}
    said = explanation(DEFINITION, obj, word)
    assert said.lines
    assert all(line and "\n" not in line for line in said.lines)


@pytest.mark.parametrize("word", Status)
def test_the_head_agrees_with_the_reading(word: Status) -> None:
    from kartatest.resolve.tree import resolve

    obj = {"spec": {"size": 2}, "status": {"done": 2, "phase": "Starting"}}
    holds = word in resolve(DEFINITION, obj).statuses
    head = why(DEFINITION, obj, word)[0]
    assert (" holds by " in head) == holds
