"""Pod groups that a real podgrouper made, predicted: groups, places of pods, refusals by their meaning, crashes."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from kartatest.definition.load import load
from kartatest.gang import groups
from kartatest.gang.model import Gangs, Place, TopologyConstraint
from kartatest.source import Source
from tests.realdata import ABSENT, kai

FILES = sorted((kai() or Path("/nonexistent")).glob("*.yaml"), key=lambda f: int(f.stem.partition("-")[0]))

MEANINGS = {
    "zero-scale": r"component (?P<it>\S+) must expose a replica scale definition",
    "count": r"instance ids count \((?P<it>\d+)\) does not match results count \((?P<other>\d+)\)",
    "conversion": r"failed to extract scales: failed to convert .*cannot unmarshal (number )?(?P<it>\S+)",
    "empty-id": r"component (?P<it>\S+): instance id path contained empty",
    "topology": r"topology constraint must include",
    "group-name": r'PodGroup\S* "(?P<it>[^"]+)" is invalid: metadata.name',
    "subgroup-name": r'is invalid: spec.subGroups\[\d+\].name: Invalid value: "(?P<it>[^"]+)"',
    "subgroup-component": r"subgroup component name cannot be empty",
    "instance": r'could not match instance id "(?P<it>[^"]+)"\. existing instance ids (?P<other>\[.*\])',
    "instance-key": r"failed to extract instance id from path (?P<it>\".*\"): query result is empty",
    "group-key": r"failed to extract group key from path (?P<it>\".*?\"): ",
    "key-name": r'Karta grouping keys .* produce invalid Kubernetes PodGroup name "(?P<it>[^"]+)"',
    "no-member": r"pod (?P<it>\S+) does not match any Karta pod group member definition",
    "no-component": r"no component found for pod (?P<it>\S+)",
    "instance-without-scale": r"instance id (?P<it>\S+) not found",
    "filter": r"failed to evaluate filters for component (?P<it>\S+) in group (?P<other>[^:\s]+)",
    "expression": r"(JQ execution error for|failed to (parse|compile) JQ) expression '(?P<it>.*?)'",
}
"""Our word for a kind of refusal, and the scheduler's text for it; `it` and `other` have to be in ours too."""

PLAIN = {"no-member", "subgroup-component", "topology", "expression", "conversion"}
"""Kinds of which our text names the subject in another way."""


LEFT_OUT = {"w112-a": {"terminationGracePeriodSeconds": 45}, "w112-b": {"terminationGracePeriodSeconds": 1_000_000}}
"""Fields of pod specs that the recorded pods lack, though the recorded keys were computed from them: 45 / 4 is 11.25,
and 1,000,000 / 4 is 250,000.
"""


@cache
def _case(file: Path) -> dict[str, Any]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    case: dict[str, Any] = yaml.load(file.read_text("utf-8"), loader)
    for pod in case["pods"]:
        pod["spec"] |= LEFT_OUT.get(pod["metadata"]["name"], {})
    return case


def _gangs(case: dict[str, Any]) -> Gangs:
    texts = (json.dumps(document) for document in case["definitions"])
    first, *others = (load(Source(f"{case['case']}.yaml", text)).items[0].definition for text in texts)
    workload, *owners = case["objects"]
    return groups(first, workload, case["pods"], owners=owners, others=others, consumer="kai")


def _topology(found: TopologyConstraint | None) -> dict[str, str]:
    if found is None:
        return {}
    keys = {
        "topology": found.name,
        "preferredTopologyLevel": found.preferred,
        "requiredTopologyLevel": found.required,
    }
    return {key: value for key, value in keys.items() if value}


def _groups(gangs: Gangs) -> dict[str, Any]:
    made = {}
    for group in gangs.groups:
        spec: dict[str, Any] = {"queue": group.queue, "topologyConstraint": _topology(group.topology)}
        if group.min_member is not None:
            spec["minMember"] = group.min_member
        if group.min_sub_group is not None:
            spec["minSubGroup"] = group.min_sub_group
        if group.sub_groups:
            spec["subGroups"] = [
                {
                    "name": sub.name,
                    "minMember": sub.min_member,
                    **({"topologyConstraint": _topology(sub.topology)} if sub.topology else {}),
                }
                for sub in group.sub_groups
            ]
        made[group.name] = spec
    return made


def _real_groups(case: dict[str, Any]) -> dict[str, Any]:
    made = {}
    for group in case["result"]["podGroups"]:
        made[group["name"]] = {k: v for k, v in group["spec"].items() if k != "priorityClassName"}
    return made


def _without_order(case: dict[str, Any], ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    """Where the last pod decides, one of the possible numbers will do."""
    for place, numbers in case["result"].get("orderDependent", {}).get("possible", {}).items():
        suffix = place.removeprefix("pg-<uid>").removesuffix(".minMember")
        for name in theirs:
            if name.endswith(suffix) and (suffix or re.fullmatch(r"pg-[0-9a-f-]{36}", name)):
                assert ours[name]["minMember"] in numbers
                ours[name]["minMember"] = theirs[name]["minMember"]


def _pod(real: dict[str, Any], place: Place) -> str:
    """ "" when the pod's place is the real one, else both."""
    theirs = (real.get("podGroup"), real.get("subGroup"))
    if "refusalOnlyInLog" in real:
        return "" if place.outcome == "crash" and "panic" in real["refusalOnlyInLog"] else f"{place}, real {real}"
    if real.get("gone"):
        return "" if (place.outcome, place.reason) == ("refused", "owner") else f"{place}, real {real}"
    if "refusal" in real:
        return _refusal(real["refusal"], place)
    outcome = {"Karta Grouper": "grouped", "Default Grouper": "default", None: "ignored"}[real["plugin"]]
    if (place.group, place.sub_group, place.outcome) != (*theirs, outcome):
        return f"{place}, real {real}"
    return ""


def _refusal(text: str, place: Place) -> str:
    if place.outcome != "refused":
        return f"{place}, real refusal {text}"
    (meaning,) = [word for word, pattern in MEANINGS.items() if re.search(pattern, text)][:1]
    if place.reason != meaning:
        return f"{place}, real refusal of the kind {meaning}: {text}"
    found = re.search(MEANINGS[meaning], text)
    assert found is not None
    subjects = [] if meaning in PLAIN else [s for s in found.groupdict().values() if s]
    missing = [s for s in subjects if s.strip('"').replace('\\"', '"') not in place.text]
    return f"{place.text!r} does not say {missing}: {text}" if missing else ""


@pytest.mark.skipif(not FILES, reason=ABSENT)
@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_predicted(file: Path) -> None:
    case = _case(file)
    gangs = _gangs(case)
    ours, theirs = _groups(gangs), _real_groups(case)
    assert set(ours) == set(theirs)
    _without_order(case, ours, theirs)
    assert ours == theirs
    assert [place.pod for place in gangs.pods] == [pod["name"] for pod in case["result"]["pods"]]
    wrong = [_pod(real, place) for real, place in zip(case["result"]["pods"], gangs.pods, strict=True)]
    assert not any(wrong), "\n".join(filter(None, wrong))


@pytest.mark.skipif(not FILES, reason=ABSENT)
def test_every_meaning_comes_up() -> None:
    texts = [pod["refusal"] for f in FILES for pod in _case(f)["result"]["pods"] if "refusal" in pod]
    assert {w for w, pattern in MEANINGS.items() if any(re.search(pattern, t) for t in texts)} == set(MEANINGS)
    assert not [t for t in texts if sum(bool(re.search(p, t)) for p in MEANINGS.values()) == 0]
