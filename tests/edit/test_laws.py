"""What holds for every edit: of generated objects of every catalog kind, of recordings, of made-up definitions."""

from __future__ import annotations

import copy
import json
import math
from itertools import pairwise
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kartatest import catalog, edit
from kartatest.definition.load import load
from kartatest.edit.actions import suspends
from kartatest.edit.laws import broken
from kartatest.edit.values import changes
from kartatest.errors import EditError
from kartatest.resolve import resolve
from kartatest.source import Source, same
from tests import rigs
from tests.edit.generated import NAMES, ROOT, definition_named, recordings
from tests.realdata import ABSENT, recorded_flows
from tests.resolve.test_cases import definition_of
from tests.resolve.test_laws import KEYS, WHOLE, json_objects, scalars


@pytest.mark.parametrize("name", NAMES)
def test_recordings_of_every_kind(name: str) -> None:
    definition = definition_named(name)
    for path, recording in recordings(name):
        for frame in recording.frames:
            assert list(broken(definition, frame.obj)) == [], f"{path} frame {frame.index}"


def test_real_recordings() -> None:
    flows = [flow for flow in recorded_flows() if flow.definition in NAMES]
    if not flows:
        pytest.skip(ABSENT)
    for flow in flows:
        for frame in flow.frames:
            assert list(broken(definition_named(flow.definition), frame.obj)) == [], f"{flow.file} frame {frame.index}"


@pytest.mark.parametrize("seed", range(12))
def test_made_up_definitions(seed: int) -> None:
    definition = load(Source("rig", json.dumps(rigs.definition(seed)))).items[0].definition
    for obj in rigs.objects(10):
        assert list(broken(definition, obj, refusals=False)) == []


PARTS = definition_of(
    {
        "root": {
            "suspendDefinition": {
                "suspendActions": [
                    {"path": ".spec.suspend", "value": "true"},
                    {"path": ".spec.replicas", "value": "0"},
                ],
                "resumeActions": [
                    {"path": ".spec.suspend", "value": "false"},
                    {"path": ".spec.replicas", "value": "1"},
                ],
            }
        },
        "children": [
            {
                "name": "groups",
                "instanceIdPath": ".spec.groups[]?.name",
                "specDefinition": {"podTemplateSpecPath": ".spec.groups[]?.template"},
                "suspendDefinition": {
                    "suspendActions": [{"path": ".spec.groups[]?.replicas", "value": "0"}],
                    "resumeActions": [{"path": ".spec.groups[]?.replicas", "value": "1"}],
                },
            },
        ],
    }
)


def put_back(obj: Any, changes: tuple[edit.Change, ...]) -> Any:
    """The object before the changes, worked out from what they say was there."""
    made = copy.deepcopy(obj)
    for change in changes:
        at = made
        for step in change.path[:-1]:
            at = at[step]
        if not change.path:
            return change.old
        if change.old is edit.ABSENT:
            del at[change.path[-1]]
        else:
            at[change.path[-1]] = change.old
    return made


@given(json_objects)
def test_suspend_and_resume_give_the_object_back(obj: Any) -> None:
    before = copy.deepcopy(obj)
    try:
        suspended = edit.suspend(PARTS, obj)
    except EditError:
        return
    finally:
        assert same(obj, before)
    assert same(put_back(suspended.obj, suspended.changes), obj)
    assert edit.suspend(PARTS, suspended.obj).changes == ()
    back = edit.resume(PARTS, suspended.obj, before=obj)
    assert same(put_back(back.obj, back.changes), suspended.obj)
    for change in changes(obj, back.obj):
        assert change.old is True or change.old == 0, "only what was suspended before is resumed to a constant"


plain = scalars.filter(lambda v: not isinstance(v, float) or math.isfinite(v))  # what JSON can say
templates = st.fixed_dictionaries({}, optional={"spec": plain | st.dictionaries(st.sampled_from(KEYS), plain)})
groups: st.SearchStrategy[list[dict[str, Any]]] = st.lists(
    st.fixed_dictionaries(
        {"name": st.sampled_from("abcdef"), "template": templates}, optional={"replicas": st.integers(1, 4)}
    ),
    unique_by=lambda g: str(g["name"]),
    min_size=1,
    max_size=4,
)
workloads = st.fixed_dictionaries(
    {"spec": st.fixed_dictionaries({"groups": groups}, optional={"replicas": st.integers(1, 9)})}
)


@given(workloads)
def test_what_suspending_saw_comes_back(obj: dict[str, Any]) -> None:
    suspended = edit.suspend(PARTS, obj)
    assert suspended.changes
    assert same(edit.resume(PARTS, suspended.obj, before=obj).obj, obj)


