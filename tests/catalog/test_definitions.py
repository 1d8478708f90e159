"""What holds for every definition of the catalog beside its statuses: shape, lint, counts that line up, pods."""

from __future__ import annotations

import pytest

from kartatest.catalog import name_of
from kartatest.definition.model import Gvk
from kartatest.pytest_plugin.checks import gang
from kartatest.recording.model import Recording
from kartatest.replay import replay
from kartatest.resolve.model import ForeignPod
from kartatest.resolve.totals import label
from tests import realdata
from tests.catalog.reading import CATALOG, NAMES, definition, our_flows, read
from tests.catalog.tables import EMPTY, TEMPLATE_ELSEWHERE

FLOWS = list(our_flows())
REAL = [flow for flow in realdata.recorded_flows() if flow.definition in NAMES]


@pytest.mark.parametrize("name", NAMES)
def test_name_and_labels_are_those_of_the_root_kind(name: str) -> None:
    """Consumers find a definition by its labels; one whose labels differ from its root is never used."""
    found = definition(name)
    kind = found.root.kind
    assert kind is not None
    assert found.name == name == name_of(kind)
    assert found.labels == {
        "run.ai/karta-group": kind.group,
        "run.ai/karta-version": kind.version,
        "run.ai/karta-kind": kind.kind,
    }


@pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: f"{flow.definition}-{flow.name}")
def test_our_recordings_resolve_without_a_problem(flow: object) -> None:
    """No expression fails, ids and values line up, every pod-bearing instance has a template and takes its pods."""
    _check(flow)


@pytest.mark.skipif(not REAL, reason=realdata.ABSENT)
@pytest.mark.parametrize("flow", REAL, ids=lambda flow: f"{flow.definition}-{flow.name}")
def test_real_recordings_resolve_without_a_problem(flow: object) -> None:
    _check(flow)


def _check(flow: object) -> None:
    assert isinstance(flow, Recording)
    kind = definition(flow.definition).root.kind
    for frame in flow.frames:
        assert Gvk.of(frame.obj) == kind
        tree = read(flow.definition, frame.obj, frame.pods, frame.owners)
        foreign = [w for w in tree.warnings if isinstance(w, ForeignPod)]
        # object and pods of a frame are of different moments, so pods that lag behind are no fault
        assert not [w for w in tree.warnings if w not in foreign and not w.endswith("though the status is Running")]
        assert len(tree.unassigned) == len(foreign)
        for component in tree.walk():
            assert not component.problems
            for instance in component.instances:
                if component.bears_pods and component.name not in TEMPLATE_ELSEWHERE[flow.definition]:
                    assert instance.pod is not None
                    shape = instance.pod.template or instance.pod.spec or instance.pod.fragments
                    assert shape is not None, f"{label(component, instance)} has no template"


def test_pods_of_our_recordings_reach_every_role() -> None:
    """Each role that bears pods has a recorded pod that its selector takes."""
    reached = {
        (flow.definition, component.name)
        for flow in FLOWS
        for frame in flow.frames
        for component in read(flow.definition, frame.obj, frame.pods, frame.owners).walk()
        if any(instance.pods for instance in component.instances)
    }
    assert reached == {(name, c.name) for name in NAMES for c in definition(name).components if c.bears_pods}


@pytest.mark.parametrize("name", NAMES)
def test_an_object_without_anything_in_it_resolves(name: str) -> None:
    kind = definition(name).root.kind
    assert kind is not None
    for spec in ({}, {"spec": {}}, {"spec": {}, "status": {}}, {"spec": {}, "status": {"conditions": []}}):
        obj = {"apiVersion": kind.api_version, "kind": kind.kind, "metadata": {"name": "x"}, **spec}
        tree = read(name, obj)
        assert [status.value for status in tree.statuses] == [EMPTY[name]]
        assert not [problem for component in tree.walk() for problem in component.problems]


def test_every_definition_is_in_a_file_of_its_name() -> None:
    assert [path.suffix for path in sorted(CATALOG.iterdir())] == [".yaml"] * len(NAMES)


@pytest.mark.parametrize(
    "flow",
    [f for f in FLOWS if any(frame.gang for frame in f.frames)],
    ids=lambda flow: f"{flow.definition}-{flow.name}",
)
def test_gangs_are_those_that_people_expect(flow: Recording) -> None:
    """By the definition's own arithmetic and by each scheduler that a recording names."""
    assert gang(replay(definition(flow.definition), flow)) is None
