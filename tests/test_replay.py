from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kartatest import golden
from kartatest.definition.load import load, load_file
from kartatest.definition.model import Definition, Gvk
from kartatest.recording.find import load_file as load_recordings
from kartatest.recording.model import Frame, Recording
from kartatest.replay import choose, containers, disagreements, evidence, reach, replay
from kartatest.report.matrix import counted, matrix, spoken
from kartatest.source import Source

RIG = Path(__file__).parent / "rig"
DEFINITION = load_file(RIG / "trainrig.yaml").items[0].definition


def recording(name: str) -> Recording:
    (found,) = load_recordings(RIG / name).recordings
    return found


COMPLETED = recording("fixtures/v1.2.0-completed.yaml")
BROKEN = recording("broken.yaml")


def test_frames_read_what_they_expect() -> None:
    result = replay(DEFINITION, COMPLETED)
    assert [f.statuses for f in result.frames] == [("Initializing",), ("Running",), ("Completed",)]
    assert [f.ok for f in result.frames] == [True, True, True]
    assert COMPLETED.frames[2].expected is None  # the last frame is held to the recording's want


def test_frames_that_do_not_fit() -> None:
    frames = replay(DEFINITION, BROKEN).frames
    assert [f.ok for f in frames] == [False, False, None, False]
    assert [f.overlaps for f in frames] == [False, True, False, False]
    assert [f.undefined for f in frames] == [True, False, True, False]
    assert [bool(f.problems) for f in frames] == [False, False, False, True]


def test_expected_statuses_are_a_set() -> None:
    frame = replace(BROKEN.frames[1], expected=("Completed", "Running"))
    (result,) = replay(DEFINITION, replace(BROKEN, frames=(frame,))).frames
    assert result.statuses == ("Running", "Completed")
    assert result.ok


def at(definition: Definition, version: str, name: str = "other") -> Definition:
    return replace(
        definition,
        name=name,
        file=f"{name}.yaml",
        root=replace(definition.root, kind=Gvk("demo.io", version, "TrainRig")),
    )


def test_a_recording_finds_its_definition() -> None:
    v1, v2, v3 = DEFINITION, at(DEFINITION, "v2"), at(DEFINITION, "v3", "third")
    unnamed = replace(COMPLETED, definition="")
    assert choose(replace(COMPLETED, definition="third"), [v1, v3]) is v3
    assert choose(replace(COMPLETED, definition="nowhere"), [v2, v1]) is v1
    assert choose(unnamed, [v2, v1]) is v1
    assert choose(unnamed, [v2]) is v2  # none for that version
    assert choose(unnamed, [v2, v3]) is v3  # the newest
    assert choose(unnamed, [replace(v1, root=replace(v1.root, kind=Gvk("", "v1", "Pod")))]) is None
    assert choose(replace(unnamed, frames=()), [v1]) is None


def test_evidence() -> None:
    shown = evidence(DEFINITION, [COMPLETED, BROKEN])
    assert [f.frame for f in shown.frames] == [0, 1, 2, 0, 1, 2, 3]
    first, second = shown.frames[:2]
    assert (first.recording, first.phase, first.statuses) == ("v1.2.0-completed", "Starting", ("Initializing",))
    size = next(place for place in first.outcomes if place[-1] == "replicasPath")
    assert first.outcomes[size].outputs == (2,)
    assert first.pod_outcomes == {}
    assert [o.outputs for outcomes in second.pod_outcomes.values() for o in outcomes] == [("worker",)]
    assert second.conditions == (("Ready", "True", ""), ("Available", "True", ""))
    worker = next(c for c in second.components if c.name == "worker")
    assert (worker.ids, worker.containers, worker.problems) == (("",), (1,), ())


def test_reach_counts_expressions_and_matchers() -> None:
    every = reach(DEFINITION, [COMPLETED, BROKEN])
    assert every.total == 9  # phase, conditions, template, replicas, selector key, and four matchers
    assert [place[-2:] for place in every.missed] == [("failed", 0)]
    assert every.percent == pytest.approx(100 * 8 / 9)
    none = reach(DEFINITION, [])
    assert (none.reached, len(none.missed)) == (0, 9)


def test_containers_of_each_shape() -> None:
    frame = replay(DEFINITION, COMPLETED).frames[0]
    (worker,) = [c for c in frame.tree.walk() if c.name == "worker"]
    assert [c["name"] for c in containers(worker.instances[0])] == ["main"]


def test_matrix() -> None:
    text = matrix([replay(DEFINITION, BROKEN), replay(DEFINITION, COMPLETED)])
    assert text == (RIG / "matrix.out").read_text("utf-8")
    coloured = matrix([replay(DEFINITION, BROKEN)], color=True)
    assert "\x1b[31m" in coloured
    assert "\x1b" not in text
    counts = counted([replay(DEFINITION, BROKEN)])
    assert (counts.frames, counts.mismatches, counts.overlaps, counts.undefined, counts.unreadable) == (4, 3, 1, 2, 1)


def test_a_wide_matrix_stays_within_a_terminal() -> None:
    words = ("Resuming", "Suspending", "Suspended", "Running", "Failed", "Completed", "Initializing", "Degraded")
    frames = tuple(replace(COMPLETED.frames[0], index=i, expected=(word,)) for i, word in enumerate(words))
    lines = matrix([replay(DEFINITION, replace(COMPLETED, frames=frames, want=None))]).splitlines()
    assert max(len(line) for line in lines[1:2]) <= 80


def test_spoken_frames() -> None:
    assert spoken([3]) == "frame 3"
    assert spoken([0, 1, 2, 5, 7, 8]) == "frames 0-2, 5, 7-8"


values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["status", "spec", "phase", "conditions", "type", "size", "done", "template", "containers"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(["status", "spec", "metadata"]), values), values)
def test_any_object_is_replayed_and_explained(obj: dict[str, Any], pod: Any) -> None:
    frame = Frame(0, obj, pods=(pod,) if isinstance(pod, dict) else (), expected=("Running",))
    strange = Recording("x.yaml", "", "", "", "x", (frame,))
    assert golden.text(DEFINITION, strange).startswith("definition: demo-io-trainrig-v1\n")
    assert matrix([replay(DEFINITION, strange)]).endswith("\n")
    assert evidence(DEFINITION, [strange]).frames


def test_the_engines_agree() -> None:
    assert disagreements(DEFINITION, [COMPLETED, BROKEN]) == ()


def test_where_the_engines_differ_is_said() -> None:
    """Objects that an expression makes keep their order in libjq, and are sorted in consumers' jq."""
    text = (RIG / "trainrig.yaml").read_text("utf-8").replace(".status.done == .spec.size", '"{b: 1, a: 2} | tojson"')
    (item,) = load(Source("other.yaml", text)).items
    (line,) = disagreements(item.definition, [replace(COMPLETED, frames=COMPLETED.frames[:1])])
    assert line.startswith("frame 0 of v1.2.0-completed: {b: 1, a: 2} | tojson gives ")
