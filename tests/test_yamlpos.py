"""YAML to values and places. cases/yaml/<name>.yaml is read as it is; <name>.out says what was found and read."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from kartatest.diagnostics import Diagnostic
from kartatest.errors import FileError
from kartatest.source import DocPath, Json, Source, Span
from kartatest.yamlpos import LOADING_CODES, Document, documents, plain, quote, read
from kartatest.yamlpos.build import MAX_DEPTH, MAX_NODES

CASES = Path(__file__).parent / "cases" / "yaml"
SCALARS = yaml.safe_load((CASES / "scalars.yaml").read_text("utf-8"))
FAULTS = sorted(p for p in CASES.glob("*.yaml") if p.stem != "scalars")


def loaded(text: str) -> Document:
    read_text = documents(Source("f.yaml", text))
    assert [d.message for d in read_text.diagnostics] == []
    (document,) = read_text.documents
    return document


def shown(d: Diagnostic) -> str:
    line, column = d.source.position(d.span.start)
    return f"{line}:{column} {d.code} {d.message}" + (f"\n    help: {d.help}" if d.help else "")


def cut(text: str, span: Span) -> str:
    return text[span.start : span.end]


# what is wrong with a text


@pytest.mark.parametrize("path", FAULTS, ids=lambda p: p.stem)
def test_case(path: Path, request: pytest.FixtureRequest) -> None:
    result = documents(Source(path.name, path.read_bytes().decode("utf-8")))
    lines = [shown(d) for d in result.diagnostics]
    mended = path.read_bytes().decode("utf-8")
    for edit in sorted((e for d in result.diagnostics for e in d.edits), key=lambda e: e.span, reverse=True):
        mended = mended[: edit.span.start] + edit.text + mended[edit.span.end :]
    if any(d.edits for d in result.diagnostics):
        lines += ["mended:", *mended.splitlines()]
        assert not documents(Source("f.yaml", mended)).diagnostics
    lines += [f"= {json.dumps(d.value, ensure_ascii=False)}" for d in result.documents]
    actual = "\n".join(lines) + "\n"
    out = path.with_suffix(".out")
    if request.config.getoption("--karta-update", default=False):
        out.write_text(actual, "utf-8")
    assert actual == out.read_text("utf-8")


def test_every_code_has_a_case() -> None:
    told = "".join(p.read_text("utf-8") for p in CASES.glob("*.out"))
    assert [c.code for c in LOADING_CODES if c.code not in told] == []


@pytest.mark.parametrize(("text", "wanted"), SCALARS, ids=[repr(s[0]) for s in SCALARS])
def test_scalar_is_read_as_kubernetes_reads_it(text: str, wanted: str) -> None:
    result = documents(Source("f.yaml", f"a: {text}"))
    if wanted == "error":
        assert result.diagnostics
        return
    assert not result.diagnostics
    value = result.documents[0].value["a"]
    right = json.loads(wanted)
    if isinstance(right, int | float) and not isinstance(right, bool):  # JSON has one kind of number
        assert not isinstance(value, str | bool | None)
        assert float(value) == float(right)
    else:
        assert (type(value), value) == (type(right), right)


@pytest.mark.parametrize(
    ("data", "wanted"),
    [
        (b"a: \xff\n", "1:4 KT004 the byte 0xff is not UTF-8 text\n    help: save the file as UTF-8"),
        (b"a: 1\nb: caf\xe9\n", "2:7 KT004 the byte 0xe9 is not UTF-8 text\n    help: save the file as UTF-8"),
        (
            b"a\0:\0 \0\xff\xff",
            "1:7 KT004 the byte 0xff is not UTF-8 text\n"
            "    help: this looks like a binary file or UTF-16 text; save it as UTF-8",
        ),
    ],
)
def test_bytes_that_are_no_text(tmp_path: Path, data: bytes, wanted: str) -> None:
    file = tmp_path / "f.yaml"
    file.write_bytes(data)
    found = read(file)
    assert isinstance(found, Diagnostic)
    assert shown(found) == wanted


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_byte_order_marks_say_the_encoding(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "f.yaml"
    text = "\ufeffé: 1\n" if encoding == "utf-16-le" else "é: 1\n"
    file.write_bytes(text.encode(encoding))
    found = read(file)
    assert isinstance(found, Source)
    assert found.text == "é: 1\n"


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no such file"):
        read(tmp_path / "nothing.yaml")


HOSTILE: dict[str, Callable[[], str]] = {
    "long": lambda: "a: " + "x" * 20_000_000,
    "many values": lambda: "[" + "1," * (MAX_NODES + 1) + "1]",
    "many documents": lambda: "---\na\n" * 1_000_000,
    "many broken documents": lambda: "---\n[\n" * 1_000_000,
    "deep lists": lambda: "[" * 10_000,
    "deep mappings": lambda: "".join(" " * i + "a:\n" for i in range(1000)),
    "deep items": lambda: "- " * 10_000,
    "one long alias": lambda: "a: &a " + "x" * 100_000 + "\nb: [" + "*a," * 10_000 + "]",
    "merged many times": lambda: "a: &a {b: 1, c: 2}\nd: {<<: [" + "*a," * 100_000 + "]}",
    "same key": lambda: "a: 1\n" * 200_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_cost_is_bounded(name: str) -> None:
    text = HOSTILE[name]()
    started = time.process_time()
    result = documents(Source("f.yaml", text))
    assert time.process_time() - started < 5  # 2 on a machine with nothing else to do
    assert 1 <= len(result.diagnostics) <= 200
    assert {d.code for d in result.diagnostics} <= {"KT001", "KT003", "KT005"}
    assert all(len(d.message) < 200 for d in result.diagnostics)


def test_real_depth_is_read() -> None:
    depth = MAX_DEPTH - 1
    assert loaded("[" * depth + "]" * depth).value


@given(st.text(alphabet="ab:-[]{}&*!|>'\"%@`,?#\n\t 0~<=\\é\r\ufeff", max_size=80))
def test_no_text_raises(text: str) -> None:
    result = documents(Source("f.yaml", text))
    for document in result.documents:
        for at, _ in leaves(document.value):
            for span in (document.span(at), document.entry_span(at), document.within(at, Span(0, 9))):
                assert 0 <= span.start <= span.end <= len(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{\n\t"a": [\n\t\t1\n\t]\n}\n', {"a": [1]}),
        ('{"a": "\\ud83d\\ude00", "b": 1.0, "c": 1e400}', {"a": "😀", "b": 1, "c": "1e400"}),
        ('\ufeff {"' + "k" * 1500 + '": true}', {"k" * 1500: True}),
        ('["\x7f"]', ["\x7f"]),
    ],
)
def test_json_is_read(text: str, value: Json) -> None:
    document = loaded(text)
    assert document.value == value
    assert cut(text, document.span(())) == text.strip("\ufeff \n")
    assert document.scalar(()) is None


@pytest.mark.parametrize(
    "text",
    ['{"a": "\\ud83d\\ude00", "b": NaN}', '["\\ud83d\\ude00"' + ", [" * 300 + "]" * 301, '{"a": "\\ud83d\\ude00"'],
)
def test_what_json_does_not_allow_either_stays_a_fault(text: str) -> None:
    assert [d.code for d in documents(Source("f.json", text)).diagnostics] in (["KT001"], ["KT005"])


# places


def leaves(value: Json, at: DocPath = ()) -> Iterator[tuple[DocPath, Json]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*at, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from leaves(item, (*at, i))
    else:
        yield at, value


PLACES = """\
top: &anchor   # comment
  plain: some text  # behind
  list:
    - 'it''s'
    - x: 1
      z: !!str 2

    - [a, {b: c}]
  block: |
    one
    two

  empty:
