"""Edits here and by the Go implementation: on the catalog's recordings, on made-up definitions, quirk by quirk."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from kartatest import catalog, edit
from kartatest.definition.load import load, load_file
from kartatest.definition.model import Definition
from kartatest.edit.values import changes
from kartatest.errors import EditError
from kartatest.recording.load import load as load_recordings
from kartatest.resolve.quantity import QuantityError, parse
from kartatest.schema import part
from kartatest.source import Source
from tests import rigs
from tests.realdata import recorded_flows
from tests.reference import ask, needs_oracle

pytestmark = needs_oracle

ROOT = Path(__file__).parents[2]
SPEC = part("PodTemplateSpec").fields["spec"]
TYPED = {*SPEC.fields, *SPEC.fields["containers"].items.fields, "labels", "annotations"}  # type: ignore[union-attr]
KNOWN = {entry["key"] for entry in yaml.safe_load((ROOT / "docs" / "differences.yaml").read_text("utf-8"))}
SETTINGS: dict[str, Any] = {"schedulerName": "kai", "labels": {"team": "a"}}
Pair = tuple[Definition, Any, Any]


def _plain(value: Any) -> Any:
    """Numbers as the Go implementation hands them on: whole floats are integers to a reader of JSON."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _ours(definition: Definition, obj: Any, do: str, settings: dict[str, Any]) -> edit.Edited:
    if do == "set":
        patch = edit.PodPatch(scheduler_name=settings["schedulerName"], labels=settings.get("labels"))
        return edit.set_pods(definition, obj, patch)
    return edit.suspend(definition, obj) if do == "suspend" else edit.resume(definition, obj)


def _typed(change: edit.Change) -> bool:
    """Whether the Go types alone make this difference (Q22, Q23)."""
    last = change.path[-1]
    if change.old is edit.ABSENT:
        if _is_nothing(change.new):
            return True  # a text or map that is not there, written all the same (Q23)
        return (last in ("metadata", "resources") and change.new == {}) or last == "creationTimestamp"
    if change.new is edit.ABSENT:
        unknown = last not in TYPED  # what their types do not know
        return unknown or change.old in (None, {}, [], "", 0, False)  # what their types leave out
    try:
        return parse(change.old) == parse(change.new)
    except QuantityError:
        return False


def _is_nothing(value: Any) -> bool:
    """Whether a value holds nulls and empty texts alone."""
    if isinstance(value, dict):
        return bool(value) and all(map(_is_nothing, value.values()))
    return value in (None, "")


def _is_a_pod_of_nothing(change: edit.Change) -> bool:
    """Whether they made up the pod of a role that wants none and has none, which we pass over."""
    return change.old in (edit.ABSENT, None, [], {}) and _has_no_containers(change.new)


def _has_no_containers(value: Any) -> bool:
    if isinstance(value, dict):
        return value.get("containers", "") is None or any(map(_has_no_containers, value.values()))
    return isinstance(value, list) and any(map(_has_no_containers, value))


# What we say when we refuse, and the key of the difference, where the Go implementation goes on.
REFUSALS = {
    "with `//` a write lands on": "Q27",
    "there is nothing at": "Q14",
    "has no entry": "Q53",
    "is absent, so it has no entry": "Q53",
    "names no place in this object": "edit-nothing-matched",
    "matches nothing": "edit-nothing-matched",
    "does not say how to": "edit-nothing-matched",
    "no component has pods": "edit-nothing-matched",
    "the instances cannot be read": "edit-nothing-matched",
    "cannot be set": "edit-all-reasons",
}
# What they say when they fail where we do not.
FAILURES = {
    "path is not defined and values are not empty": "edit-all-reasons",
    '// "none"': "Q23",  # a fragment that is not asked for is written back all the same
    "// {} | to_entries": "edit-nothing-matched",  # no instance, and so nothing to write
    "cannot iterate over: null": "edit-nothing-matched",
    "invalid path against": "Q23",  # a fragment that is worked out is written back all the same
    "failed to convert": "Q22",
    "missing apiVersion": "Q22",  # a pod that is its own template loses what a template has not
}


def _key(text: str, table: dict[str, str]) -> str | None:
    return next((key for part, key in table.items() if part in text), None)


