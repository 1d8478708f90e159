"""What is inferred of single expressions: cases/types.yaml."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from kartatest.infer import infer
from kartatest.jq import parse
from tests.infer.test_soundness import KINDS, root

CASES = yaml.safe_load((Path(__file__).parent / "cases" / "types.yaml").read_text("utf-8"))
BY_KIND = {kind.kind: kind for kind in KINDS}
EVERY = [(kind, text, said) for kind, cases in CASES.items() for text, said in cases.items()]


@pytest.mark.parametrize(("kind", "text", "said"), EVERY, ids=[f"{kind} {text[:60]}" for kind, text, _ in EVERY])
def test_what_is_inferred(kind: str, text: str, said: list[Any]) -> None:
    result, missing, failures = (*said, [], [])[:3] if len(said) < 3 else said
    found = infer(parse(text), root(BY_KIND[kind]))
    assert str(found) == result
    assert [m.name for m in found.missing] == (missing or [])
    assert [f.reason for f in found.failures] == (failures or [])
