"""Faults of type on real kinds, each found once at the step that has it; right definitions in unusual style are clean.

typed.yaml holds one definition per entry: kind, release (the newest when it is left out), and what its fields say;
found lists "code underlined text", nothing for a definition that is right.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from kartatest.lint.engine import Types, lint
from kartatest.source import Source

CASES = yaml.safe_load(Path(__file__).with_name("typed.yaml").read_text("utf-8"))
SCALE = ("replicasPath", "minReplicasPath", "maxReplicasPath")
OTHERS = frozenset({"KT107", "KT110", "KT302", "KT419"})
"""What these definitions are too small for: rules of other matters."""
WHOLE = ("podTemplateSpecPath", "podSpecPath", "metadataPath")


def definition(case: dict[str, Any]) -> str:
    """One component with all that the case says; the fields it leaves out are not there."""
    api_version, kind = case["kind"].split(" ")
    group, _, version = api_version.rpartition("/")
    root: dict[str, Any] = {"name": "root", "kind": {"group": group, "version": version, "kind": kind}}
    for field, expr in case.items():
        if field in SCALE:
            root.setdefault("scaleDefinition", {})[field] = expr
        elif field in WHOLE:
            root.setdefault("specDefinition", {})[field] = expr
        elif field == "matcher":
            matcher = {"byExpression": {"expression": expr, "expectedResult": "true"}}
            root.setdefault("statusDefinition", {})["statusMappings"] = {"running": [matcher]}
        elif field == "conditions":
            root.setdefault("statusDefinition", {})["conditionsDefinition"] = expr
            matcher = {"byConditions": [{"type": "Ready", "status": "True"}]}
            root["statusDefinition"]["statusMappings"] = {"running": [matcher]}
        elif field == "keyPath":
            root["podSelector"] = {"componentTypeSelector": {"keyPath": expr}}
        elif field == "instances":
            root["instanceIdPath"] = expr
            root["podSelector"] = {"componentInstanceSelector": {"idPath": ".metadata.labels.id"}}
        elif field not in ("kind", "release", "found"):
            root.setdefault("specDefinition", {}).setdefault("fragmentedPodSpecDefinition", {})[field] = expr
    text = {
        "apiVersion": "run.ai/v1alpha1",
        "kind": "Karta",
        "metadata": {"name": f"{group.replace('.', '-')}-{kind}-{version}".lower()},
        "spec": {"structureDefinition": {"rootComponent": root}},
    }
    return yaml.safe_dump(text, sort_keys=False, width=1000)


def name(case: dict[str, Any]) -> str:
    said = [str(value) for field, value in case.items() if field not in ("kind", "release", "found")]
    return f"{case['kind'].split(' ')[1]}-{said[0][:60]}"


@pytest.mark.parametrize("case", CASES, ids=name)
def test_findings(case: dict[str, Any]) -> None:
    source = Source("x.yaml", definition(case))
    found = lint(source, types=Types(version=case.get("release")))
    told = [f"{d.code} {source.text[d.span.start : d.span.end]}" for d in found if d.code not in OTHERS]
    assert told == case.get("found", []), [d.message for d in found]


def test_there_are_both() -> None:
    wrong = sum(bool(case.get("found")) for case in CASES)
    assert wrong >= 25
    assert len(CASES) - wrong >= 15
