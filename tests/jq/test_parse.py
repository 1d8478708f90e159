from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given

from kartatest.jq import ast
from kartatest.jq.ast import Ast, Node, children, walk
from kartatest.jq.errors import JqSyntaxError
from kartatest.jq.parse import parse
from kartatest.jq.safety import violations
from kartatest.jq.text import to_text
from kartatest.source import Span
from tests.jq.corpus import programs
from tests.strategies import jq_texts

CASES = Path(__file__).parent / "cases" / "parse"


def loaded(name: str) -> list[Any]:
    found: list[Any] = yaml.safe_load((CASES / name).read_text("utf-8"))
    return found


def cases(name: str) -> list[Any]:
    return [pytest.param(case, id=case["program"] or "empty") for case in loaded(name)]


def fault(program: str) -> JqSyntaxError:
    with pytest.raises(JqSyntaxError) as caught:
        parse(program)
    return caught.value


@pytest.mark.parametrize("case", cases("precedence.yaml"))
def test_reads_a_program_as_its_parentheses_say(case: dict[str, str]) -> None:
    if "refused" in case:
        assert case["refused"] in fault(case["program"]).message
    elif "differs" in case:
        assert parse(case["program"]) != parse(case["differs"])
    else:
        assert parse(case["program"]) == parse(case["means"])


@pytest.mark.parametrize("case", cases("refused.yaml"))
def test_says_what_is_wrong_and_where(case: dict[str, str]) -> None:
    found = fault(case["program"])
    assert (found.message, found.help) == (case["message"], case.get("help", ""))
    assert_at(case["at"], found, case["program"])


def assert_at(wanted: str, found: JqSyntaxError, program: str) -> None:
    placed = re.fullmatch(r"(.*)@(\d+)", wanted)
    at = placed[1] if placed else wanted
    start = int(placed[2]) if placed else program.index(at)
    assert found.span == Span(start, start + len(at))
    assert program[start : found.span.end] == at


@pytest.mark.parametrize("case", loaded("depth.yaml"))
def test_takes_so_many_levels_and_no_more(case: dict[str, Any]) -> None:
    def program(levels: int) -> str:
        inner = case["open"] * levels + case["core"] + case.get("close", "") * levels
        return case.get("start", "") + inner + case.get("stop", "")

    parse(program(case["levels"]))
    found = fault(program(case["levels"] + 1))
    assert found.message == "nested too deeply"
    assert found.help == "each bracket and each operand of a chain is a level; split the program with `def`"
    assert_at(case["at"], found, program(case["levels"] + 1))


@pytest.mark.parametrize("case", cases("places.yaml"))
def test_each_part_knows_its_text(case: dict[str, Any]) -> None:
    assert list(texts(parse(case["program"]), case["program"])) == case["parts"]


@pytest.mark.parametrize("constant", ["{}", "{a: []}", "{a: [1, 2, 3], if: [[]]}", '{"b": {c: "d"}, e: null}'])
def test_constants_of_a_module_are_those_of_a_program(constant: str) -> None:
    module = parse(f"module {constant}; 1")
    assert isinstance(module, ast.Module)
    assert module.meta == parse(constant)


def test_without_the_directive_there_is_nothing_about_a_module() -> None:
    module = parse('include "a"; 1')
    assert isinstance(module, ast.Module)
    assert module.meta is None


def texts(node: Node, program: str) -> Iterator[str]:
    """A line for each part in the order of a walk: its type, its text, and the places that stand for it in messages."""
    assert 0 <= node.span.start <= node.span.end <= len(program)
    shown = [program[node.span.start : node.span.end]]
    if isinstance(node, ast.Call):
        shown.append(f"name {program[node.name_span.start : node.name_span.end]}")
        assert shown[-1] == f"name {node.name}"
    if isinstance(node, ast.String):
        shown.append(f"{node.format} of {[part for part in node.parts if isinstance(part, str)]}")
    if isinstance(node, ast.Import):
        shown.append(f"{node.path} as {node.alias}")
    if isinstance(node, (ast.Variable, ast.VariablePattern)):
        assert shown == [f"${node.name}"]
    if isinstance(node, (ast.Binary, ast.Assign)):
        shown.append(f"op {program[node.op_span.start : node.op_span.end]}")
    yield f"{type(node).__name__}: {', '.join(shown)}"
    for child in children(node):
        yield from texts(child, program)


NESTED = [
    "[" * 10_000 + "]" * 10_000,
    "(" * 10_000,
    "{a:" * 10_000,
    '"\\(' * 5_000 + '"x"' + ')"' * 5_000,
    ". as " + "[" * 10_000,
    "try " * 10_000 + ".",
    "if " * 10_000,
    "def f: " * 10_000,
    "module " + "{a:[" * 10_000,
    " | ".join(["."] * 10_000),
    ", ".join(["."] * 10_000),
    " + ".join(["1"] * 5_000),
    " // ".join(["1"] * 5_000),
    "." + "[0]" * 5_000,
    ".a" * 5_000,
    ".a" + "?" * 5_000,
    "-" * 5_000 + "1",
    "1 as $x | " * 5_000 + "1",
    "label $x | " * 5_000 + "1",
    "def f: 1; " * 5_000 + "1",
    "if 1 then 2 " + "elif 1 then 2 " * 5_000 + "end",
    "{a: 1 | " + "1 | " * 5_000 + "1}",
]


