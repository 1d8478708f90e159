from __future__ import annotations

import os
import string
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kartatest.errors import FileError
from kartatest.recording.codes import STATUS_WORDS
from kartatest.recording.load import load
from kartatest.recording.model import Frame, GangExpectation, Recording
from kartatest.recording.patch import apply, apply_each, diff, diff_each
from kartatest.recording.write import text, write
from kartatest.source import Source, same
from tests import realdata

words = st.sampled_from(
    [
        "",
        "a",
        "yes",
        "NO",
        "1",
        "1.0",
        "0x1f",
        "1:30",
        "~",
        "null",
        "-",
        "a: b",
        "a #b",
        "x\ny\n",
        "x\n\n",
        " x",
        "é",
        "<<",
    ]
) | st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
scalars = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | words | st.sampled_from([0.5, -2.25, 1e-7])
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words | st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)
objects = st.dictionaries(st.sampled_from("abc") | words, values, max_size=3).map(
    lambda rest: {**rest, "apiVersion": "demo.io/v1", "kind": "TrainRig"}
)
named = st.builds(lambda obj, name: {**obj, "metadata": {"name": name}}, objects, st.sampled_from("abc"))
names = st.text(string.ascii_lowercase + string.digits + ".-", min_size=1, max_size=8)


counts = st.integers(-1, 9)
gangs = st.builds(
    GangExpectation,
    words,
    st.none() | st.dictionaries(words, counts | st.dictionaries(words, counts, max_size=2), max_size=2),
    st.dictionaries(words, words, max_size=2),
)


@st.composite
def recordings(draw: st.DrawFn) -> Recording:
    frames = tuple(
        Frame(
            index,
            draw(objects),
            tuple(draw(st.lists(objects | named, max_size=3))),
            tuple(draw(st.lists(objects | named, max_size=2))),
            draw(st.none() | st.lists(st.sampled_from(STATUS_WORDS), max_size=2).map(tuple)),
            ("frames", index),
            note=draw(words),
            gang=tuple(draw(st.lists(gangs, max_size=2, unique_by=lambda g: g.key))),
        )
        for index in range(draw(st.integers(1, 3)))
    )
    version = draw(st.just("") | names)
    file = f"{version or 'v'}-resumed.yaml"
    flow = draw(st.sampled_from(["resumed", "other"]) | names)
    want = draw(st.none() | st.sampled_from(STATUS_WORDS))
    return Recording(file, draw(st.just("") | names), draw(words), version, flow, frames, want, draw(values))


@given(recordings())
def test_what_is_written_reads_back(recording: Recording) -> None:
    written = text(recording)
    loaded = load(Source(recording.file, written))
    assert loaded.diagnostics == ()
    (again,) = loaded.recordings
    assert again == recording
    assert text(again) == written
    for ours, theirs in zip(recording.frames, again.frames, strict=True):
        assert same(ours.obj, theirs.obj)


@given(objects, objects)
def test_a_patch_turns_one_into_the_other(before: dict[str, Any], after: dict[str, Any]) -> None:
    patch = diff(before, after)
    if patch is not None:
        assert same(apply(before, patch), after)
    assert diff(before, before) == {}


@given(st.lists(named, max_size=3), st.lists(named, max_size=3), st.booleans())
def test_patches_by_name_turn_some_objects_into_others(before: list[Any], after: list[Any], with_kind: bool) -> None:
    patches = diff_each(before, after, with_kind=with_kind)
    if patches is not None:
        assert same(list(apply_each(before, patches, with_kind=with_kind)), after)


def test_a_pod_that_changes_is_written_as_its_change() -> None:
    pods = [{"kind": "Pod", "metadata": {"name": name}, "status": {"phase": "Pending"}} for name in "ab"]
    after = [pods[1] | {"status": {"phase": "Running"}}, {"kind": "Pod", "metadata": {"name": "c"}}]
    assert diff_each(pods, after) == {"a": None, "b": {"status": {"phase": "Running"}}, "c": after[1]}
    assert diff_each(pods, pods[::-1]) is None
    obj = {"apiVersion": "v1", "kind": "X"}
    frames = (Frame(0, obj, tuple(pods), at=("frames", 0)), Frame(1, obj, tuple(after), at=("frames", 1)))
    written = text(Recording("x.yaml", "", "", "", "x", frames))
    assert written.endswith(
        "- patch: {}\n  pods:\n    a: null\n    b:\n      status:\n        phase: Running\n"
        "    c:\n      kind: Pod\n      metadata:\n        name: c\n"
    )


def test_a_patch_cannot_set_null_but_lists_may_hold_it() -> None:
    assert diff({"a": 1}, {"a": None}) is None
    assert diff({}, {"a": {"b": {"c": None}}}) is None
    assert diff({}, {"a": [None, {"b": None}]}) == {"a": [None, {"b": None}]}
    assert diff({"a": 1}, {"a": True}) == {"a": True}
    assert diff({"a": None}, {"a": None, "b": 1}) == {"b": 1}


def test_a_frame_that_no_patch_can_say_is_written_whole() -> None:
    first = {"apiVersion": "v1", "kind": "X", "status": {"a": 1}}
    frames = (Frame(0, first, at=("frames", 0)), Frame(1, first | {"status": {"a": None}}, at=("frames", 1)))
    recording = Recording("x.yaml", "", "", "", "x", frames)
    assert text(recording).count("object:") == 2
    assert load(Source("x.yaml", text(recording))).recordings == (recording,)


def test_writing_is_all_or_nothing(tmp_path: Path) -> None:
    recording = Recording("x.yaml", "d", "", "", "x", (Frame(0, {"apiVersion": "v1", "kind": "X"}, at=("frames", 0)),))
    file = tmp_path / "deep" / "x.yaml"
    write(recording, file)
    assert file.read_text("utf-8") == text(recording)
    assert file.stat().st_mode & 0o777 == 0o666 & ~umask()
    bad = replace(recording, definition="\ud800")
    with pytest.raises(FileError, match="cannot write"):
        write(bad, tmp_path / "file-in-the-way" if (tmp_path / "file-in-the-way").write_text("") else file / "x.yaml")
    assert [p.name for p in file.parent.iterdir()] == ["x.yaml"]


def umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@pytest.mark.skipif(realdata.recorded() is None, reason=realdata.ABSENT)
def test_real_flows_read_back() -> None:
    flows = list(realdata.recorded_flows())
    assert len(flows) > 40
    for flow in flows:
        assert load(Source(flow.file, text(flow))).recordings == (flow,)
