"""Made-up workloads and the pod groups they make: by the definition's own words, and by KAI Scheduler.

The numbers were worked out by hand from the rules; the kinds of refusals and crashes are those of test_kai.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from kartatest.definition.load import load
from kartatest.definition.model import Definition
from kartatest.gang import groups
from kartatest.gang.model import Gangs, Place, PodGroup
from kartatest.source import Source
from tests.gang.test_kai import MEANINGS

CASES = sorted((Path(__file__).parent / "cases").glob("*.yaml"))
KEYS = {"about", "root", "children", "gang", "labels", "others", "object", "metadata", "owners", "pods", "plain", "kai"}
GROUP, VERSION, KIND = "demo.io", "v1", "Crew"


def definition_of(case: dict[str, Any], index: int = 0) -> Definition:
    """A definition of Crew around the case's parts. A child `lead` with counts reads .spec.lead and the label role."""
    root = {
        "name": "crew",
        "kind": {"group": GROUP, "version": VERSION, "kind": KIND},
        "statusDefinition": {"statusMappings": {}},
        **case.get("root", {}),
    }
    labels = {"run.ai/karta-group": GROUP, "run.ai/karta-version": VERSION, "run.ai/karta-kind": KIND}
    document = {
        "apiVersion": "run.ai/v1alpha1",
        "kind": "Karta",
        "metadata": {"name": f"crew-{index}", "labels": case.get("labels", labels)},
        "spec": {
            "structureDefinition": {"rootComponent": root, "childComponents": [_child(c) for c in case["children"]]},
            **({"optimizationInstructions": {"gangScheduling": case["gang"]}} if "gang" in case else {}),
        },
    }
    return load(Source("case.yaml", json.dumps(document))).items[0].definition


def _child(given: dict[str, Any]) -> dict[str, Any]:
    """A component with the usual parts; a part that is null is left out."""
    name = given["name"]
    usual = {
        "ownerRef": "crew",
        "specDefinition": {"podTemplateSpecPath": f".spec.{name}.template"},
        "scaleDefinition": {"replicasPath": f".spec.{name}.count"},
        "podSelector": {"componentTypeSelector": {"keyPath": ".metadata.labels.role", "value": name}},
    }
    return {key: value for key, value in {**usual, **given}.items() if value is not None}


def object_of(case: dict[str, Any]) -> dict[str, Any]:
    metadata = {"name": "c1", "namespace": "lab", "uid": "u1", **case.get("metadata", {})}
    return {"apiVersion": f"{GROUP}/{VERSION}", "kind": KIND, "metadata": metadata, "spec": case["object"]}


def pods_of(case: dict[str, Any]) -> list[dict[str, Any]]:
    """Pods from name to what is special: role, labels, annotations, owners (references), spec."""
    mine = [{"apiVersion": f"{GROUP}/{VERSION}", "kind": KIND, "name": "c1", "uid": "u1", "controller": True}]
    pods = []
    for name, given in case["pods"].items():
        given = {"role": given} if isinstance(given, str) else given or {}
        labels = {**({"role": given["role"]} if "role" in given else {}), **given.get("labels", {})}
        metadata = {"name": name, "namespace": "lab", "uid": f"u-{name}", "ownerReferences": given.get("owners", mine)}
        metadata |= {"labels": labels, "annotations": given.get("annotations", {})}
        spec = {"schedulerName": "kai-scheduler", "containers": [{"name": "main"}], **given.get("spec", {})}
        pods.append({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec})
    return pods


def _group(group: PodGroup) -> Any:
    shown: Any = group.min_member if not group.sub_groups else {s.name: s.min_member for s in group.sub_groups}
    places = [t for t in (group.topology, *(s.topology for s in group.sub_groups)) if t is not None]
    return {"min": shown, "topology": [[t.name, t.preferred, t.required] for t in places]} if places else shown


def _place(place: Place) -> str:
    if place.outcome in ("refused", "crash"):
        assert place.text
        return f"{place.outcome}: {place.reason}"
    if place.outcome == "ignored":
        return "ignored"
    where = " ".join(filter(None, [place.group, place.sub_group]))
    return where if place.outcome == "grouped" else f"default: {where}".rstrip(": ") if where else "default"


def shown(gangs: Gangs) -> dict[str, Any]:
    return {
        "groups": {group.name: _group(group) for group in gangs.groups},
        "pods": {place.pod: _place(place) for place in gangs.pods},
    }


@pytest.mark.parametrize("file", CASES, ids=lambda f: f.stem)
@pytest.mark.parametrize("consumer", [None, "kai"], ids=["plain", "kai"])
def test_case(file: Path, consumer: str | None) -> None:
    case = yaml.safe_load(file.read_text("utf-8"))
    assert set(case) <= KEYS
    others = [definition_of({**case, **other}, i + 1) for i, other in enumerate(case.get("others", ()))]
    gangs = groups(
        definition_of(case),
        object_of(case),
        pods_of(case),
        owners=case.get("owners", ()),
        consumer=consumer,
        others=others,
    )
    expected = case[consumer or "plain"]
    notes = expected.pop("notes", [])
    assert shown(gangs) == {"groups": {}, **expected}
    unsaid = [part for part in notes if not any(part in note for note in gangs.notes)]
    assert not unsaid, gangs.notes
    for group in gangs.groups:  # a group says either, never both
        assert (group.min_member is None) == bool(group.sub_groups)
        assert group.min_sub_group == (len(group.sub_groups) or None)


def test_every_kind_of_refusal_has_a_case() -> None:
    """Each that the real scheduler was seen to make, and what else becomes of a pod."""
    places = [p for file in CASES for p in yaml.safe_load(file.read_text("utf-8"))["kai"].get("pods", {}).values()]
    said = {place.split(": ")[-1] for place in places}
    assert {*MEANINGS, "negative", "owner", "no-definition", "ignored"} <= said
    assert any(place.startswith("default: ") for place in places)
    assert len(CASES) >= 100
