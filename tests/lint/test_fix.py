"""Repairs as edits: a scalar keeps its style where it can, and is read back as the new text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kartatest.diagnostics import Diagnostic, Edit, Severity
from kartatest.lint.engine import lint
from kartatest.lint.fix import applied, edits, stable
from kartatest.lint.rule import Fix
from kartatest.source import DocPath, Source, Span
from kartatest.yamlpos import documents


def mended(text: str, fix: Fix) -> str:
    (document,) = documents(Source("x.yaml", text)).documents
    for edit in sorted(edits(document, fix), key=lambda e: e.span, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


A: DocPath = ("a",)


@pytest.mark.parametrize(
    ("before", "fix", "after"),
    [
        ("a: old\n", Fix(A, replace="new"), "a: new\n"),
        ("a: old  # c\n", Fix(A, replace="new"), "a: new  # c\n"),
        ("a: 'old'\n", Fix(A, replace="it's"), "a: 'it''s'\n"),
        ('a: "old"\n', Fix(A, replace='x"y\\'), 'a: "x\\"y\\\\"\n'),
        ("a: old\n", Fix(A, replace="true"), 'a: "true"\n'),
        ("a: old\n", Fix(A, replace=".x | .y # z"), 'a: ".x | .y # z"\n'),
        ("a: ''\n", Fix(A, replace="x: y"), 'a: "x: y"\n'),
        ("a: .x.y\n", Fix(A, replace="z", within=Span(1, 2)), "a: .z.y\n"),
        ("a: '.x | .y'\n", Fix(A, replace="empty", within=Span(5, 7)), "a: '.x | empty'\n"),
        ("a: .x.y\n", Fix(A, replace="[]?", within=Span(2, 2)), 'a: ".x[]?.y"\n'),
        ("a: |-\n  .x\n  | .y\n", Fix(A, replace=".z", within=Span(5, 7)), "a: |-\n  .x\n  | .z\n"),
        ("a: |-\n  .x\n", Fix(A, replace=".y"), "a: |-\n  .x\n"),
        ("a: >-\n  .x\n  | .y\n", Fix(A, replace=".z", within=Span(5, 7)), "a: >-\n  .x\n  | .z\n"),
        ("a: True\n", Fix(A, quote=True), 'a: "True"\n'),
        ("a: 1.10\n", Fix(A, quote=True), 'a: "1.10"\n'),
        ("a: 'x'\n", Fix(A, quote=True), "a: 'x'\n"),
        ("a: 1\nb: 2\n", Fix(A, remove=True), "b: 2\n"),
        ("a:\n- 1\n- 2\n", Fix(("a", 0), remove=True), "a:\n- 2\n"),
        ("b: 2\na:\n- 1\n", Fix(("a", 0), remove=True), "b: 2\n"),
        ("a: {b: 1, c: 2}\n", Fix(("a", "b"), remove=True), "a: {c: 2}\n"),
        ("a: 1\n", Fix(A, key="b"), "b: 1\n"),
        ('"a": 1\n', Fix(A, key="b: c"), '"b: c": 1\n'),
        ("x: &x old\na: *x\n", Fix(A, replace="new"), "x: &x old\na: *x\n"),
        ("b: 1\n", Fix(A, replace="new"), "b: 1\n"),
        ("a: [1]\n", Fix(A, replace="new"), "a: [1]\n"),
        ("a: old\r\nb: 1\r\n", Fix(A, replace="new"), "a: new\r\nb: 1\r\n"),
        ('{"a": "old"}\n', Fix(A, replace="new"), '{"a": "new"}\n'),
    ],
)
def test_edit(before: str, fix: Fix, after: str) -> None:
    assert mended(before, fix) == after


TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=20)


@given(st.sampled_from(["a: old\nb: 1\n", "a: 'old'\nb: 1\n", 'a: "old"\nb: 1\n', '{"a": "old", "b": 1}']), TEXTS)
def test_replaced_text_is_read_back(text: str, new: str) -> None:
    (document,) = documents(Source("x", mended(text, Fix(A, replace=new)))).documents
    assert document.value == {"a": new, "b": 1}


def diagnostic(*parts: Edit, at: int = 0, safe: bool = True) -> Diagnostic:
    return Diagnostic("KT103", "x", Severity.ERROR, Source("x", "abcdef"), Span(at, at), "m", "", parts, safe)


def test_edits_of_one_finding_are_made_all_or_none() -> None:
    first = diagnostic(Edit(Span(0, 2), "X"), at=0)
    second = diagnostic(Edit(Span(1, 3), "Y"), Edit(Span(5, 6), "Z"), at=1)
    third = diagnostic(Edit(Span(3, 4), "W"), at=3)
    assert applied("abcdef", [third, second, first]) == ("XcWef", 2)


def test_the_same_edit_of_two_findings_is_made_once() -> None:
    assert applied("abcdef", [diagnostic(Edit(Span(0, 1), "")), diagnostic(Edit(Span(0, 1), ""), at=1)])[0] == "bcdef"


def test_unsafe_repairs_are_asked_for() -> None:
    d = diagnostic(Edit(Span(0, 1), "X"), safe=False)
    assert applied("abc", [d]) == ("abc", 0)
    assert applied("abc", [d], unsafe=True) == ("Xbc", 1)


def test_rounds_are_bounded() -> None:
    def always(source: Source) -> tuple[Diagnostic, ...]:
        return (diagnostic(Edit(Span(0, 0), "x")),)

    done = stable(Source("x", ""), always, max_rounds=3)
    assert (done.source.text, done.count) == ("xxx", 3)


def test_a_repair_that_breaks_the_file_is_taken_back() -> None:
    def once(source: Source) -> tuple[Diagnostic, ...]:
        if source.text == "a":
            return (diagnostic(Edit(Span(0, 1), "b")),)
        return (Diagnostic("KT001", "x", Severity.ERROR, source, Span(0, 0), "m"),)

    done = stable(Source("x", "a"), once)
    assert (done.source.text, done.count) == ("a", 0)


def test_a_repair_of_yaml_that_does_not_mend_is_not_made() -> None:
    text = 'a:\n  "open:\n    x: \'def ready: 1;\'\n    y: "done"\n    z: 1\n'
    done = stable(Source("x.yaml", text), lint, unsafe=True)
    assert (done.count, done.source.text) == (0, text)
    assert [d.code for d in done.left] == ["KT001"]