alias: *anchor
merged:
  <<: *anchor
  own: 1
"""


@pytest.mark.parametrize(
    ("at", "text"),
    [
        (("top", "plain"), "some text"),
        (("top", "list", 0), "'it''s'"),
        (("top", "list", 1), "x: 1\n      z: !!str 2"),
        (("top", "list", 1, "z"), "!!str 2"),
        (("top", "list", 2), "[a, {b: c}]"),
        (("top", "list", 2, 1, "b"), "c"),
        (("top", "block"), "|\n    one\n    two"),
        (("top", "empty"), ""),
        (("alias",), "*anchor"),
        (("alias", "list", 0), "*anchor"),
        (("merged", "plain"), "*anchor"),
        (("merged", "own"), "1"),
        (("merged", "nothing"), "<<: *anchor\n  own: 1"),
        (("top", "list", 7), PLACES[PLACES.index("- 'it") : PLACES.index("\n  block")]),
    ],
)
def test_span(at: DocPath, text: str) -> None:
    assert cut(PLACES, loaded(PLACES).span(at)) == text


def test_key_span() -> None:
    document = loaded(PLACES)
    assert cut(PLACES, document.key_span(("top", "block")) or Span(0, 0)) == "block"
    assert document.key_span(()) is None
    assert document.key_span(("top", "list", 0)) is None
    assert document.key_span(("top", "absent")) is None


def test_scalar_as_written() -> None:
    document = loaded(PLACES)
    number = document.scalar(("top", "list", 1, "x"))
    tagged = document.scalar(("top", "list", 1, "z"))
    assert number is not None
    assert (number.text, number.style, number.plain) == ("1", "", True)
    assert tagged is not None
    assert cut(PLACES, tagged.span) == "2"
    assert document.scalar(("alias",)) is None
    assert document.scalar(("top",)) is None


@pytest.mark.parametrize(
    ("text", "at", "left"),
    [
        ("a: 1\nb: 2 # x\nc: 3\n", ("b",), "a: 1\nc: 3\n"),
        ("a:\n  b: 1\nc: 3\n", ("a",), "c: 3\n"),
        ("a: 1\nb: 2", ("b",), "a: 1\n"),
        ("- a\n- b: 1\n  c: 2\n- d\n", (1,), "- a\n- d\n"),
        ("- b: 1\n  c: 2\n", (0, "b"), "- c: 2\n"),
        ("- b: 1\n  c: 2\n", (0, "c"), "- b: 1\n"),
        ("a: [x, y, z]\n", ("a", 1), "a: [x, z]\n"),
        ("a: [x, y, z]\n", ("a", 2), "a: [x, y]\n"),
        ("a: {x: 1, y: 2}\n", ("a", "x"), "a: {y: 2}\n"),
        ("a: |\n  x\n\n  y\nb: 1\n", ("a",), "b: 1\n"),
    ],
)
def test_entry_span_takes_an_entry_out(text: str, at: DocPath, left: str) -> None:
    span = loaded(text).entry_span(at)
    assert text[: span.start] + text[span.end :] == left


# lines may end as editors end them


@pytest.mark.parametrize("path", FAULTS, ids=lambda p: p.stem)
def test_a_lone_carriage_return_ends_a_line_as_a_line_feed_does(path: Path) -> None:
    text = path.read_bytes().decode("utf-8").replace("\r\n", "\n")
    one, other = (documents(Source("f.yaml", t)) for t in (text, text.replace("\n", "\r")))
    assert [(shown(d), d.span, d.edits) for d in one.diagnostics] == [
        (shown(d), d.span, d.edits) for d in other.diagnostics
    ]
    assert [d.value for d in one.documents] == [d.value for d in other.documents]
    for a, b in zip(one.documents, other.documents, strict=True):
        places = [at for at, _ in leaves(a.value)]
        assert [(a.span(at), a.entry_span(at)) for at in places] == [(b.span(at), b.entry_span(at)) for at in places]


# a scalar's span holds its text

WORDS = st.text(alphabet="ab'\"\\:#é😀 -|>[]{},", max_size=12)
LINES = st.lists(WORDS.map(str.strip).filter(bool), min_size=1, max_size=4)


def single(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def double(text: str, *, escape_all: bool) -> str:
    def char(c: str) -> str:
        if escape_all and c not in '\\"':
            return f"\\x{ord(c):02x}" if ord(c) < 256 else f"\\U{ord(c):08x}"
        return {"\\": "\\\\", '"': '\\"', "\n": "\\n"}.get(c, c)

    return '"' + "".join(map(char, text)) + '"'


STYLES = ("'", '"', "x", "|", ">", "|2", ">2", "|-", ">-", "|+", ">+", "fold'", 'fold"', "slash", "plain")


@st.composite
def written_scalars(draw: st.DrawFn) -> str:
    """A scalar in any style, as it may stand behind `key: ` at column 2."""
    lines, style = draw(LINES), draw(st.sampled_from(STYLES))
    newline = "\n" * draw(st.integers(1, 3))
    singles = [single(line)[1:-1] for line in lines]
    doubles = [double(line, escape_all=False)[1:-1] for line in lines]
    if style[0] in "|>":
        indent = "    " if "2" in style else draw(st.sampled_from(["   ", "      "]))
        more = [draw(st.sampled_from(["", "", "  "])) if i else "" for i in range(len(lines))]
        return style + "\n" + newline.join(indent + m + line for m, line in zip(more, lines, strict=True)) + newline
    if style == "plain":
        return (newline + "    ").join(["plain", "text", "é"][: len(lines)])
    return {
        "'": "'" + " ".join(singles) + "'",
        "fold'": "'" + (newline + "   ").join(singles) + "'",
        '"': '"' + " ".join(doubles) + '"',
        'fold"': '"' + (" " + newline + "   ").join(doubles) + '"',
        "slash": '"' + "\\\n   ".join(doubles) + '"',
        "x": double(" ".join(lines), escape_all=True),
    }[style]


@given(st.lists(written_scalars(), min_size=1, max_size=4), st.sampled_from(["\n", "\r\n"]), st.booleans())
@example(["|2\n      a\n"], "\n", False)
@example(["&a !!str 'x'", "|\n    x\n"], "\r\n", True)
def test_a_scalars_span_holds_its_text(scalars: list[str], line_break: str, listed: bool) -> None:
    head = "- " if listed else "  k{}: "
    text = ("" if listed else "top:\n") + "\n".join(head.format(i) + s for i, s in enumerate(scalars)) + "\n"
    text = text.replace("\n", line_break)
    result = documents(Source("f.yaml", text))
    for document in result.documents:
        for at, value in leaves(document.value):
            if isinstance(value, str):
                check_characters(document, at, value, text)


def check_characters(document: Document, at: DocPath, value: str, text: str) -> None:
    scalar = document.scalar(at)
    assert scalar is not None
    assert scalar.text == value
    whole = document.span(at)
    before = whole.start
    for i, char in enumerate(value):
        span = document.within(at, Span(i, i + 1))
        assert before <= span.start < span.end <= len(text)
        written = cut(text, span)
        if char == "'" and scalar.style == "'":
            assert written == "''"
        elif char == "\n":
            assert "\n" in written or written == "\\n"
        elif char == " " and written != " ":
            assert not set(written) - set(" \r\n\\x20")
        elif written != char:
            assert written.startswith("\\")
        before = span.end
    if value:
        everything = document.within(at, Span(0, len(value)))
        assert everything == Span(document.within(at, Span(0, 1)).start, before)


TREES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


@given(TREES.filter(lambda v: v not in (None, "")), st.booleans(), st.integers(20, 100))
def test_what_pyyaml_writes_is_read_back(value: Json, flow: bool, width: int) -> None:
    text = yaml.dump(value, Dumper=yaml.CSafeDumper, default_flow_style=flow, width=width, allow_unicode=True)
    result = documents(Source("f.yaml", text))
    words = {s for _, s in leaves(value) if isinstance(s, str)}
    if any("\x7f" <= c <= "\x9f" or c in "\u2028\u2029\ufeff" or ord(c) > 0xFFFD for w in words for c in w):
        return
    if not result.diagnostics and text_only(value):
        assert result.documents[0].value == value


def text_only(value: Json) -> bool:
    """PyYAML writes some texts bare that Kubernetes takes for numbers (0o7, 1e3) or booleans (y)."""
    if isinstance(value, dict):
        return all(isinstance(plain(k), str) and text_only(v) for k, v in value.items())
    if isinstance(value, list):
        return all(map(text_only, value))
    return not isinstance(value, str) or isinstance(plain(value), str)


@given(st.text(max_size=30), st.booleans())
@example("", False)
@example("a: b", True)
@example("True", False)
@example("- x", False)
@example("x\x85y", False)
def test_a_quoted_text_is_read_as_itself(text: str, flow: bool) -> None:
    written = quote(text, flow=flow)
    assert "\n" not in written
    whole = f"a: [{written}]" if flow else f"a: {written}"
    value = loaded(whole).value["a"]
    assert value == ([text] if flow else text)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("job", "job"),
        ("True", '"True"'),
        ("1.10", '"1.10"'),
        ('a "b"', "'a \"b\"'"),
        (".spec.x", ".spec.x"),
        ("", '""'),
    ],
)
def test_quote_is_what_people_write(text: str, wanted: str) -> None:
    assert quote(text) == wanted
