"""Laws of edits on every kind of the catalog: on objects its schema allows, and on the frames of its recordings."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kartatest import edit
from kartatest.definition.model import Definition
from kartatest.edit.actions import written_places
from kartatest.edit.laws import broken
from kartatest.edit.places import Refused, places
from kartatest.edit.values import at_place
from kartatest.errors import EditError
from kartatest.resolve.model import PodShape
from kartatest.source import dotted, same
from tests.catalog.tables import OBJECTS
from tests.edit.generated import NAMES, definition_named, made_up, recordings
from tests.edit.test_laws import put_back


class Field(NamedTuple):
    """One thing to set. patch makes it of a value; read finds it in a pod as written, in what a template would hold."""

    probe: Any
    patch: Callable[[Any, str], edit.PodPatch]
    at: tuple[str, ...]
    fragment: str


NODE = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": []}]}}
FIELDS = {
    "scheduler": Field(
        "karta-probe", lambda v, _: edit.PodPatch(scheduler_name=v), ("spec", "schedulerName"), "schedulerNamePath"
    ),
    "priority": Field(
        "karta-probe",
        lambda v, _: edit.PodPatch(priority_class=v),
        ("spec", "priorityClassName"),
        "priorityClassNamePath",
    ),
    "label": Field(
        "probe", lambda v, _: edit.PodPatch(labels={"karta": v}), ("metadata", "labels", "karta"), "labelsPath"
    ),
    "annotation": Field(
        "probe",
        lambda v, _: edit.PodPatch(annotations={"karta": v}),
        ("metadata", "annotations", "karta"),
        "annotationsPath",
    ),
    "affinity": Field(
        NODE, lambda v, _: edit.PodPatch(node_affinity=v), ("spec", "affinity", "nodeAffinity"), "nodeAffinityPath"
    ),
    "image": Field("probe:1", lambda v, c: edit.PodPatch(image=v, container=c), ("container", "image"), "imagePath"),
    "request": Field(
        "3",
        lambda v, c: edit.PodPatch(requests={"cpu": v}, container=c),
        ("container", "resources", "requests", "cpu"),
        "resourcesPath",
    ),
}


def _at(value: Any, path: tuple[str, ...]) -> Any:
    for step in path:
        value = value.get(step) if isinstance(value, dict) else None
    return value


def _containers(shape: PodShape) -> list[Any]:
    fragments = shape.fragments or {}
    spec = _at(shape.template, ("spec",)) if shape.template is not None else shape.spec
    found = _at(spec, ("containers",)) or fragments.get("containersPath") or []
    one = fragments.get("containerPath")
    return [one] if one is not None and not found else [c for c in found if isinstance(c, dict)]


def _read(shape: PodShape, field: Field, container: str) -> Any:
    """The field's value in a pod as written; None where it is not."""
    if field.at[0] == "container":
        held = [c for c in _containers(shape) if not container or c.get("name") == container]
        found = _at(held[0], field.at[1:]) if held else None
        if found is not None or shape.fragments is None:
            return found
        return _at((shape.fragments or {}).get(field.fragment), field.at[2:])
    if shape.template is not None:
        return _at(shape.template, field.at)
    metadata = shape.metadata if field.at[0] == "metadata" else None
    found = _at({"spec": shape.spec, "metadata": metadata}, field.at)
    inside = field.at[3 if "affinity" in field.at else 2 :]
    return found if found is not None else _at((shape.fragments or {}).get(field.fragment), inside)


def _shapes(definition: Definition, obj: Any) -> dict[tuple[str, str], PodShape]:
    """Pods as written, by component and instance; what the object leaves out is not there."""
    return {
        (part.name, one.id): one.pod
        for part in definition.resolve(obj).walk()
        for one in part.instances
        if one.pod is not None and not one.pod.missed
    }


def _dump(shape: PodShape) -> str:
    return json.dumps([shape.template, shape.spec, shape.metadata, dict(shape.fragments or {})])


NOTHING = "the kind has neither a schema nor a recording here"


def _objects(definition: Definition, name: str, count: int) -> Iterator[Any]:
    """At most count made-up objects, and twice as many recorded ones that differ in what is written."""
    yield from made_up(definition, count)
    first = {json.dumps(r.frames[0].obj.get("spec")): r.frames[0].obj for _, r in recordings(name) if r.frames}
    yield from [*first.values()][: 2 * count]