@given(workloads, st.data())
def test_one_instance_leaves_the_others_alone(obj: dict[str, Any], data: st.DataObject) -> None:
    name = data.draw(st.sampled_from([g["name"] for g in obj["spec"]["groups"]]))
    before = json.dumps(obj)
    try:
        found = edit.set_pods(PARTS, obj, edit.PodPatch(scheduler_name="kai"), instances=[name])
    except EditError:
        spec = next(g["template"].get("spec") for g in obj["spec"]["groups"] if g["name"] == name)
        assert spec is not None
        assert not isinstance(spec, dict)
        return
    finally:
        assert json.dumps(obj) == before
    assert same(put_back(found.obj, found.changes), obj)
    for old, new in zip(obj["spec"]["groups"], found.obj["spec"]["groups"], strict=True):
        assert (json.dumps(old) == json.dumps(new)) == (old["name"] != name or not found.changes)
    read = {i.id: i.pod.template for c in resolve(PARTS, found.obj).walk() if c.name == "groups"
            for i in c.instances if i.pod and i.pod.template}  # fmt: skip
    assert read[name]["spec"]["schedulerName"] == "kai"


@given(workloads)
def test_setting_what_is_there_changes_nothing(obj: dict[str, Any]) -> None:
    try:
        once = edit.set_pods(PARTS, obj, edit.PodPatch(priority_class="high", labels={"a": "b"}))
    except EditError:
        return
    again = edit.set_pods(PARTS, once.obj, edit.PodPatch(priority_class="high", labels={"a": "b"}))
    assert again.changes == ()
    assert json.dumps(again.obj) == json.dumps(once.obj)


def test_parts_that_are_shared_in_memory_are_told_apart() -> None:
    template: dict[str, Any] = {"spec": {}}
    obj = {"spec": {"groups": [{"name": "a", "template": template}, {"name": "b", "template": template}]}}
    found = edit.set_pods(PARTS, obj, edit.PodPatch(scheduler_name="kai"), instances=["a"]).obj
    assert found["spec"]["groups"] == [
        {"name": "a", "template": {"spec": {"schedulerName": "kai"}}},
        {"name": "b", "template": {"spec": {}}},
    ]
    assert template == {"spec": {}}


def test_values_that_no_json_has_are_refused() -> None:
    obj = {"spec": {"groups": [{"name": "a", "template": {}}]}}
    for value in (float("nan"), object(), {1: 2}, {"a": {1, 2}}, b"x"):
        with pytest.raises(EditError, match=r"JSON|no text"):
            edit.set_pods(PARTS, obj, edit.PodPatch(template={"spec": {"nodeSelector": {"a": value}}}))


ODD = definition_of(WHOLE)
RICH = edit.PodPatch(
    scheduler_name="kai",
    labels={"a": "b", "gone": edit.CLEAR},
    annotations={"c": "d"},
    image="i:1",
    requests={"cpu": 1},
    priority_class=edit.CLEAR,
)


@given(
    json_objects, st.sampled_from([None, "rig", "groups", "pieces", "bare"]), st.sampled_from([None, ["a"], ["", "2"]])
)
def test_any_object_is_edited_or_refused(obj: Any, component: str | None, instances: list[str] | None) -> None:
    before = copy.deepcopy(obj)
    refused: list[EditError] = []
    for patch in (
        RICH,
        edit.PodPatch(labels={"a": "b"}),
        edit.PodPatch(image="i:1"),
        edit.PodPatch(requests={"cpu": 1}),
    ):
        try:
            found = edit.set_pods(ODD, obj, patch, component=component, instances=instances)
        except EditError as error:
            refused.append(error)
        else:
            assert same(put_back(found.obj, found.changes), obj)
            assert edit.set_pods(ODD, found.obj, patch, component=component, instances=instances).changes == ()
    assert same(obj, before)
    assert all(error.reasons for error in refused)


def test_the_guides_example() -> None:
    page = (ROOT / "docs" / "guide" / "edits.md").read_text("utf-8")
    code = page.partition("```python\n")[2].partition("```")[0]
    obj = yaml.safe_load((ROOT / "tests" / "cli" / "edit" / "jobset.yaml").read_text("utf-8"))
    names: dict[str, Any] = {"obj": copy.deepcopy(obj)}
    exec(code, names)
    assert names["suspended"].obj == {**obj, "spec": {**obj["spec"], "suspend": True}}
    assert names["back"].obj == names["obj"] == obj
    assert [c.path[-1] for c in names["mine"].changes] == ["schedulerName", "metadata"]


def test_recorded_suspensions_can_be_taken_back() -> None:
    """Where a recording shows a running state and then a suspended one, the spec from before comes back."""
    seen = 0
    flows = list(recorded_flows())
    flows += [recording for name in NAMES for _, recording in recordings(name)]
    for flow in flows:
        found = catalog.by_name(flow.definition)
        if found is None or not any(c.suspend for c in found.definition.components):
            continue
        definition = found.definition
        for before, after in pairwise(frame.obj for frame in flow.frames):
            if suspends(definition, before) and not suspends(definition, after):
                back = edit.resume(definition, after, before=before)
                assert back.notes == ()
                assert same(back.obj["spec"], before["spec"])
                assert {change.path[0] for change in back.changes} <= {"spec", "metadata"}
                seen += 1
    assert seen >= 1
