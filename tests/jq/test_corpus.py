"""Laws over ten thousand programs made by chance: against libjq, and against gojq where the oracle is built."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import jq as libjq
import pytest
import yaml

from kartatest.jq import ast
from kartatest.jq.ast import Ast, Node, walk
from kartatest.jq.errors import JqSyntaxError
from kartatest.jq.parse import parse
from kartatest.jq.safety import violations
from kartatest.jq.text import _Printer as Printer
from kartatest.jq.text import to_text
from tests.jq.corpus import programs
from tests.reference import ask, needs_oracle

COUNT = 10_000
DIFFERENCES = yaml.safe_load((Path(__file__).parent / "cases" / "parse" / "differences.yaml").read_text("utf-8"))
INPUT: Any = {
    "a": [1, {"b": 2}, {"b": None}],
    "b": "x y",
    "spec": {"replicas": 3, "if": False, "a": {"b": [0]}},
    "replicas": 2,
    "e0": None,
    "not": True,
    "and": [3, 1, 2],
    "if": "a",
}


def tree(program: str) -> Ast | None:
    try:
        return parse(program)
    except JqSyntaxError:
        return None


@cache
def corpus() -> dict[str, Ast | None]:
    """Each program and its tree, None where we refuse the text."""
    return {program: tree(program) for program in programs(2026, COUNT)}


def accepted() -> dict[str, Ast]:
    return {program: found for program, found in corpus().items() if found is not None}


def libjq_parses(program: str) -> bool:
    """Whether the grammar takes it; names and modules that do not exist are found after parsing."""
    try:
        libjq.compile(program)
    except ValueError as e:
        return not re.search(r"syntax error|Invalid (escape|\\u|numeric)", str(e))
    return True


def explained(program: str, *, refused_by: str) -> bool:
    """Whether a listed difference may be why the other engine refuses what we take, or takes what we refuse."""
    ours = refused_by != "ours"
    return any(
        ("ours" in difference["accepts"]) == ours
        and (refused_by not in difference["accepts"])
        and re.search(difference["pattern"], program)
        for difference in DIFFERENCES
    )


def test_the_corpus_is_large_and_holds_both_kinds() -> None:
    refused = sum(found is None for found in corpus().values())
    assert len(corpus()) > 0.9 * COUNT
    assert 0.1 < refused / len(corpus()) < 0.5
    kinds = {type(node) for found in accepted().values() for node in walk(found)}
    assert {t for t in ast.__dict__.values() if isinstance(t, type) and issubclass(t, Node)} - kinds <= {
        Node,
        ast.Module,
        ast.Import,
    }


def test_what_libjq_parses_parses_here_and_the_reverse() -> None:
    for program, found in corpus().items():
        theirs = libjq_parses(program)
        if theirs and found is None:
            assert explained(program, refused_by="ours"), f"libjq takes {program!r}"
        elif found is not None and not theirs:
            assert explained(program, refused_by="libjq"), f"libjq refuses {program!r}"


@needs_oracle
def test_what_gojq_parses_parses_here_and_the_reverse() -> None:
    answers = ask("jq", ({"program": program, "input": INPUT} for program in corpus()))
    for (program, found), answer in zip(corpus().items(), answers, strict=True):
        assert (found is not None) == ("parse_error" not in answer), (program, answer)


def test_printing_gives_the_same_tree() -> None:
    for found in accepted().values():
        assert parse(to_text(found)) == found


class Explicit(Printer):
    """Prints with parentheses around whatever may have them, so that no precedence is left to decide."""

    def show(self, node: Node, level: int = 0, *, last: bool = True) -> str:
        text = self.done[id(node)][0]
        loose = (ast.Binary, ast.Pipe, ast.Comma, ast.Assign, ast.Bind, ast.Negate, ast.Try, ast.Define, ast.Label)
        return f"({text})" if isinstance(node, loose) else text

    def comma(self, node: ast.Comma) -> tuple[str, int, bool]:
        return f"{self.show(node.left)}, {self.show(node.right)}", 0, False

    def entry_value(self, value: Ast) -> str:
        return self.show(value)


def reads_constant_steps(found: Ast) -> bool:
    """gojq 0.12.19 overlooks suffixes of a constant inside keys and values: `.[1 .a]` gives what `.[1]` does."""
    constants = (ast.Literal, ast.String, ast.Object, ast.Array)
    return any(
        (isinstance(node, (ast.Index, ast.Slice, ast.Iterate)) and isinstance(node.target, constants))
        or (isinstance(node, ast.Try) and isinstance(node.body, constants))
        for node in walk(found)
    )


@needs_oracle
@pytest.mark.parametrize("printer", [Printer, Explicit])
def test_gojq_means_the_same_by_a_program_and_by_its_tree(printer: type[Printer]) -> None:
    """Each program, and its tree printed back, give the same outputs or the same error."""
    whole = {p: t for p, t in accepted().items() if p.strip() and not reads_constant_steps(t)}
    kept = {p: t for p, t in whole.items() if "no-body" not in {v.kind for v in violations(t)}}
    assert len(kept) > COUNT / 5
    written = ask("jq", ({"program": program, "input": INPUT} for program in kept))
    printed = ask("jq", ({"program": printer().text(found), "input": INPUT} for found in kept.values()))
    for program, one, other in zip(kept, written, printed, strict=True):
        assert one == other, program


@needs_oracle
def test_names_are_known_when_gojq_knows_them() -> None:
    chance = random.Random(5)

    def other(names: str, match: re.Match[str]) -> str:
        return match[1] + chance.choice(names.split()) if chance.random() < 0.3 else match[0]

    mixed = {}
    for program in programs(5, COUNT // 2, broken=False):
        text = re.sub(r"(\$)(?:x|y|z|end|m1)\b", lambda m: other("x y z w", m), program)
        text = re.sub(r"(\b)(?:f|g|h|map|first_of|x|y|length)\b", lambda m: other("f g map x not length", m), text)
        found = tree(text)
        if found is not None and text.strip() and not reads_constant_steps(found):
            mixed[text] = found
    unknown = 0
    answers = ask("jq", ({"program": program, "input": None} for program in mixed))
    for (program, found), answer in zip(mixed.items(), answers, strict=True):
        kinds = {v.kind for v in violations(found)}
        ours = kinds & {"unknown-function", "unknown-variable", "unknown-label", "no-body"}
        assert bool(ours) == ("compile_error" in answer), (program, ours, answer)
        unknown += bool(ours)
    assert unknown > COUNT / 50


NESTED = "[" * 100 + "]" * 100


@pytest.mark.parametrize("difference", DIFFERENCES, ids=[d["name"] for d in DIFFERENCES])
def test_listed_differences_are_true(difference: dict[str, Any]) -> None:
    program = NESTED if difference["example"] == "nested-brackets" else difference["example"]
    assert re.search(difference["pattern"], program)
    assert (tree(program) is not None) == ("ours" in difference["accepts"])
    assert libjq_parses(program) == ("libjq" in difference["accepts"])


@needs_oracle
def test_gojq_agrees_with_the_listed_differences() -> None:
    examples = [NESTED if d["example"] == "nested-brackets" else d["example"] for d in DIFFERENCES]
    answers = ask("jq", ({"program": program, "input": None} for program in examples))
    for difference, answer in zip(DIFFERENCES, answers, strict=True):
        assert ("parse_error" not in answer) == ("gojq" in difference["accepts"]), difference["name"]
