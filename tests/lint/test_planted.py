"""Ten faults of as many kinds in one definition: ten findings, each exactly on its text, none hiding another."""

from __future__ import annotations

from pathlib import Path

from kartatest import replay
from kartatest.lint.engine import lint
from kartatest.recording.load import load
from kartatest.source import Source

FOLDER = Path(__file__).parent / "planted"

WANTED = [
    ("KT112", "TrainRigs"),
    ("KT201", "lenght"),
    ("KT414", '"True"'),
    ("KT309", "paused"),
    ("KT213", "spec"),
    ("KT501", ".metadata.labels.role // .metadata.labels.kind"),
    ("KT103", "rigg"),
    ("KT703", ".spec.worker.template"),
    ("KT011", "replicaPath"),
    ("KT601", "wroker"),
]


def test_ten_faults_give_ten_findings_with_exact_places() -> None:
    recording = FOLDER / "ten.recording.yaml"
    recordings = load(Source(recording.name, recording.read_text("utf-8"))).recordings
    source = Source("ten.yaml", (FOLDER / "ten.yaml").read_text("utf-8"))
    found = lint(source, evidence=lambda item: replay.evidence(item.definition, recordings))
    assert [(d.code, source.text[d.span.start : d.span.end]) for d in found] == WANTED


def test_without_recordings_the_other_nine_are_the_same() -> None:
    source = Source("ten.yaml", (FOLDER / "ten.yaml").read_text("utf-8"))
    found = [(d.code, source.text[d.span.start : d.span.end]) for d in lint(source)]
    assert found == [finding for finding in WANTED if finding[0] != "KT703"]
