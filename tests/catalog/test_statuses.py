"""Every frame reads exactly one status, and the right one: our recordings, real ones, made-up objects."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kartatest.recording.model import Recording
from tests import realdata
from tests.catalog.parts import Obj
from tests.catalog.reading import NAMES, definition, our_flows, read
from tests.catalog.tables import OBJECTS, TABLES

OURS = list(our_flows())
REAL = [flow for flow in realdata.recorded_flows() if flow.definition in NAMES]


def _name(flow: Recording) -> str:
    return f"{flow.definition}-{flow.name}"


def _words(name: str, obj: Obj) -> list[str]:
    tree = read(name, obj)
    assert not tree.status.problems
    return [status.value for status in tree.statuses]


def test_every_kind_has_a_table_and_objects() -> None:
    assert sorted(TABLES) == sorted(OBJECTS) == NAMES


@pytest.mark.parametrize("flow", OURS, ids=_name)
def test_our_recordings(flow: Recording) -> None:
    assert flow.want is not None
    for frame in flow.frames:
        assert frame.expected is not None
        assert _words(flow.definition, frame.obj) == list(frame.expected), f"frame {frame.index}"
        assert TABLES[flow.definition](frame.obj) == frame.expected[0], f"frame {frame.index}: the table disagrees"
    assert flow.frames[-1].expected == (flow.want,)


@pytest.mark.skipif(not REAL, reason=realdata.ABSENT)
@pytest.mark.parametrize("flow", REAL, ids=_name)
def test_real_recordings(flow: Recording) -> None:
    readings = [_words(flow.definition, frame.obj) for frame in flow.frames]
    assert readings == [[TABLES[flow.definition](frame.obj)] for frame in flow.frames]
    assert readings[-1] == [flow.want]


@pytest.mark.parametrize("name", NAMES)
def test_every_mapped_status_is_recorded_and_every_other_is_not(name: str) -> None:
    status = definition(name).root.status
    assert status is not None
    mapped = {mapping.status.value for mapping in status.mappings}
    recorded = {w for flow in OURS if flow.definition == name for frame in flow.frames for w in frame.expected or ()}
    assert recorded == mapped


def _law(name: str) -> Callable[[], None]:
    @given(obj=OBJECTS[name])
    def holds(obj: Obj) -> None:
        assert _words(name, obj) == [TABLES[name](obj)]

    return holds


@pytest.mark.parametrize("name", NAMES)
def test_made_up_objects(name: str) -> None:
    _law(name)()


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 3) | st.sampled_from(["", "x", "True", "ready"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["type", "status"]), inner, max_size=2),
    max_leaves=4,
)


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_never_two_statuses_however_odd_the_object(name: str, data: st.DataObject) -> None:
    """An object that no API server would store reads one status, or says why it reads none."""
    obj = data.draw(OBJECTS[name])
    for part in ("spec", "status"):
        if obj.get(part) and data.draw(st.booleans()):
            obj[part][data.draw(st.sampled_from(sorted(obj[part])))] = data.draw(_JSON)
    tree = read(name, obj)
    assert len(tree.statuses) == (0 if tree.status.problems else 1)
