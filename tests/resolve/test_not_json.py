"""Objects that a program made and that are no JSON: dates of a YAML reader, bytes, tuples, numbers that JSON lacks."""

from __future__ import annotations

import datetime
import re
from typing import Any

import pytest

import kartatest
from kartatest import catalog
from kartatest.definition.model import Expr, Use
from kartatest.errors import EditError
from kartatest.resolve.evaluate import Evaluator, Unreadable
from tests.edit.generated import definition_named

ODD: dict[str, Any] = {
    "a date": datetime.datetime(2026, 7, 1),
    "bytes": b"x",
    "a set": {1},
    "a tuple": (1, 2),
    "an object": object(),
    "a complex number": 1j,
}


def _objects(definition: kartatest.Definition, odd: Any) -> list[Any]:
    kind = definition.root.kind
    assert kind is not None
    pod = {"spec": {"schedulerName": odd, "containers": [{"name": odd, "resources": {"requests": {"cpu": odd}}}]}}
    spec = {"replicas": odd, "suspend": odd, "template": pod, "replicatedJobs": [{"name": odd, "replicas": odd}]}
    status = {"conditions": [{"type": odd, "status": odd}], "phase": odd, "state": odd}
    whole = {"metadata": {"name": odd, "annotations": {"a": odd}}, "spec": spec, "status": status}
    return [{"apiVersion": kind.api_version, "kind": kind.kind, **whole}, odd]


@pytest.mark.parametrize("what", ODD)
@pytest.mark.parametrize("name", catalog.names())
def test_it_is_told_and_nothing_is_raised(name: str, what: str) -> None:
    definition = definition_named(name)
    for obj in _objects(definition, ODD[what]):
        tree = definition.resolve(obj)
        kartatest.totals(tree)
        with pytest.raises(EditError, match=r"no JSON value|no object"):
            definition.edit(obj)


def test_the_place_is_named() -> None:
    with pytest.raises(Unreadable, match=re.escape(".a[0] is datetime.datetime(2026, 7, 1")):
        Evaluator({"a": [ODD["a date"]]}).outputs(Expr((), ".a[0] + 1", Use.REPLICAS))


def test_a_fault_of_ours_stays_one(monkeypatch: pytest.MonkeyPatch) -> None:
    from kartatest.resolve import evaluate

    def broken(_text: str) -> Any:
        raise TypeError("ours")

    monkeypatch.setattr(evaluate, "_reader", broken)
    with pytest.raises(TypeError, match="ours"):
        Evaluator({"a": 1}).outputs(Expr((), ".a", Use.REPLICAS))
