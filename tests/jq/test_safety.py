from __future__ import annotations

from pathlib import Path
from typing import Any

import jq as libjq
import pytest
import yaml
from hypothesis import given

from kartatest.jq.ast import Ast
from kartatest.jq.functions import DENIED
from kartatest.jq.parse import parse
from kartatest.jq.safety import ALLOWED, violations
from tests.reference import ask, needs_oracle
from tests.strategies import jq_programs

CASES = yaml.safe_load((Path(__file__).parent / "cases" / "safety" / "programs.yaml").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["program"] for case in CASES])
def test_violations(case: dict[str, Any]) -> None:
    program = case["program"]
    found = violations(parse(program))
    shown = [[v.kind, program[v.span.start : v.span.end], *([] if v.fatal else ["warns"])] for v in found]
    assert shown == case["found"]
    assert all(v.message for v in found)
    if "help" in case:
        assert case["help"] in found[0].help


@given(jq_programs())
def test_violations_come_in_the_order_of_the_text(program: Ast) -> None:
    found = violations(program)
    assert [v.span for v in found] == sorted(v.span for v in found)


def allowed() -> set[str]:
    return {f"{name}/{arity}" for name, arities in ALLOWED.items() for arity in arities}


def named(builtins: list[str]) -> set[str]:
    """name/arity of what is no longer allowed though an engine has it, less what is denied by name."""
    return {b for b in set(builtins) - allowed() if b.rpartition("/")[0] not in DENIED}


KEYWORDS = {"null/0", "true/0", "false/0"}
ENDLESS = {"recurse/1", "recurse/2"}  # recurse/0 is bounded by its input


def test_libjq_has_what_is_allowed_and_the_rest_is_denied() -> None:
    builtins = libjq.compile("builtins").input_value(None).first()
    assert allowed() - set(builtins) == KEYWORDS
    assert named(builtins) == ENDLESS


@needs_oracle
def test_gojq_has_what_is_allowed_and_the_rest_is_denied() -> None:
    (answer,) = ask("jq", [{"program": "builtins[]", "input": None}])
    assert allowed() - set(answer["outputs"]) == KEYWORDS
    assert named(answer["outputs"]) == ENDLESS
