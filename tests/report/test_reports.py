"""Every format on the same findings: places, escapes, and what the readers of the format require."""

from __future__ import annotations

import json
from time import process_time
from unicodedata import normalize
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kartatest.diagnostics import Diagnostic, Edit, Severity
from kartatest.lint.rules import RULES
from kartatest.report import REPORTERS, statistics
from kartatest.report.text import finding, printable, width
from kartatest.source import Source, Span

TEXT = "a: 1\nexpression: .spec | nope\nlong:\n  x: 1\n  y: 2\n"
SOURCE = Source("dir one/x.yaml", TEXT)


def at(mark: str, *, severity: Severity = Severity.ERROR, source: Source = SOURCE, **more: object) -> Diagnostic:
    start = source.text.index(mark)
    fields = {"code": "KT103", "name": "unknown-owner", "message": "it's wrong", "help": "mend it"} | more
    return Diagnostic(severity=severity, source=source, span=Span(start, start + len(mark)), **fields)  # type: ignore[arg-type]


STEP = at("nope", edits=(Edit(Span(25, 29), "empty"),), safe=True)
BLOCK = at("x: 1\n  y: 2", severity=Severity.WARNING, code="KT905", name="file-name", help="")
BOTH = [STEP, BLOCK]


@pytest.mark.parametrize("name", REPORTERS)
def test_every_format_copes_with_nothing_and_with_anything(name: str) -> None:
    hostile = Source('a,b:%\n"<&>.yaml', "x: \x00\x1b[31m\ud800]]>\r\n")
    found = [Diagnostic("KT001", "invalid-yaml", Severity.ERROR, hostile, Span(3, 99), "m]]>\x00\x1b\n%", "h\n%0A")]
    assert REPORTERS[name]([]) == "" or REPORTERS[name]([]).endswith("\n")
    text = REPORTERS[name](found, rules=RULES, checked=["clean.yaml"])
    assert text.endswith("\n")
    assert "\x1b" not in text
    assert "\x00" not in text


def test_text() -> None:
    assert REPORTERS["text"](BOTH, checked=["a", "b"]) == (
        "dir one/x.yaml:2:21: error[KT103] it's wrong\n"
        "  |\n"
        "2 | expression: .spec | nope\n"
        "  |                     ^^^^\n"
        "  = help: mend it\n"
        "  = fix: --fix repairs this\n"
        "\n"
        "dir one/x.yaml:4:3: warning[KT905] it's wrong\n"
        "  |\n"
        "4 |   x: 1\n"
        "  |   ^^^^ to line 5\n"
        "\n"
        "1 error, 1 warning in 2 files; --fix repairs 1\n"
    )
    assert REPORTERS["text"]([], checked=["a"]) == "no findings in 1 file\n"


def test_text_is_coloured_only_when_asked() -> None:
    assert "\x1b[1;31m" in REPORTERS["text"](BOTH, color=True)
    assert "\x1b" not in REPORTERS["text"](BOTH)


@pytest.mark.parametrize(
    ("line", "mark", "excerpt", "carets"),
    [
        ("a:\tHERE", "HERE", "a:  HERE", "    ^^^^"),
        ("\tHERE", "HERE", "    HERE", "    ^^^^"),
        ("a: 日本 HERE", "HERE", "a: 日本 HERE", "        ^^^^"),
        ("a: 日本", "日本", "a: 日本", "   ^^^^"),
        (normalize("NFD", "é: HERE"), "HERE", normalize("NFD", "é: HERE"), "   ^^^^"),
        ("a: \x1bHERE", "HERE", "a: \\x1bHERE", "       ^^^^"),
        ("a: x\u200dHERE", "HERE", "a: x\u200dHERE", "    ^^^^"),
        ("a: HERE   ", "HERE   ", "a: HERE", "   ^^^^"),
    ],
)
def test_carets_stand_under_the_marked_part(line: str, mark: str, excerpt: str, carets: str) -> None:
    shown = finding(at(mark, source=Source("x", line), help="")).splitlines()
    assert shown[2] == f"1 | {excerpt}"
    assert shown[3] == f"  | {carets}"


def test_an_empty_place_and_the_end_of_the_text_have_one_caret() -> None:
    source = Source("x", "a: b\n")
    for span in (Span(3, 3), Span(5, 5), Span(99, 120)):
        d = Diagnostic("KT001", "n", Severity.ERROR, source, span, "m")
        assert finding(d).splitlines()[-1].endswith(" ^")


def test_long_lines_are_cut_around_the_marked_part() -> None:
    source = Source("x", "a" * 5000 + " HERE " + "b" * 5000)
    lines = finding(at("HERE", source=source)).splitlines()
    assert max(map(len, lines)) < 200
    assert lines[2][lines[3].index("^") :].startswith("HERE ")


@given(st.text(max_size=60), st.integers(0, 60), st.integers(0, 60))
def test_any_place_of_any_text_can_be_shown(text: str, start: int, length: int) -> None:
    d = Diagnostic("KT001", "n", Severity.ERROR, Source("x", text), Span(start, start + length), text, text)
    assert all(c.isprintable() or c in "\n\u200d" for c in finding(d))
    assert width(printable(text)) >= 0


