"""`karta explain`."""

from __future__ import annotations

import pytest

from kartatest.cli import main
from kartatest.lint.rules import RULES


def test_page_of_a_rule_by_code_and_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "KT103"]) == 0
    page = capsys.readouterr().out
    assert page.startswith(
        "KT103 unknown-owner (error; structure)\n\nA child component's ownerRef names no component.\n"
    )
    assert "Source: semantics 2.3" in page
    for word in ("unknown-owner", "kt103"):
        assert main(["explain", word]) == 0
        assert capsys.readouterr().out == page
    assert main(["lint", "--explain", "KT103"]) == 0
    assert capsys.readouterr().out == page


def test_every_rule_has_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    for rule in RULES:
        assert main(["explain", rule.code]) == 0
        page = capsys.readouterr().out
        assert page.startswith(f"{rule.code} {rule.name} (")
        assert max(map(len, page.splitlines())) <= 200


def test_without_a_code_all_rules_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [r.code for r in RULES]


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("KT888", "no rule is called 'KT888'"),
        ("unknown-ower", "did you mean 'unknown-owner'?"),
        ("KT1", "give one code, such as KT101"),
    ],
)
def test_other_words_are_refused(word: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", word]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
