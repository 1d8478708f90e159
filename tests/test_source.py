"""Places in texts, and paths as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kartatest.source import DocPath, Source, dotted


@pytest.mark.parametrize(
    ("at", "text"),
    [
        ((), ""),
        (("spec",), "spec"),
        (("spec", "items", 0, "name"), "spec.items[0].name"),
        ((0, "a"), "[0].a"),
        (("metadata", "labels", "app.kubernetes.io/name"), 'metadata.labels["app.kubernetes.io/name"]'),
        (("a", ""), 'a[""]'),
        (("a", '"\\', "b c"), r'a["\"\\"]["b c"]'),
        (("a\n\x1b",), r'["a\n\x1b"]'),
        (("..",), '[".."]'),
    ],
)
def test_paths_as_text(at: DocPath, text: str) -> None:
    assert dotted(at) == text


_PATHS = st.lists(st.text('a.[]"\\ \n', max_size=3) | st.integers(0, 1), max_size=3).map(tuple)


@given(_PATHS, _PATHS)
def test_different_paths_look_different(one: DocPath, other: DocPath) -> None:
    assert (dotted(one) == dotted(other)) == (one == other)
    assert dotted(one).isprintable()


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("a", ["a"]),
        ("a\nb\n", ["a", "b", ""]),
        ("a\r\nb", ["a", "b"]),
        ("a\rb\r\r\nc", ["a", "b", "", "c"]),
        ("\n\r", ["", "", ""]),
        ("a\x85b\u2028c\u2029d\x0be\x0cf\ng", ["a\x85b\u2028c\u2029d\x0be\x0cf", "g"]),
    ],
)
def test_lines_end_where_editors_end_them(text: str, lines: list[str]) -> None:
    source = Source("x", text)
    assert [source.line(n + 1) for n in range(len(lines))] == lines
    assert (source.line(0), source.line(len(lines) + 1)) == ("", "")
    assert source.position(len(text) + 5) == (len(lines), len(lines[-1]) + 1)


@given(st.text("a\r\n\x85", max_size=12))
def test_every_character_is_where_its_line_says(text: str) -> None:
    source = Source("x", text)
    for offset, character in enumerate(text):
        line, column = source.position(offset)
        shown = source.line(line)
        assert shown[column - 1 : column] == character or (character in "\r\n" and column > len(shown))
