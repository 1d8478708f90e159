"""Which objects of a file are workloads, and which go along with them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kartatest.cli.objects import workloads
from kartatest.source import Source

Obj = dict[str, Any]


def _obj(kind: str, name: str, owner: tuple[str, str, str] | None = None, uid: str = "") -> Obj:
    metadata: Obj = {"name": name}
    if uid:
        metadata["uid"] = uid
    if owner is not None:
        reference: Obj = {"kind": owner[0], "name": owner[1], "controller": True}
        metadata["ownerReferences"] = [{**reference, "uid": owner[2]} if owner[2] else reference]
    return {"apiVersion": "v1" if kind == "Pod" else "demo.io/v1", "kind": kind, "metadata": metadata}


RIG = _obj("Rig", "r", uid="1")
SET = _obj("Set", "s", ("Rig", "r", "1"), uid="2")
POD = _obj("Pod", "p", ("Set", "s", "2"), uid="3")
STRANGER = _obj("Pod", "q", ("Other", "o", "9"), uid="4")
ALONE = _obj("Set", "t", ("Gone", "g", "8"), uid="5")
BARE = _obj("Pod", "bare")
UNNUMBERED = _obj("Pod", "u", ("Rig", "r", ""))


@pytest.mark.parametrize(
    ("objects", "tops", "pods", "owners"),
    [
        ([RIG], ["r"], [], []),
        ([POD, SET, RIG], ["r"], ["p"], ["s"]),
        ([SET, POD], ["s"], ["p"], []),
        ([RIG, STRANGER], ["r"], ["q"], []),
        ([STRANGER], ["q"], [], []),
        ([POD, STRANGER], ["p", "q"], [], []),
        ([ALONE, RIG], ["t", "r"], [], []),
        ([RIG, BARE], ["r", "bare"], [], []),
        ([RIG, UNNUMBERED], ["r"], ["u"], []),
    ],
)
def test_told_apart(objects: list[Obj], tops: list[str], pods: list[str], owners: list[str]) -> None:
    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": objects})
    found = workloads(Source("x.yaml", text))
    assert [w.obj["metadata"]["name"] for w in found] == tops
    assert all([p["metadata"]["name"] for p in w.pods] == pods for w in found)
    assert all([o["metadata"]["name"] for o in w.owners] == owners for w in found)