def _compare(pairs: list[Pair], do: str, settings: dict[str, Any]) -> Counter[str]:
    """How often which difference was met, by its key; fails for one that no key explains."""
    met: Counter[str] = Counter()
    questions = [{"definition": d, "object": o, "do": do, "set": settings} for _, d, o in pairs]
    for (definition, _, obj), theirs in zip(pairs, ask("edit", questions), strict=True):
        failed = theirs.get("error", "")
        try:
            mine = _ours(definition, obj, do, settings).obj
        except EditError as error:
            met["both" if failed else _key(str(error), REFUSALS) or f"we refuse: {error}"] += 1
            continue
        if failed:
            met[_key(failed, FAILURES) or f"they fail: {failed}"] += 1
            continue
        found = list(changes(_plain(mine), _plain(theirs["object"])))
        strange = [c for c in found if not _typed(c) and not _is_a_pod_of_nothing(c)]
        assert not strange, strange
        met["Q14" if any(map(_is_a_pod_of_nothing, found)) else "Q22" if found else "same"] += 1
    assert set(met) - {"both", "same"} - KNOWN == set()
    return met


def _catalog_pairs() -> list[Pair]:
    pairs: list[Pair] = []
    known: dict[str, tuple[Definition, Any]] = {}
    for path in catalog.paths():
        item = load_file(path).items[0]
        known[path.stem] = (item.definition, item.document.value)
        for file in sorted((ROOT / "fixtures" / path.stem).glob("*.yaml")):
            for recording in load_recordings(Source(str(file), file.read_text("utf-8"))).recordings:
                pairs += [(item.definition, item.document.value, frame.obj) for frame in recording.frames]
    for flow in recorded_flows():
        if flow.definition in known:
            pairs += [(*known[flow.definition], frame.obj) for frame in flow.frames]
    return pairs


@pytest.mark.parametrize("do", ["suspend", "resume", "set"])
def test_catalog_on_recordings(do: str) -> None:
    met = _compare(_catalog_pairs(), do, SETTINGS)
    if do == "set":
        assert met["Q22"] > 100
        assert met["Q22"] + met["same"] > sum(met.values()) / 2, met
    else:
        assert met["same"] > 90
        assert set(met) <= {"same", "edit-nothing-matched"}, "kinds that cannot be suspended are the only difference"


@pytest.mark.parametrize("do", ["suspend", "resume", "set"])
def test_made_up_definitions(do: str) -> None:
    pairs = []
    for document in rigs.valid(25):
        definition = load(Source("rig", json.dumps(document))).items[0].definition
        pairs += [(definition, document, obj) for obj in rigs.objects(8)]
    met = _compare(pairs, do, {"schedulerName": "kai"})
    assert met["same"] + met["Q22"] > 20
    if do == "set":
        assert {"Q27", "Q14", "Q22", "Q53", "both"} <= set(met), "the objects no longer reach these differences"


QUIRKS = sorted((Path(__file__).parent / "quirks").glob("*.yaml"))


@pytest.mark.parametrize("file", QUIRKS, ids=lambda f: f.stem)
def test_quirk(file: Path) -> None:
    """One difference in both: what they make of the object, and what we do instead."""
    case = yaml.safe_load(file.read_text("utf-8"))
    key = file.stem.partition("-")[0].upper()
    assert key in KNOWN
    document = _document(case)
    question = {"definition": document, "object": case["object"], **case["do"]}
    (theirs,) = ask("edit", [question])
    assert _plain(theirs.get("object")) == case["theirs"].get("object"), theirs
    assert case["theirs"].get("error", "") in theirs.get("error", "")
    assert bool(theirs.get("error")) == ("error" in case["theirs"])
    definition = load(Source("case", json.dumps(document))).items[0].definition
    if "error" in case["ours"]:
        with pytest.raises(EditError) as caught:
            _asked(definition, case)
        assert case["ours"]["error"] in str(caught.value)
    else:
        assert json.dumps(_asked(definition, case).obj) == json.dumps(case["ours"]["object"])


def _document(case: dict[str, Any]) -> dict[str, Any]:
    kind = {"group": "demo.io", "version": "v1", "kind": "Rig"}
    root = {"name": "rig", "kind": kind, "statusDefinition": {"statusMappings": {}}, **case.get("root", {})}
    children = [{"ownerRef": "rig", **child} for child in case.get("children", ())]
    return {
        "apiVersion": "run.ai/v1alpha1",
        "kind": "Karta",
        "metadata": {"name": "case"},
        "spec": {"structureDefinition": {"rootComponent": root, "childComponents": children}},
    }


def _asked(definition: Definition, case: dict[str, Any]) -> edit.Edited:
    do = case["do"]
    if do["do"] in ("suspend", "resume"):
        return edit.suspend(definition, case["object"]) if do["do"] == "suspend" else edit.resume(
            definition, case["object"], before=case.get("before")
        )  # fmt: skip
    wanted = do.get("set", {"schedulerName": None})
    patch = edit.PodPatch(
        scheduler_name=wanted.get("schedulerName"), labels=wanted.get("labels"), image=wanted.get("image")
    )
    if do["do"] == "identity":
        patch = edit.PodPatch(**case["same"])
    return edit.set_pods(definition, case["object"], patch, instances=do.get("instances"))
