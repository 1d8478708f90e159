"""Edits in the text of a file: what is not changed stays as it is written, and the result reads as meant."""

from __future__ import annotations

import difflib
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from kartatest import edit
from kartatest.edit.text import Part, edited_text, written
from kartatest.edit.values import changes
from kartatest.source import Source, same
from kartatest.yamlpos import documents
from tests.resolve.test_laws import json_values

CASES = sorted((Path(__file__).parent / "texts").glob("*.yaml"))


def _edited(text: str, result: Any, document: int = 0, base: tuple[str | int, ...] = ()) -> str | None:
    source = Source("x.yaml", text)
    found = documents(source).documents[document]
    old = found.value
    for step in base:
        old = old[step]
    return edited_text(source, [Part(found, base, tuple(changes(old, result)), result)])


@pytest.mark.parametrize("file", CASES, ids=lambda f: f.stem)
def test_text(file: Path) -> None:
    before, _, rest = file.read_text("utf-8").partition("=== set\n")
    wanted, _, after = rest.partition("=== gives\n")
    found = _edited(before, documents(Source("result", wanted)).documents[0].value)
    assert (found if found is not None else "nothing\n") == after


def test_only_one_document_of_several_changes() -> None:
    text = "a: 1  # one\n---\n# two\na: 1\n---\na: 1\n"
    assert _edited(text, {"a": 2}, document=1) == "a: 1  # one\n---\n# two\na: 2\n---\na: 1\n"


def test_an_item_of_a_list_changes() -> None:
    text = "kind: List\nitems:\n- a: 1 # x\n- a: 1 # y\n"
    assert _edited(text, {"a": 1, "b": [1]}, base=("items", 1)) == text + "  b:\n    - 1\n"


def test_lines_may_end_as_on_windows() -> None:
    found = _edited("a: 1 # x\r\nb:\r\n  c: 2\r\n", {"a": 1, "b": {"c": 3, "d": [{"e": "x"}]}})
    assert found == "a: 1 # x\r\nb:\r\n  c: 3\r\n  d:\r\n    - e: x\r\n"


texts = st.text(max_size=6) | st.sampled_from(
    ["a: b", "- x", "#c", "a\nb\n", "\n", "true", "1e3", "{", "*a", "&a", "!x"]
)
# 1.0 is read as 1, and whole numbers past 64 bits as floats, as Kubernetes does.
numbers = st.integers(-(2**63), 2**63 - 1) | st.floats(-1e6, 1e6).filter(lambda number: not number.is_integer())
exact = st.none() | st.booleans() | numbers | texts


@settings(max_examples=100)
@given(
    st.dictionaries(texts, exact | st.lists(exact, max_size=3) | st.dictionaries(texts, exact, max_size=3), max_size=4)
)
def test_what_is_written_anew_reads_as_meant(value: dict[str, Any]) -> None:
    read = documents(Source("x", written(value)))
    assert read.diagnostics or same(read.documents[0].value, value)


@pytest.mark.parametrize(
    "word", ["1e3", "0o17", "0x1F", "1_000", "1:30", "~", "=", "<<", "yes", "2026-01-01", "-", ".5", " a"]
)
def test_texts_that_readers_take_for_something_else_are_quoted(word: str) -> None:
    assert written({word: word}) == f"{json.dumps(word)}: {json.dumps(word)}\n"


STYLES = {
    "block": lambda v: yaml.safe_dump(v, sort_keys=False),
    "flow": lambda v: yaml.safe_dump(v, sort_keys=False, default_flow_style=True),
    "mixed": lambda v: yaml.safe_dump(v, sort_keys=False, default_flow_style=None),
    "json": lambda v: json.dumps(v, indent=2),
    "line": lambda v: json.dumps(v),
}
objects = st.dictionaries(st.sampled_from("abcdefgh"), json_values, min_size=1, max_size=5)


@pytest.mark.parametrize("style", STYLES)
def test_any_object_can_become_any_other(style: str) -> None:
    @settings(max_examples=60)
    @given(objects, objects)
    def law(old: dict[str, Any], new: dict[str, Any]) -> None:
        text = STYLES[style](old)
        read = documents(Source("x", text)).documents
        if not read or not same(read[0].value, old):
            return  # a text that yaml writes otherwise than Kubernetes reads it
        found = _edited(text, new)
        if found is not None:
            assert same(documents(Source("x", found)).documents[0].value, new)

    law()


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("count", [1, 3])
def test_the_catalogs_edits_keep_the_text(style: str, count: int) -> None:
    groups = [
        {"name": f"g{i}", "replicas": 1, "template": {"spec": {"containers": [{"name": "m"}]}}} for i in range(count)
    ]
    old = {"kind": "JobSet", "spec": {"groups": groups, "x": None, "z": "text: #no"}, "status": {}}
    new = json.loads(json.dumps(old))
    for group in new["spec"]["groups"]:
        group["template"]["spec"] |= {"schedulerName": "kai", "affinity": {"nodeAffinity": {"a": [{"b": "1"}]}}}
        group["template"]["metadata"] = {"labels": {"a.b/c": "true"}}
        del group["replicas"]
    new["spec"]["suspend"] = True
    text = STYLES[style](old)
    found = _edited(text, new)
    assert found is not None
    assert same(documents(Source("x", found)).documents[0].value, new)
    if style in ("block", "json"):
        gone = [line for line in difflib.ndiff(text.splitlines(), found.splitlines()) if line.startswith("- ")]
        assert len(gone) <= (count if style == "block" else 4 * count + 1), gone
    if style in ("json", "line"):
        assert same(json.loads(found), new)


def test_comments_survive_every_edit() -> None:
    lines = yaml.safe_dump({"spec": {"a": {"b": 1, "c": "x"}, "d": [{"e": 1}]}}, sort_keys=False).splitlines()
    text = "".join(f"{line}  # line {n}\n" for n, line in enumerate(lines))
    new = {"spec": {"a": {"b": 2, "c": "x", "n": {"m": 1}}, "d": [{"e": 1, "f": 2}], "g": True}}
    found = _edited(text, new)
    assert found is not None
    assert [n for n in range(len(lines)) if f"# line {n}\n" not in found] == []


def test_text_that_is_not_changed_is_the_same_text() -> None:
    text = "a:   1   # odd\nb: [ 1,2 ]\n"
    assert _edited(text, {"a": 1, "b": [1, 2]}) == text


def test_edits_of_a_definition_and_of_a_text_agree() -> None:
    change = edit.Change(("a",), 1, edit.ABSENT)
    source = Source("x", "a: 1\nb: 2\n")
    assert edited_text(source, [Part(documents(source).documents[0], (), [change], {"b": 2})]) == "b: 2\n"
    assert edited_text(source, [Part(documents(source).documents[0], (), [change], {"b": 3})]) is None
