"""Every rule is listed, in order, documented, and has examples of both kinds."""

from __future__ import annotations

from pathlib import Path

import pytest

from kartatest.lint.rule import Rule
from kartatest.lint.rules import RULES

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "lint" / "rules"


def test_codes_are_unique_and_in_order() -> None:
    codes = [r.code for r in RULES]
    assert codes == sorted(set(codes))
    names = [r.name for r in RULES]
    assert len(names) == len(set(names))


def test_every_rule_module_is_listed() -> None:
    modules = {p.stem.split("_")[0].upper() for p in (ROOT / "kartatest/lint/rules").glob("kt[0-9]*.py")}
    assert modules <= {r.code for r in RULES}


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.code)
def test_rule_has_a_page_and_words(rule: Rule) -> None:
    assert (ROOT / "docs" / "rules" / f"{rule.code}.md").is_file()
    assert rule.summary.endswith(".")
    assert rule.why.endswith(".")
    assert rule.source
    assert rule.name == rule.name.lower()
    assert " " not in rule.name


@pytest.mark.parametrize("rule", [r for r in RULES if r.check], ids=lambda r: r.code)
def test_rule_has_examples(rule: Rule) -> None:
    folder = CASES / rule.code
    assert list(folder.glob("bad*.yaml")), f"{folder} has no bad.yaml"
    assert list(folder.glob("good*.yaml")), f"{folder} has no good.yaml"
