"""What holds for every object and every pod."""

from __future__ import annotations

import json
from collections.abc import Iterator
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
    max_leaves=20,
)


def _shaped(**parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """A mapping with some of these keys, or now and then a scalar instead."""
    return st.fixed_dictionaries({}, optional=parts) | scalars


def _listed(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(parts, max_size=3) | scalars


_amounts = _shaped(cpu=scalars, memory=scalars)
_containers = _listed(
    _shaped(name=scalars, resources=_shaped(requests=_amounts, limits=_amounts), restartPolicy=scalars)
)
_pod_spec = _shaped(containers=_containers, initContainers=_containers, overhead=_amounts, resourceClaims=json_values)
_labels = _shaped(a=st.just("a") | scalars, name=scalars)
_metadata = _shaped(
    name=scalars, uid=scalars, labels=_labels, ownerReferences=_listed(_shaped(uid=scalars, kind=scalars))
)
_groups = _listed(_shaped(name=scalars, replicas=scalars, template=_shaped(spec=_pod_spec)))
_conditions = _listed(_shaped(type=scalars, status=scalars))
# Objects like those that the definition is for, with anything in any place.
json_objects = json_values | st.fixed_dictionaries(
    {},
    optional={
        "apiVersion": st.just("v1") | json_values,
        "kind": st.just("Pod") | json_values,
        "metadata": _metadata,
        "spec": _shaped(groups=_groups, replicas=scalars, containers=_containers, resources=json_values),
        "status": _shaped(phase=scalars, conditions=_conditions, replicas=scalars),
    },
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


@given(json_objects, st.lists(json_objects, max_size=3), st.lists(json_objects, max_size=2))
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


@given(json_objects)
def test_the_object_is_left_alone(obj: Any) -> None:
    before = json.dumps(obj)
    resolve(DEFINITION, obj)
    assert json.dumps(obj) == before


def _turned(value: Any) -> Any:
    """The same value with every mapping the other way round."""
    if isinstance(value, dict):
        return {key: _turned(value[key]) for key in reversed(value)}
    return [_turned(v) for v in value] if isinstance(value, list) else value


@given(json_objects)
def test_mapping_order_does_not_show(obj: Any) -> None:
    assert resolve(DEFINITION, _turned(obj)) == resolve(DEFINITION, obj)


def _entries(entries: list[Any]) -> Iterator[Any]:
    for entry in entries:
        yield entry
        yield from _entries(entry["children"])


@given(json_objects)
def test_entries_add_up_to_the_totals(obj: Any) -> None:
    tree = resolve(DEFINITION, obj)
    data = tree_data(tree)
    entries = list(_entries(data["components"]))
    assert sum(max(e["replicas"]["desired"], 0) for e in entries if e["bearsPods"]) == totals(tree).pods.desired
    assert {e["name"] for e in entries} == {"rig", "groups", "pieces", "bare"}
    problems = [p["message"] for e in entries for p in e["problems"] if p["path"]]
    assert sorted(problems) == sorted(p.message for c in tree.walk() for p in c.problems)


@given(json_objects)
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


@given(_pod_spec)
def test_any_pod_spec_has_a_request(spec: Any) -> None:
    assert all(isinstance(a, Fraction) for a in spec_request(spec).quantities.values())
