"""What holds for every object and every pod."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kartatest.definition.model import Definition
from kartatest.report.tree import tree_text
from kartatest.report.tree_json import tree_data
from kartatest.resolve.requests import spec_request
from kartatest.resolve.totals import totals
from kartatest.resolve.tree import resolve
from tests.resolve.test_cases import definition_of

KEYS = ["apiVersion", "kind", "metadata", "name", "spec", "status", "template", "groups", "replicas", "containers"]
KEYS += ["initContainers", "resources", "requests", "limits", "cpu", "memory", "conditions", "type", "phase", "labels"]
KEYS += ["ownerReferences", "uid", "resourceClaims", "overhead"]
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.sampled_from(["", "a", "2", "500m", "1Gi", "True", "Pod", "v1", "Always"])
    | st.text(max_size=5)
)
json_values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=3), inner, max_size=5)
    ),
    max_leaves=25,
)
WHOLE = {
    "root": {"kind": {"group": "", "version": "v1", "kind": "Pod"}, "specDefinition": {"podTemplateSpecPath": "."}},
    "status": {
        "phaseDefinition": {"path": ".status.phase"},
        "conditionsDefinition": {"path": ".status.conditions"},
        "statusMappings": {
            "running": [{"byPhase": "a"}, {"byConditions": [{"type": "a", "status": "True"}]}],
            "failed": [{"byExpression": {"expression": ".status.replicas", "expectedResult": "2"}}],
        },
    },
    "children": [
        {
            "name": "groups",
            "instanceIdPath": ".spec.groups[].name",
            "specDefinition": {"podTemplateSpecPath": ".spec.groups[].template"},
            "scaleDefinition": {"replicasPath": ".spec.groups[].replicas", "minReplicasPath": ".spec.replicas"},
            "podSelector": {
                "componentTypeSelector": {"keyPath": ".metadata.labels.a", "value": "a"},
                "componentInstanceSelector": {"idPath": ".metadata.name"},
            },
        },
        {
            "name": "pieces",
            "ownerRef": "groups",
            "specDefinition": {
                "fragmentedPodSpecDefinition": {
                    "containersPath": ".spec.containers",
                    "labelsPath": ".metadata.labels",
                    "resourcesPath": ".spec.resources",
                    "resourceClaimsPath": ".spec.resourceClaims",
                }
            },
            "podSelector": {"componentTypeSelector": {"matchLabels": {"a": "a"}}},
        },
        {"name": "bare", "specDefinition": {"podSpecPath": ".spec", "metadataPath": ".metadata"}},
    ],
}


def _definition() -> Definition:
    return definition_of(WHOLE)


DEFINITION = _definition()


@given(json_values, st.lists(json_values, max_size=3), st.lists(json_values, max_size=2))
def test_resolve_and_reports_take_everything(obj: Any, pods: list[Any], owners: list[Any]) -> None:
    tree = resolve(DEFINITION, obj, pods=pods, owners=owners)
    sums = totals(tree)
    placed = [p for c in tree.walk() for i in c.instances for p in i.pods]
    objects = [p for p in pods if isinstance(p, dict)]
    assert len(placed) + len(tree.unassigned) == len(objects)
    assert sums.pods.current == len(placed)
    assert sums.pods.desired >= 0
    assert json.loads(json.dumps(tree_data(tree)))["totals"]["pods"]["desired"] == sums.pods.desired
    assert tree_text(tree, live=True).endswith("\n")


@given(json_values)
def test_the_object_is_left_alone(obj: Any) -> None:
    before = json.dumps(obj)
    resolve(DEFINITION, obj)
    assert json.dumps(obj) == before


@given(json_values)
def test_statuses_keep_the_fixed_order(obj: Any) -> None:
    found = [list(type(s)).index(s) for s in resolve(DEFINITION, obj).statuses]
    assert found == sorted(set(found))


amounts = st.dictionaries(st.sampled_from(["cpu", "memory", "amd.com/gpu"]), st.integers(0, 50), max_size=3)
containers = st.lists(st.builds(lambda r: {"resources": {"requests": r}}, amounts), max_size=4)


@given(containers, containers, containers)
def test_a_request_is_no_less_than_its_parts(main: list[Any], ordinary: list[Any], sidecars: list[Any]) -> None:
    always = [{**c, "restartPolicy": "Always"} for c in sidecars]
    request = spec_request({"containers": main, "initContainers": [*always, *ordinary]}).quantities

    def amount(container: Any, name: str) -> int:
        return int(container["resources"]["requests"].get(name, 0))

    for name in ("cpu", "memory", "amd.com/gpu"):
        beside = sum(amount(c, name) for c in sidecars)
        largest = max([amount(c, name) for c in ordinary] or [0])
        running = sum(amount(c, name) for c in main)
        assert request.get(name, Fraction(0)) == beside + max(largest, running)


@given(json_values)
def test_any_pod_spec_has_a_request(spec: Any) -> None:
    assert all(isinstance(a, Fraction) for a in spec_request(spec).quantities.values())
