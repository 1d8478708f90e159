"""How much an expression may give, and objects that go deep."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kartatest.resolve.tree import resolve
from tests.resolve.test_cases import definition_of

LISTED = {
    "children": [
        {
            "name": "worker",
            "instanceIdPath": ".spec.groups[].name",
            "specDefinition": {"podTemplateSpecPath": ".spec.groups[].template"},
        }
    ]
}


@pytest.mark.parametrize(("groups", "problems"), [(999, 0), (1000, 0), (1001, 1)])
def test_a_thousand_results_inclusive(groups: int, problems: int) -> None:
    """Q12."""
    obj = {"spec": {"groups": [{"name": str(i), "template": {}} for i in range(groups)]}}
    tree = resolve(definition_of(LISTED), obj)
    assert len(tree.problems) == problems
    assert len(tree.root.children[0].instances) == (0 if problems else groups)


@pytest.mark.parametrize("levels", [50, 900])
def test_deep_objects_are_read_or_refused(levels: int) -> None:
    status: dict[str, Any] = {"statusMappings": {}}
    status["statusMappings"]["running"] = [{"byExpression": {"expression": ".spec", "expectedResult": "x"}}]
    obj: Any = json.loads('{"spec":' + "[" * levels + "]" * levels + "}")
    tree = resolve(definition_of({"status": status}), obj)
    assert tree.statuses or tree.status.problems


def test_a_long_chain_of_owners_is_cut() -> None:
    names = [f"c{i}" for i in range(2000)]
    children = [{"name": name, "ownerRef": owner} for name, owner in zip(names, ["rig", *names], strict=False)]
    tree = resolve(definition_of({"children": children}), {})
    assert tree.warnings == ("what hangs off component 'c63', 64 levels down, is left out",)
    levels, component = 0, tree.root
    while component.children:
        levels, component = levels + 1, component.children[0]
    assert levels == 64
