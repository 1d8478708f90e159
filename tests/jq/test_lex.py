from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kartatest.jq.lex import Token, tokens
from tests.strategies import jq_texts


def shown(text: str) -> list[tuple[str, str]]:
    return [(t.kind, t.value) for t in tokens(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" # only a comment", []),
        (".a.b", [("field", "a"), ("field", "b")]),
        (". a", [("op", "."), ("name", "a")]),
        ("...", [("op", ".."), ("op", ".")]),
        (".a?//1", [("field", "a"), ("op", "?//"), ("number", "1")]),
        (".a?/1", [("field", "a"), ("op", "?"), ("op", "/"), ("number", "1")]),
        ("1-1", [("number", "1"), ("op", "-"), ("number", "1")]),
        (".e0 .1 1.e3", [("field", "e0"), ("number", ".1"), ("number", "1.e3")]),
        ("1.5e5.[", [("number", "1.5e5"), ("op", "."), ("op", "[")]),
        ("a::b $a::b", [("module-name", "a::b"), ("module-variable", "a::b")]),
        ("a:b $if", [("name", "a"), ("op", ":"), ("name", "b"), ("variable", "if")]),
        ("if ifs .if", [("keyword", "if"), ("name", "ifs"), ("field", "if")]),
        ("@base64d-x", [("format", "@base64d"), ("op", "-"), ("name", "x")]),
        ('"a\\n\\u00e9\\/"', [("string", "a\né/")]),
        ('"\\ud83d\\ude00"', [("string", "😀")]),
        ('"\\ud83d\\u0041\\ude00"', [("string", "\ufffdA\ufffd")]),
        ("1 # a \\\n still \r 2", [("number", "1"), ("number", "2")]),
        ("1 # a \\\\\n2", [("number", "1"), ("number", "2")]),
        ("1 # a \\\r\n b\n2", [("number", "1"), ("number", "2")]),
    ],
)  # fmt: skip
def test_cuts_text_into_tokens(text: str, expected: list[tuple[str, str]]) -> None:
    assert shown(text) == [*expected, ("end", "")]


def test_a_string_comes_in_parts() -> None:
    assert shown('"a\\(1 + ("b\\(2)"))c"') == [
        ("string-start", '"'),
        ("string-text", "a"),
        ("string-query", "\\("),
        ("number", "1"),
        ("op", "+"),
        ("op", "("),
        ("string-start", '"'),
        ("string-text", "b"),
        ("string-query", "\\("),
        ("number", "2"),
        ("op", ")"),
        ("string-end", '"'),
        ("op", ")"),
        ("op", ")"),
        ("string-text", "c"),
        ("string-end", '"'),
        ("end", ""),
    ]


@pytest.mark.parametrize("text", ["1.2.3", "1..2", "1e", "1e+", "1a", "0x10", "1_000", ".5.", "1Gi"])
def test_a_number_with_something_behind_it_is_a_fault(text: str) -> None:
    (token,) = tokens(text)
    assert (token.kind, token.start) == ("error", 0)
    assert token.fault
    assert "is no number" in token.fault.message


def ordered(found: list[Token]) -> bool:
    places = [n for t in found for n in (t.start, t.end)]
    return places == sorted(places)


@pytest.mark.law
@given(st.text(st.sampled_from('.ab1"\\(){}[]|$@#\n ?/=é\0\ud800'), max_size=30))
def test_any_text_gives_ordered_tokens_and_one_end(text: str) -> None:
    found = tokens(text)
    assert [t.kind for t in found if t.kind in ("end", "error")] == [found[-1].kind]
    assert ordered(found[:-1])
    assert all(0 <= t.start <= t.end <= len(text) for t in found)


@pytest.mark.law
@given(jq_texts(broken=True))
def test_only_blanks_and_comments_stand_between_tokens(text: str) -> None:
    at = 0
    for token in tokens(text):
        if token.kind == "error":
            break
        between = text[at : token.start]
        assert not between.strip() or between.strip().startswith("#")
        at = token.end
