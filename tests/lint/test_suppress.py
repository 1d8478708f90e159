"""Comments that silence: which lines they mean, and what is no such comment."""

from __future__ import annotations

import pytest

from kartatest.diagnostics import Diagnostic, Severity
from kartatest.lint.rules import RULES
from kartatest.lint.suppress import apply
from kartatest.source import Source, Span

ALL_BUT_UNUSED = [r for r in RULES if r.code != "KT901"]


def finding(source: Source, mark: str, code: str = "KT103") -> Diagnostic:
    start = source.text.index(mark)
    return Diagnostic(code, "x", Severity.ERROR, source, Span(start, start + len(mark)), "m")


def left(text: str, mark: str = "HERE", code: str = "KT103") -> list[str]:
    """Codes that are left of one finding at the mark."""
    source = Source("x.yaml", text)
    return [d.code for d in apply(source, [finding(source, mark, code)], ALL_BUT_UNUSED)]


@pytest.mark.parametrize(
    "text",
    [
        "a: HERE  # karta: ignore[KT103] why",
        "a: HERE # karta: ignore[KT103, KT002] why",
        "a: HERE #karta: ignore[KT002,KT103] why",
        "a: HERE # karta: ignore[unknown-owner] why",
        "# karta: ignore[KT103] why\na: HERE",
        "# karta: ignore[KT103] why\n\n# another\na: HERE",
        "# karta: ignore[KT103] one\n# karta: ignore[KT002] two\na: HERE",
        "a: 1\nb:\n  # karta: ignore[KT103] why\n  - HERE\n",
        "# karta: ignore-file[KT103] why\na: 1\n---\nb: HERE\n",
        "b: HERE\n# karta: ignore-file[KT103] why",
        "a: |-  # karta: ignore[KT103] why\n  .spec\n  | HERE\n",
        "# karta: ignore[KT103] why\na: >-\n  .spec\n\n  | HERE\nb: 1\n",
        '# karta: ignore[KT103] why\na: "x\n  HERE"\n',
        'a: "HERE\n  x"  # karta: ignore[KT103] why\n',
        "\ufeffa: HERE  # karta: ignore[KT103] why",
        "a: HERE  # karta: ignore[KT103] why\r\nb: 1\r\n",
        "a: {b: [HERE]}  # karta: ignore[KT103] why",
        'a: "#"  # x\nb: HERE # karta: ignore[KT103] why',
    ],
)
def test_silences(text: str) -> None:
    assert left(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "a: HERE  # karta: ignore[KT104] why",
        "a: HERE\nb: 1  # karta: ignore[KT103] why",
        "# karta: ignore[KT103] why\na: 1\nb: HERE",
        "a: 1  # karta: ignore[KT103] why\nb: HERE",
        'a: "# karta: ignore[KT103] why"\nb: HERE',
        'a: ["# karta: ignore[KT103] why", HERE]',
        "a: HERE#karta: ignore[KT103] why",
        "a: |\n  # karta: ignore[KT103] why\n  HERE\n",
        "a: |\n  x # karta: ignore[KT103] why\nb: HERE\n",
        "a: |-  # karta: ignore[KT103] why\n  .spec\nb: HERE\n",
        "a: HERE  # see karta: ignore[KT103] why",
        "a: HERE  # karta lint says so",
        "a: HERE  # Karta is the kind",
    ],
)
def test_does_not_silence(text: str) -> None:
    assert left(text) == ["KT103"]


@pytest.mark.parametrize(
    ("comment", "codes"),
    [
        ("# karta: ignore", ["KT103", "KT904"]),
        ("# karta: ignore[]", ["KT103", "KT904"]),
        ("# karta: ignore[KT103", ["KT103", "KT904"]),
        ("# karta ignore[KT103] why", ["KT103", "KT904"]),
        ("# karta: ignroe[KT103] why", ["KT103", "KT904"]),
        ("# Karta: ignore[KT103] why", ["KT103", "KT904"]),
        ("# karta: noqa KT103", ["KT103", "KT904"]),
        ("# karta: ignore[KT103]", ["KT902"]),
        ("# karta: ignore[KT103] :", ["KT902"]),
        ("# karta: ignore[KT103, KT998] why", ["KT903"]),
        ("# karta: ignore[kt103] why", ["KT103", "KT903"]),
        ("# karta: ignore[KT1] why", ["KT103", "KT903"]),
    ],
)
def test_what_is_wrong_with_a_comment(comment: str, codes: list[str]) -> None:
    assert sorted(left(f"a: HERE  {comment}")) == codes


def test_mended_comment_is_right() -> None:
    source = Source("x.yaml", "a: HERE  # karta ignore KT103, KT002 for a reason")
    mends = [d.edits[0] for d in apply(source, [], RULES) if d.code == "KT904"]
    assert [e.text for e in mends] == ["# karta: ignore[KT103, KT002] for a reason"]


def test_unused_is_told_only_for_rules_that_ran() -> None:
    source = Source("x.yaml", "a: 1  # karta: ignore[KT103] why")
    assert [d.code for d in apply(source, [], RULES)] == ["KT901"]
    assert apply(source, [], [r for r in RULES if r.code != "KT103"]) == []
    assert apply(source, [], RULES, silent={"KT103"}) == []


def test_findings_about_comments_are_not_silenced() -> None:
    assert left("a: HERE  # karta: ignore[KT103, KT902]") == ["KT902"]


def test_comments_before_a_fault_of_the_yaml_text_count() -> None:
    assert left("a: HERE  # karta: ignore[KT103] why\nb: [\n") == []
