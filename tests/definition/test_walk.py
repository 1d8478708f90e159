"""Which expressions there are, and who owns whom, also in definitions whose ownership is broken."""

from __future__ import annotations

import yaml
from hypothesis import given
from hypothesis import strategies as st

from kartatest.definition.load import load
from kartatest.definition.model import ComponentDef, Definition
from kartatest.definition.walk import cycles, descendants, expressions, owners
from kartatest.source import Json, Source


def definition(**owned: str | None) -> Definition:
    """Components by name with their owners; the first is the root."""
    parts = [ComponentDef((name,), name, owner=owner) for name, owner in owned.items()]
    return Definition("f", 0, "d", {}, parts[0], tuple(parts[1:]))


def names(components: tuple[ComponentDef, ...]) -> list[str]:
    return [c.name for c in components]


TREE = definition(root=None, a="root", b="root", c="a", d="c", lost="nobody", e="a")


def test_owners_from_the_nearest() -> None:
    assert names(owners(TREE, "d")) == ["c", "a", "root"]
    assert owners(TREE, "root") == ()
    assert owners(TREE, "lost") == ()
    assert owners(TREE, "unknown") == ()
    assert names(owners(definition(r="a", a="r"), "a")) == ["r"]
    assert owners(definition(r="a", a="r"), "r") == ()


def test_descendants_parents_first_in_the_files_order() -> None:
    assert names(descendants(TREE, "root")) == ["a", "c", "d", "e", "b"]
    assert descendants(TREE, "d") == ()


def test_cycles_by_their_first_name() -> None:
    assert cycles(TREE) == ()
    assert cycles(definition(root=None, a="c", b="a", c="b", d="d", e="a")) == (("a", "c", "b"), ("d",))
    assert cycles(definition(root="root")) == (("root",),)


def test_cycles_are_walked_once() -> None:
    round_trip = definition(root=None, a="b", b="a", c="a")
    assert names(owners(round_trip, "c")) == ["a", "b"]
    assert names(owners(round_trip, "a")) == ["b"]
    assert names(descendants(round_trip, "a")) == ["b", "c"]


POOL = ["r", "a", "b", "c", "d"]


@given(st.lists(st.sampled_from([*POOL, None, "x"]), min_size=4, max_size=4), st.sampled_from(POOL))
def test_owners_and_descendants_are_inverse(owners_of: list[str | None], name: str) -> None:
    owner_of = [None, *owners_of]
    d = definition(**dict(zip(POOL, owner_of, strict=True)))
    for below in descendants(d, name):
        assert name in names(owners(d, below.name))
    for above in owners(d, name):
        assert name in names(descendants(d, above.name))
    in_circles = {n for circle in cycles(d) for n in circle}
    assert in_circles == {n for n in POOL if owner_of[POOL.index(n)] in (n, *names(descendants(d, n)))}


def shuffled(value: Json, data: st.DataObject) -> Json:
    """The value with the keys of its mappings in another order."""
    if isinstance(value, dict):
        return {key: shuffled(value[key], data) for key in data.draw(st.permutations(list(value)))}
    return [shuffled(item, data) for item in value] if isinstance(value, list) else value


MANY = """
apiVersion: run.ai/v1alpha1
kind: Karta
metadata: {name: many}
spec:
  optimizationInstructions:
    gangScheduling:
      podGroups:
      - {name: g, members: [{componentName: c, filters: [.f1, .f2], groupByKeyPaths: [.g]}]}
  structureDefinition:
    childComponents:
    - {name: c, ownerRef: r, podSelector: {componentTypeSelector: {keyPath: .k, value: v}}, instanceIdPath: .i}
    - scaleDefinition: {replicasPath: .n}
      specDefinition: {fragmentedPodSpecDefinition: {imagePath: .im, labelsPath: .l}, podTemplateSpecPath: .t}
      ownerRef: r
      name: d
    rootComponent:
      suspendDefinition: {resumeActions: [{path: .p, value: "true"}], suspendActions: [{path: .q, value: "1"}]}
      statusDefinition:
        statusMappings:
          running: [{byExpression: {expression: .e, expectedResult: x}}]
          failed: {byExpression: {expression: .x}}
        phaseDefinition: {path: .ph}
        conditionsDefinition: {path: .co}
      name: r
"""


@given(st.data())
def test_expressions_come_in_the_order_of_the_file(data: st.DataObject) -> None:
    value = shuffled(yaml.safe_load(MANY), data)
    flow = data.draw(st.booleans())
    (loaded,) = load(Source("m.yaml", yaml.safe_dump(value, sort_keys=False, default_flow_style=flow))).items
    found = expressions(loaded.definition)
    assert len(found) == 15
    starts = [loaded.document.span(expr.at).start for expr in found]
    assert starts == sorted(starts)