def _set(definition: Definition, obj: Any, who: tuple[str, str], field: Field, seen: Counter[str]) -> None:
    """Sets one field of one instance, and looks at what came of it; a refusal is counted."""
    shapes = _shapes(definition, obj)
    container = next((str(c.get("name") or "") for c in _containers(shapes[who])), "")
    only: dict[str, Any] = {"component": who[0], "instances": [who[1]] if who[1] else None}
    before, text = copy.deepcopy(obj), json.dumps(obj)
    held = _read(shapes[who], field, container)
    try:
        if held is not None and held != "":
            unchanged = edit.set_pods(definition, obj, field.patch(held, container), **only)
            assert json.dumps(unchanged.obj) == text, "setting what is there is no identity"
            assert unchanged.changes == ()
            seen["identity"] += 1
        made = edit.set_pods(definition, obj, field.patch(field.probe, container), **only)
    except EditError:
        seen["refused"] += 1
        return
    finally:
        assert json.dumps(obj) == text
        assert same(obj, before)
    seen["set"] += 1
    now = _shapes(definition, made.obj)
    read = _read(now[who], field, container)
    if isinstance(field.probe, dict):  # a map goes into what is there
        assert _at(read, tuple(NODE)) == NODE[next(iter(NODE))], dotted(field.at)
    else:
        assert read == field.probe, dotted(field.at)
    assert same(put_back(made.obj, made.changes), obj)
    touched = [other for other, shape in now.items() if other != who and _dump(shape) != _dump(shapes[other])]
    if touched:
        assert made.notes, f"{who} was meant, and {touched} changed too, without a word"
        seen["shared"] += 1


@pytest.mark.parametrize("name", NAMES)
def test_what_is_set_is_read_and_nothing_else_changes(name: str) -> None:
    definition = definition_named(name)
    seen: Counter[str] = Counter()
    by_component: Counter[str] = Counter()
    objects = list(_objects(definition, name, 5))
    if not objects:
        pytest.skip(NOTHING)
    for obj in objects:
        for who in _shapes(definition, obj):
            for field in FIELDS.values():
                count = seen["set"]
                _set(definition, obj, who, field, seen)
                by_component[who[0]] += seen["set"] - count
    for part in definition.components:
        spec = part.spec
        if part.bears_pods and spec is not None and _writable(definition, part.name):
            assert by_component[part.name], f"nothing of {part.name!r} could be set, so the law says little: {seen}"


def _writable(definition: Definition, component: str) -> bool:
    """Whether a pod path of the component can be written through at all, in some object."""
    part = definition.component(component)
    assert part is not None
    assert part.spec is not None
    spec = part.spec
    for expr in (spec.pod_template, spec.pod_spec, spec.metadata, *(spec.fragments or {}).values()):
        try:
            if expr is not None:
                places(expr, {})
                return True
        except Refused as fault:
            if not fault.always:
                return True
    return False


def _none_held_before(definition: Definition, obj: Any, suspended: Any) -> bool:
    """Whether every place that suspending writes was otherwise before: nothing tells how to resume the others."""
    places = written_places(definition, obj, "suspend")
    return bool(places) and not any(same(at_place(obj, at), at_place(suspended, at)) for at in places)


@pytest.mark.parametrize("name", NAMES)
def test_suspended_and_resumed_is_as_before(name: str) -> None:
    """With what was before the very object comes back, or the reasons say why it cannot be suspended."""
    definition = definition_named(name)
    actions = any(c.suspend and c.suspend.suspend for c in definition.components)
    done = 0
    said: Counter[str] = Counter()
    objects = list(_objects(definition, name, 25))
    if not objects:
        pytest.skip(NOTHING)
    for obj in objects:
        before = copy.deepcopy(obj)
        assert list(broken(definition, obj, refusals=False)) == []
        try:
            suspended = edit.suspend(definition, obj)
        except EditError as error:
            said[str(error)] += 1
            continue
        finally:
            assert same(obj, before)
        assert same(put_back(suspended.obj, suspended.changes), obj)
        if _none_held_before(definition, obj, suspended.obj):
            back = edit.resume(definition, suspended.obj, before=obj)
            assert json.dumps(back.obj, sort_keys=True) == json.dumps(obj, sort_keys=True)
            done += 1
    if not actions:
        assert [*said] == [f"the definition {definition.name!r} does not say how to suspend"]
    else:
        assert done, f"nothing could be suspended, so the law says little: {said}"
        assert all("does not say how" not in text for text in said)


@pytest.mark.parametrize("name", sorted(OBJECTS))
@settings(max_examples=30)
@given(data=st.data())
def test_objects_as_their_controllers_leave_them(name: str, data: st.DataObject) -> None:
    """Whatever the status says, suspending never changes it, and resuming gives the object back."""
    definition = definition_named(name)
    obj = data.draw(OBJECTS[name])
    text = json.dumps(obj)
    try:
        suspended = definition.edit(obj).suspend()
    except EditError:
        return
    assert {change.path[0] for change in suspended.changes} <= {"spec", "metadata"}
    assert suspended.suspend().obj == suspended.obj
    if _none_held_before(definition, obj, suspended.obj):
        assert json.dumps(suspended.resume(before=obj).obj, sort_keys=True) == json.dumps(obj, sort_keys=True)
    assert suspended.resume().suspend().obj == suspended.obj
    assert json.dumps(obj) == text