@pytest.mark.parametrize("program", NESTED, ids=range(len(NESTED)))
def test_deep_nesting_is_one_plain_fault(program: str) -> None:
    assert fault(program).message == "nested too deeply"


@pytest.mark.law
@pytest.mark.parametrize(
    "shape", ["[%s]", "{a: %s}", "(1 + %s)", '"\\(%s)"', "try (%s) catch 1", "f(%s)", "if %s then 1 end"]
)
def test_what_is_accepted_can_be_walked_compared_and_printed(shape: str) -> None:
    limit, program = 0, "1"
    while True:
        try:
            tree = parse(shape % program)
        except JqSyntaxError:
            break
        limit, program, deepest = limit + 1, shape % program, tree
    assert limit >= 30
    frames, frame = 0, sys._getframe()
    while frame := frame.f_back:  # type: ignore[assignment]
        frames += 1
    assert frames < sys.getrecursionlimit() - 650, "the tests themselves run too deep to show anything"
    assert len(list(walk(deepest))) > limit
    assert parse(to_text(deepest)) == deepest
    assert hash(deepest) == hash(parse(program))
    assert repr(deepest)
    assert {v.kind for v in violations(deepest)} <= {"unknown-function"}


CHAINS = [(" | ", "."), (", ", "."), (" + ", "1"), (" // ", "1"), ("", ".a"), ("", "?"), ("", "[]"), ("", "def f: 1; ")]


@pytest.mark.law
@pytest.mark.parametrize(("glue", "part"), CHAINS)
def test_the_longest_chain_can_be_walked_compared_and_printed(glue: str, part: str) -> None:
    program = ""
    for count in range(1, 210):
        text = "." * (part in ("?", "[]")) + glue.join([part] * count) + "." * part.startswith("def")
        found = outcome(text)
        if isinstance(found, JqSyntaxError):
            break
        program, tree = text, found
    assert 100 < count < 205
    assert parse(to_text(tree)) == tree
    assert hash(tree) == hash(parse(program))
    assert all(not v.fatal for v in violations(tree))


def test_huge_numbers_are_infinite_and_print() -> None:
    assert parse("9" * 6000) == parse("1e1000") == ast.Literal(float("inf"))
    assert parse("0" * 6000 + "7") == ast.Literal(7)


def own_text(node: Node, parent: Node | None) -> bool:
    """Whether a node's text is a program of its own: names of fields and keys, and `elif`, are not."""
    if isinstance(node, (ast.Literal, ast.VariablePattern)) and node is getattr(parent, "key", None):
        return False
    if isinstance(parent, (ast.Module, ast.Import)) or (isinstance(parent, ast.If) and isinstance(node, ast.If)):
        return False
    if isinstance(parent, ast.Negate) and parent.written == "+":
        return False
    return isinstance(node, Ast.__args__)  # type: ignore[attr-defined]


def check_spans(program: str) -> None:
    def visit(node: Node, parent: Node | None) -> None:
        span = node.span
        assert 0 <= span.start <= span.end <= len(program)
        if parent is not None:
            assert parent.span.start <= span.start <= span.end <= parent.span.end, (program, parent, node)
        if own_text(node, parent) and not isinstance(node, (ast.Module, ast.Literal)):
            assert parse(program[span.start : span.end]) == node, program
        if isinstance(node, ast.Literal) and isinstance(node.value, str):
            shown = program[span.start : span.end]
            assert shown == node.value or parse(shown) == node
        if isinstance(node, ast.Call):
            assert program[node.name_span.start : node.name_span.end] == node.name
        if isinstance(node, (ast.Binary, ast.Assign)):
            assert program[node.op_span.start : node.op_span.end] == node.op
        for child in children(node):
            visit(child, node)

    visit(parse(program), None)


@pytest.mark.law
@given(jq_texts())
def test_a_span_holds_the_text_of_its_node(program: str) -> None:
    try:
        parse(program)
    except JqSyntaxError:
        return
    check_spans(program)


@pytest.mark.law
def test_spans_of_many_programs() -> None:
    for program in programs(11, 1_000):
        found = outcome(program)
        if isinstance(found, JqSyntaxError):
            assert found.span is not None
            assert 0 <= found.span.start <= found.span.end <= len(program)
        else:
            check_spans(program)


def outcome(program: str) -> Ast | JqSyntaxError:
    try:
        return parse(program)
    except JqSyntaxError as e:
        return e
