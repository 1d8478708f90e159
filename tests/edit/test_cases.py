"""Objects edited through definitions, one small file each; the names say which quirk or rule it is."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from kartatest import edit
from kartatest.errors import EditError
from kartatest.source import Source, dotted, same
from kartatest.yamlpos import documents
from tests.resolve.test_cases import definition_of

CASES = sorted((Path(__file__).parent / "cases").glob("*.yaml"))
KEYS = {"root", "status", "children", "object", "suspend", "resume", "set", "expect"}


def _cleared(value: Any) -> Any:
    """The value with the text CLEAR as the word that takes a key out."""
    if isinstance(value, dict):
        return {key: _cleared(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_cleared(item) for item in value]
    return edit.CLEAR if value == "CLEAR" else value


def _edited(case: Mapping[str, Any]) -> edit.Edited:
    definition = definition_of(dict(case))
    if "set" in case:
        fields = _cleared(case["set"])
        where = {key: fields.pop(key) for key in ("component", "instances") if key in fields}
        return edit.set_pods(definition, case["object"], edit.PodPatch(**fields), **where)
    if "suspend" in case:
        return edit.suspend(definition, case["object"], **case["suspend"])
    return edit.resume(definition, case["object"], **case["resume"])


def _word(value: Any) -> Any:
    return "ABSENT" if value is edit.ABSENT else value


@pytest.mark.parametrize("file", CASES, ids=lambda f: f.stem)
def test_case(file: Path) -> None:
    case = documents(Source(file.name, file.read_text("utf-8"))).documents[0].value
    assert set(case) <= KEYS
    assert len(set(case) & {"suspend", "resume", "set"}) == 1
    expect = case["expect"]
    before = copy.deepcopy(case["object"])
    if "error" in expect:
        assert not expect.keys() - {"error", "unwritable"}
        with pytest.raises(EditError) as caught:
            _edited(case)
        assert list(caught.value.reasons) == expect["error"]
        assert caught.value.unwritable == expect.get("unwritable", False)
    else:
        found = _edited(case)
        shown = [[dotted(c.path), _word(c.old), _word(c.new)] for c in found.changes]
        assert same(shown, expect["changes"]), yaml.safe_dump(shown)
        assert list(found.notes) == expect.get("notes", [])
        assert "object" not in expect or same(found.obj, expect["object"]), found.obj
    assert same(case["object"], before)
