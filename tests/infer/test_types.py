"""Paths against types: what a path that runs over fields stands for (cases/paths.yaml), and whether a type is there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from kartatest.infer.types import spelled, type_at
from kartatest.jq import parse
from kartatest.jq.places import Places
from kartatest.jq.shape import path_text
from tests.infer.test_soundness import KINDS, root

CASES = yaml.safe_load((Path(__file__).parent / "cases" / "paths.yaml").read_text("utf-8"))
BY_KIND = {kind.kind: kind for kind in KINDS}
EVERY = [(kind, text, stands) for kind, cases in CASES.items() for text, stands in cases.items()]


@pytest.mark.parametrize(("kind", "text", "stands"), EVERY, ids=[text for _, text, _ in EVERY])
def test_what_a_path_stands_for(kind: str, text: str, stands: list[Any]) -> None:
    tree, type_ = parse(text), root(BY_KIND[kind])
    path = max((path for _, path in Places(tree).reads()), key=len)
    found = [*spelled(type_, path)]
    assert sorted(map(path_text, found)) == sorted(stands)
    assert (type_at(type_, path) is not None) is bool(stands)
    assert all(type_at(type_, one) is not None for one in found)
