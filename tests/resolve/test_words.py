"""Matchers that all ask one expression for a word: looked up where it can be, and with the result of the search."""

from __future__ import annotations

import pytest
import yaml

from kartatest.definition.model import Status
from kartatest.resolve.evaluate import Evaluator
from kartatest.resolve.status import read_status, words_of
from tests.resolve.test_cases import CASES, definition_of

LOADED = {file.stem: yaml.safe_load(file.read_text("utf-8")) for file in CASES}

FOUND = {
    "s62-one-expression": {
        "Up": (Status.RUNNING, Status.DEGRADED),
        "Ready": (Status.RUNNING,),
        "Down": (Status.FAILED,),
    },
    "s62-one-expression-no-output": {"": (Status.RUNNING,), "Down": (Status.FAILED,)},
    "s62-one-expression-and-phase": None,
    "s62-one-expression-and-condition": None,
    "s62-one-expression-and-none": None,
    "s62-two-expressions": None,
    "q01-key-alone": None,
}


@pytest.mark.parametrize("name", FOUND)
def test_words_are_found(name: str) -> None:
    status = definition_of(LOADED[name]).root.status
    assert status is not None
    words = words_of(status)
    assert (None if words is None else words.statuses) == FOUND[name]
    if words is not None:
        assert words.expression == status.mappings[0].matchers[0].expression


def test_no_definition_has_no_words() -> None:
    assert words_of(None) is None


@pytest.mark.parametrize("name", LOADED)
def test_looking_up_gives_what_searching_gives(name: str) -> None:
    status = definition_of(LOADED[name]).root.status
    evaluator = Evaluator(LOADED[name]["object"])
    assert read_status(status, evaluator, words_of(status)) == read_status(status, evaluator)
