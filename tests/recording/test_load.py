"""What is read from a file of each kind, as data: cases/<name> and cases/<name>.out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kartatest.definition.model import Status
from kartatest.recording.codes import LOADING_CODES, STATUS_WORDS
from kartatest.recording.gangs import data
from kartatest.recording.load import load
from kartatest.recording.model import Recording
from kartatest.source import Source

CASES = Path(__file__).parent / "cases"


def shown(recording: Recording) -> list[str]:
    head = (recording.name, recording.definition, recording.operator, recording.version, recording.want, recording.part)
    lines = [" ".join(map(repr, head))]
    for frame in recording.frames:
        rest = {"pods": list(frame.pods), "owners": list(frame.owners), "expected": frame.expected, "note": frame.note}
        kept = {key: value for key, value in rest.items() if value not in ([], None, "")}
        kept |= {"gang": data(frame.gang)} if frame.gang else {}
        place = "/".join(map(str, frame.at))
        lines.append(f"  {frame.index} at {frame.document}:{place} {json.dumps(frame.obj)} {json.dumps(kept)}")
    return lines


@pytest.mark.parametrize("case", sorted(p for p in CASES.iterdir() if p.suffix != ".out"), ids=lambda p: p.name)
def test_case(case: Path, request: pytest.FixtureRequest) -> None:
    loaded = load(Source(case.name, case.read_text("utf-8")))
    lines = [line for recording in loaded.recordings for line in shown(recording)]
    for d in loaded.diagnostics:
        line, column = d.source.position(d.span.start)
        text = d.source.text[d.span.start : d.span.end].split("\n")[0]
        lines.append(f"{d.code} {line}:{column} [{text}] {d.message} | {d.help}")
    out = case.with_name(f"{case.name}.out")
    if request.config.getoption("--karta-update", default=False):
        out.write_text("\n".join(lines) + "\n", "utf-8")
    assert "\n".join(lines) + "\n" == out.read_text("utf-8")


def test_vocabulary_is_the_definitions() -> None:
    assert tuple(status.value for status in Status) == STATUS_WORDS


def test_codes_are_in_order_and_of_the_loading_family() -> None:
    codes = [code.code for code in LOADING_CODES]
    assert codes == sorted(set(codes))
    assert all(code.startswith("KT05") for code in codes)


values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "Running", "STATE", "v1", "List", "ADDED"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "frames",
                    "object",
                    "patch",
                    "pods",
                    "owners",
                    "expect",
                    "note",
                    "want",
                    "definition",
                    "flow",
                    "apiVersion",
                    "kind",
                    "metadata",
                    "items",
                    "type",
                    "schemaVersion",
                    "events",
                    "state",
                    "name",
                    "namespace",
                ]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)


@given(st.lists(values, max_size=3), st.sampled_from(["\n", "\n---\n"]))
def test_any_document_is_read_without_an_exception(documents: list[object], between: str) -> None:
    source = Source("any.yaml", between.join(json.dumps(d) for d in documents))
    loaded = load(source)
    for recording in loaded.recordings:
        assert recording.frames
    for d in loaded.diagnostics:
        assert 0 <= d.span.start <= d.span.end <= len(source.text)


@given(st.text(max_size=60))
def test_any_text_is_read_without_an_exception(text: str) -> None:
    load(Source("any.yaml", text))
    load(Source("any.json", "{" + text))
