"""The editor: each method is one edit, gives an editor of its own, and leaves everything else as it was."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from kartatest import edit
from kartatest.edit.editor import Editor
from kartatest.errors import EditError, NothingFoundError
from tests.edit.test_laws import PARTS

NODE = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchFields": []}]}}


def _pod() -> dict[str, Any]:
    containers = [{"name": "main", "image": "i:1", "seed": 9007199254740993}, {"name": "side", "image": "s:1"}]
    return {"spec": {"containers": containers, "unknown": {"a": None}}}


def _obj() -> dict[str, Any]:
    groups = [{"name": name, "replicas": 3, "template": _pod()} for name in ("a", "b")]
    return {"metadata": {"name": "w"}, "spec": {"replicas": 5, "groups": groups}}


A: dict[str, Any] = {"component": "groups", "instances": ["a"]}
METHODS: dict[str, tuple[Callable[[Editor], Editor], edit.PodPatch]] = {
    "scheduler": (lambda e: e.set_scheduler_name("kai", **A), edit.PodPatch(scheduler_name="kai")),
    "priority": (lambda e: e.set_priority_class("high", **A), edit.PodPatch(priority_class="high")),
    "labels": (lambda e: e.set_labels({"a": "b"}, **A), edit.PodPatch(labels={"a": "b"})),
    "annotations": (lambda e: e.set_annotations({"a": "b"}, **A), edit.PodPatch(annotations={"a": "b"})),
    "image": (lambda e: e.set_image("i:2", container="side", **A), edit.PodPatch(image="i:2", container="side")),
    "resources": (
        lambda e: e.set_resources(requests={"cpu": 1}, limits={"cpu": "2"}, container="main", **A),
        edit.PodPatch(requests={"cpu": 1}, limits={"cpu": "2"}, container="main"),
    ),
    "affinity": (lambda e: e.set_affinity(node=NODE, **A), edit.PodPatch(node_affinity=NODE)),
    "patch": (
        lambda e: e.patch_pods({"spec": {"containers": [{"name": "side", "env": [{"name": "x"}]}]}}, **A),
        edit.PodPatch(template={"spec": {"containers": [{"name": "side", "env": [{"name": "x"}]}]}}),
    ),
}


@pytest.mark.parametrize("name", METHODS)
def test_a_method_is_the_edit_of_its_name(name: str) -> None:
    method, patch = METHODS[name]
    obj = _obj()
    editor = PARTS.edit(obj)
    made = method(editor)
    wanted = edit.set_pods(PARTS, obj, patch, **A)
    assert made.obj == wanted.obj
    assert made.changes == wanted.changes != ()
    assert obj == editor.obj == editor.before == _obj()
    assert editor.changes == ()


def test_one_after_another() -> None:
    obj = _obj()
    first = PARTS.edit(obj).set_labels({"a": "b"})
    second = first.set_labels({"a": edit.CLEAR, "c": "d"}, instances=["b"]).suspend()
    labels = [group["template"]["metadata"]["labels"] for group in second.obj["spec"]["groups"]]
    assert labels == [{"a": "b"}, {"c": "d"}]
    assert second.obj["spec"]["suspend"] is True
    assert "suspend" not in first.obj["spec"]
    assert second.resume(before=first.obj).obj["spec"]["replicas"] == 5
    assert second.resume().obj["spec"]["replicas"] == 1


def test_a_refused_edit_leaves_the_editor() -> None:
    editor = PARTS.edit(_obj()).set_scheduler_name("kai")
    before = copy.deepcopy(editor.obj)
    with pytest.raises(EditError) as caught:
        editor.set_image("x", instances=["a", "typo"])
    assert len(caught.value.reasons) == 2
    assert editor.obj == before


def test_what_was_given_is_not_shared() -> None:
    obj = _obj()
    editor = PARTS.edit(obj)
    obj["spec"]["replicas"] = 7
    assert editor.obj["spec"]["replicas"] == editor.before["spec"]["replicas"] == 5
    assert editor.changes == ()


def test_of_several_states_the_last_that_was_not_suspended_counts() -> None:
    states = [_obj() | {"spec": {**_obj()["spec"], "replicas": n}} for n in (2, 4)]
    suspended = PARTS.edit(states[-1]).suspend().obj
    resumed = PARTS.edit(suspended).resume(before=[*states, suspended])
    assert resumed.obj == states[-1]
    with pytest.raises(NothingFoundError, match="suspended already"):
        PARTS.edit(suspended).resume(before=[suspended])
    with pytest.raises(NothingFoundError, match="no earlier state"):
        PARTS.edit(suspended).resume(before=[{**states[0], "metadata": {"name": "other"}}])


def test_another_kind_is_refused() -> None:
    from kartatest import definition_for

    definition = definition_for({"apiVersion": "apps/v1", "kind": "Deployment"})
    with pytest.raises(EditError, match="is for apps/v1 Deployment"):
        definition.edit({"apiVersion": "batch/v1", "kind": "Job"})
    assert "apps/v1beta1" in definition.edit({"apiVersion": "apps/v1beta1", "kind": "Deployment"}).notes[0]
