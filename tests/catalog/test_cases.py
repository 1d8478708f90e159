"""Objects that consumers were seen to misread, each with the right answer: cases/*.yaml.

A case has why, definition, object, statuses and, where the object's shape is what it is about:
pods: live pods;
roles: from an instance ("worker[tpu]", or the component's name where it has no instances of a name) to the pods it
    wants, or to its replicas, minimum and maximum (absent is unset); all that bear pods or have a scale are named;
found: from an instance to the names of its pods;
warnings: of the tree, none where absent;
totals: pods, current and ready counts, and requests by resource;
gangs: from the name of a gang, with the keys that its pods tell, to the pods that have to start together, by subgroup
    where it has some.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from kartatest.resolve.gangs import gangs
from kartatest.resolve.quantity import to_text
from kartatest.resolve.totals import label, totals
from tests.catalog.reading import read

CASES = sorted((Path(__file__).parent / "cases").glob("*.yaml"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    case: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    tree = read(case["definition"], case["object"], case.get("pods", ()))
    assert [s.value for s in tree.statuses] == case["statuses"]
    assert list(tree.warnings) == case.get("warnings", [])
    assert not [problem for component in tree.walk() for problem in component.problems]
    instances = {label(c, i): (c, i) for c in tree.walk() for i in c.instances if c.bears_pods or i.scale is not None}
    if "roles" in case:
        wanted = {name: (c if isinstance(c, dict) else {"replicas": c}) for name, c in case["roles"].items()}
        scales = {name: i.scale for name, (_, i) in instances.items()}
        assert scales.keys() == wanted.keys()
        for name, counts in wanted.items():
            scale = scales[name]
            assert scale is not None
            assert scale.replicas == counts["replicas"], name
            if len(counts) > 1:
                assert (scale.minimum, scale.maximum) == (counts.get("minimum"), counts.get("maximum")), name
    for name, pods in case.get("found", {}).items():
        assert [pod["metadata"]["name"] for pod in instances[name][1].pods] == pods
    sums = totals(tree)
    have: dict[str, Any] = {"pods": sums.pods.desired, "current": sums.pods.current, "ready": sums.pods.ready}
    have |= {name: to_text(name, amount) for name, amount in sums.desired.items()}
    for name, value in case.get("totals", {}).items():
        assert have[name] == value, name
    if "gangs" in case:
        assert {g.label: {p.name: p.minimum for p in g.parts} or g.minimum for g in gangs(tree).gangs} == case["gangs"]
