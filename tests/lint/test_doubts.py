"""What authors doubted in definitions in use, as far as types show it, is found when such expressions are linted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from kartatest.lint.engine import lint
from kartatest.source import Source

CASES = yaml.safe_load(Path(__file__).with_name("doubts.yaml").read_text("utf-8"))
SPEC = {
    "template": "podTemplateSpecPath",
    "container": "containerPath",
    "resources": "resourcesPath",
}


def definition(case: dict[str, Any]) -> str:
    api_version, kind = case["kind"].split(" ")
    group, _, version = api_version.rpartition("/")
    root: dict[str, Any] = {"name": "root", "kind": {"group": group, "version": version, "kind": kind}}
    expr, use = case["expr"], case["use"]
    if use == "replicas":
        root["scaleDefinition"] = {"replicasPath": expr}
    elif use == "conditions":
        root["statusDefinition"] = {"conditionsDefinition": {"path": expr}}
    elif use == "matcher":
        matcher = {"byExpression": {"expression": expr, "expectedResult": "true"}}
        root["statusDefinition"] = {"statusMappings": {"running": [matcher]}}
    elif use == "suspend":
        actions = [{"path": expr, "value": "true"}]
        root["suspendDefinition"] = {"suspendActions": actions, "resumeActions": [{"path": expr, "value": "false"}]}
    elif use == "template":
        root["specDefinition"] = {SPEC[use]: expr}
    else:
        root["specDefinition"] = {"fragmentedPodSpecDefinition": {SPEC[use]: expr}}
    text = {
        "apiVersion": "run.ai/v1alpha1",
        "kind": "Karta",
        "metadata": {"name": f"{group.replace('.', '-')}-{kind}-{version}".lower()},
        "spec": {"structureDefinition": {"rootComponent": root}},
    }
    return yaml.safe_dump(text, sort_keys=False)


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['kind'].split(' ')[1]}-{c['expr'][:40]}")
def test_a_doubt_is_found(case: dict[str, Any]) -> None:
    found = lint(Source("x.yaml", definition(case)))
    said = {d.code for d in found}
    typed = {code for code in said if code.startswith("KT24") or code in ("KT320", "KT321", "KT421", "KT422")}
    assert set(case["codes"]) <= said, [f"{d.code} {d.message}" for d in found]
    assert typed <= set(case["codes"]), "nothing else, and nothing twice"
