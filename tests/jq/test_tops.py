"""The fields that a program's results can depend on: listed, and changed in vain on made programs and objects."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from kartatest.jq.compile import compile as compiled
from kartatest.jq.errors import JqError
from kartatest.jq.parse import parse
from kartatest.jq.tops import tops
from kartatest.source import same
from tests.jq import generate

CASES = yaml.safe_load((Path(__file__).parent / "cases" / "shape" / "tops.yaml").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["program"])
def test_tops(case: dict[str, Any]) -> None:
    found = tops(parse(case["program"]))
    assert (None if found is None else sorted(found)) == case["tops"]


def _outputs(text: str, obj: Any) -> Any:
    try:
        return compiled(text).run(obj)
    except JqError:
        return "fails"


@pytest.mark.parametrize("seed", range(4))
def test_other_fields_change_nothing(seed: int) -> None:
    r = Random(f"tops {seed}")
    told = 0
    for text, obj in generate.pairs(seed, 500):
        found = tops(parse(text))
        if found is None or not isinstance(obj, dict):
            continue
        told += 1
        for _ in range(3):
            other = {key: generate.value(r) if r.random() < 0.7 else None for key in (*obj, "more")}
            other = {key: value for key, value in other.items() if key not in found and value is not None}
            other |= {key: obj[key] for key in found if key in obj}
            assert same(_outputs(text, obj), _outputs(text, other)), f"{text} on {obj} and {other}"
    assert told > 60
