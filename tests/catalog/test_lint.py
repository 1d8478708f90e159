"""The catalog is clean by our own rules, with what the recordings show as evidence."""

from __future__ import annotations

import pytest

from kartatest.lint.engine import lint
from kartatest.lint.rules import RULES
from kartatest.replay import evidence
from kartatest.source import Source
from tests.catalog.reading import CATALOG, NAMES, our_flows

FLOWS = list(our_flows())


@pytest.mark.parametrize("name", NAMES)
def test_clean(name: str) -> None:
    path = CATALOG / f"{name}.yaml"
    flows = [flow for flow in FLOWS if flow.definition == name]
    assert flows
    found = lint(
        Source(f"catalog/{path.name}", path.read_text("utf-8")),
        rules=RULES,
        evidence=lambda loaded: evidence(loaded.definition, flows),
    )
    assert [(d.code, d.message) for d in found] == []
