"""A frame reads the same whether the frames before it were read or not."""

from __future__ import annotations

from pathlib import Path

import pytest

from kartatest import catalog
from kartatest.definition.evidence import Outcome
from kartatest.definition.load import load_file
from kartatest.definition.model import Root
from kartatest.definition.walk import expressions
from kartatest.recording.find import load_file as load_recordings
from kartatest.replay import evidence, replay
from kartatest.resolve.evaluate import Evaluator, Unreadable
from kartatest.resolve.tree import resolve

FIXTURES = Path(__file__).parents[1] / "fixtures"
CASES = [file for kind in catalog.paths() for file in sorted((FIXTURES / kind.stem).glob("*.yaml"))[:2]]


def _alone(expr: object, evaluator: Evaluator) -> Outcome:
    try:
        return Outcome(tuple(evaluator.outputs(expr)))  # type: ignore[arg-type]
    except Unreadable as error:
        return Outcome(error=error.problem.message)


@pytest.mark.parametrize("file", CASES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_frame_alone(file: Path) -> None:
    definition = load_file(next(p for p in catalog.paths() if p.stem == file.parent.name)).items[0].definition
    every = [expr for expr in expressions(definition) if expr.root is Root.WORKLOAD]
    for recording in load_recordings(file).recordings:
        shown = evidence(definition, [recording]).frames
        for frame, result, one in zip(recording.frames, replay(definition, recording).frames, shown, strict=True):
            assert result.tree == resolve(definition, frame.obj, pods=frame.pods, owners=frame.owners)
            evaluator = Evaluator(frame.obj)
            assert one.outcomes == {expr.at: _alone(expr, evaluator) for expr in every}
