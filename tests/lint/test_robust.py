"""Rules on broken definitions: no rule ever raises, and every finding lies on the text that it speaks of."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from kartatest.lint.engine import lint
from kartatest.lint.rules import RULES
from kartatest.source import Source
from tests.strategies import jq_texts

EXAMPLES = sorted((Path(__file__).parent / "rules").glob("KT[2-6]*/*.yaml"))
TREES = [yaml.safe_load(path.read_text("utf-8")) for path in EXAMPLES]
ODD = st.sampled_from(
    ["", "x", "True", {}, [], None, 0, True, [{}], {"": ""}, [None], "{", "a.b/c-d", "\u00e9\U0001f600"]
)


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [at] if at else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        found += places(inner, (*at, key))
    return found


@st.composite
def broken(draw: st.DrawFn, odd: st.SearchStrategy[Any], texts_only: bool = False) -> str:
    """An example with some of its values replaced."""
    tree = copy.deepcopy(draw(st.sampled_from(TREES)))
    for _ in range(draw(st.integers(1, 4))):
        holder = tree
        at = draw(st.sampled_from([p for p in places(tree) if len(p) > 3 or not texts_only]))
        for step in at[:-1]:
            holder = holder[step]
        if not texts_only or isinstance(holder[at[-1]], str):
            holder[at[-1]] = copy.deepcopy(draw(odd))
    return yaml.safe_dump(tree, sort_keys=False, allow_unicode=True)


def check(text: str) -> None:
    source = Source("definition.yaml", text)
    for d in lint(source, rules=RULES):
        assert 0 <= d.span.start <= d.span.end <= len(text), d
        assert d.message
        assert not d.message.endswith("."), d.message
        for edit in d.edits:
            assert 0 <= edit.span.start <= edit.span.end <= len(text), d


@settings(max_examples=120)
@given(broken(ODD))
def test_no_rule_raises_on_odd_values(text: str) -> None:
    check(text)


@settings(max_examples=120)
@given(broken(jq_texts(), texts_only=True))
def test_no_rule_raises_on_odd_expressions(text: str) -> None:
    check(text)