def test_a_line_of_megabytes_is_shown_at_once_around_the_marked_part() -> None:
    text = "x" * 4_000_000 + "HERE" + "y" * 4_000_000
    before = process_time()
    shown = finding(Diagnostic("KT001", "n", Severity.ERROR, Source("f", text), Span(4_000_000, 4_000_004), "m"))
    assert process_time() - before < 1
    excerpt, carets = shown.splitlines()[2:4]
    assert len(excerpt) < 200
    assert excerpt[carets.index("^") : carets.rindex("^") + 1] == "HERE"
    whole = finding(Diagnostic("KT001", "n", Severity.ERROR, Source("f", text), Span(0, len(text)), "m"))
    assert process_time() - before < 2
    assert len(whole) < 600


def test_a_file_name_cannot_write_to_the_terminal() -> None:
    assert "\x1b" not in finding(Diagnostic("KT001", "n", Severity.ERROR, Source("\x1b[2J", "a"), Span(0, 1), "m"))


def test_json_has_the_documented_shape() -> None:
    assert json.loads(REPORTERS["json"](BOTH))[0] == {
        "code": "KT103",
        "name": "unknown-owner",
        "severity": "error",
        "file": "dir one/x.yaml",
        "line": 2,
        "column": 21,
        "endLine": 2,
        "endColumn": 25,
        "message": "it's wrong",
        "help": "mend it",
        "fixable": True,
    }
    assert json.loads(REPORTERS["json"]([])) == []


def test_sarif() -> None:
    log = json.loads(REPORTERS["sarif"](BOTH, rules=RULES, checked=["dir one/x.yaml", "clean.yaml"]))
    assert (log["version"], len(log["runs"])) == ("2.1.0", 1)
    run = log["runs"][0]
    driver = run["tool"]["driver"]
    assert driver["name"] == "karta"
    assert [r["id"] for r in driver["rules"]] == [r.code for r in RULES]
    for rule in driver["rules"]:
        assert rule["name"].isidentifier()
        assert rule["shortDescription"]["text"].endswith(".")
        assert rule["defaultConfiguration"]["level"] in ("error", "warning")
    for result in run["results"]:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning")
        (location,) = result["locations"]
        assert location["physicalLocation"]["artifactLocation"] == {"uri": "dir%20one/x.yaml", "uriBaseId": "SRCROOT"}
    region = {"startLine": 2, "startColumn": 21, "endLine": 2, "endColumn": 25}
    assert run["results"][0]["locations"][0]["physicalLocation"]["region"] == region
    (fix,) = run["results"][0]["fixes"]
    (change,) = fix["artifactChanges"]
    assert change["replacements"] == [{"deletedRegion": region, "insertedContent": {"text": "empty"}}]
    assert "fixes" not in run["results"][1]
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["originalUriBaseIds"].keys() == {"SRCROOT"}


def test_github_escapes_what_would_end_a_property_or_command() -> None:
    hostile = at("nope", source=Source("a,b:c%.yaml", TEXT), message="50%\nof")
    assert REPORTERS["github"]([hostile, BLOCK]) == (
        "::error file=a%2Cb%3Ac%25.yaml,line=2,endLine=2,col=21,endColumn=25,title=KT103 unknown-owner"
        "::50%25%0Aof%0Amend it\n"
        "::warning file=dir one/x.yaml,line=4,endLine=5,title=KT905 file-name::it's wrong\n"
    )
    assert REPORTERS["github"]([]) == ""


def test_junit() -> None:
    root = ET.fromstring(REPORTERS["junit"](BOTH, checked=["clean.yaml", "dir one/x.yaml"]).encode())
    assert root.tag == "testsuites"
    assert [(s.get("name"), s.get("tests"), s.get("failures")) for s in root] == [
        ("clean.yaml", "1", "0"),
        ("dir one/x.yaml", "2", "2"),
    ]
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("3", "2", "0")
    (failure,) = root[1][0]
    assert (failure.tag, failure.get("message"), failure.get("type")) == ("failure", "it's wrong", "error")
    assert "^^^^" in (failure.text or "")


def test_junit_holds_no_character_that_xml_forbids() -> None:
    hostile = at("nope", message="\x00\x0b\ufffe<&>\"']]>", source=Source("x\x01.yaml", TEXT))
    root = ET.fromstring(REPORTERS["junit"]([hostile]).encode())
    assert root[0][0][0].get("message") == "\ufffd\ufffd\ufffd<&>\"']]>"


def test_statistics() -> None:
    found = [BLOCK, STEP, STEP]
    assert statistics(found) == "2  KT103  error    unknown-owner\n1  KT905  warning  file-name\n"
    assert json.loads(statistics(found, as_json=True))[0] == {
        "code": "KT103",
        "name": "unknown-owner",
        "severity": "error",
        "count": 2,
        "fixable": 2,
    }
    assert statistics([]) == ""
