"""Real data that lies beside the checkout and is not part of it; tests that read it are skipped where it is absent."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kartatest.recording.model import Frame, Recording
from kartatest.source import Source

ABSENT = "the folder with real data is not beside the checkout, and KARTA_REAL_DATA names none"


def folder(name: str) -> Path | None:
    """A folder of the real data, from the variable KARTA_REAL_DATA or beside the repository; None when absent."""
    given = os.environ.get("KARTA_REAL_DATA")
    root = Path(given) if given else Path(__file__).parents[2] / "shared"
    return root / name if (root / name).is_dir() else None


def recorded() -> Path | None:
    """One file per recorded flow, in a folder per definition."""
    return folder("recorded")


def crds() -> Path | None:
    """CRDs of operators."""
    return folder("crds")


def kai() -> Path | None:
    """What a real scheduler's podgrouper made of workloads."""
    return folder("kai")


def recorded_flows() -> Iterator[Recording]:
    """Every recorded flow, in the order of the file names; nothing where there are none.

    A frame's object is the base's apiVersion and kind, its own `metadata` and `spec` or else the base's, and its own
    `status`. expected is the most advanced of the recorder's predicates that held (the last of `phases`); None where
    none held, and where the status is older than the spec. note holds all of them, as "phases: Initializing, Running".
    """
    from kartatest.yamlpos import documents

    for file in sorted((recorded() or Path("/nonexistent")).glob("*/*.yaml")):
        (document,) = documents(Source(str(file), file.read_text("utf-8"))).documents
        yield _recording(file, document.value)


def _recording(file: Path, value: dict[str, Any]) -> Recording:
    frames = []
    for index, frame in enumerate(value["frames"]):
        obj = {"apiVersion": value["apiVersion"], "kind": value["kind"], **value["base"]}
        obj |= {key: frame[key] for key in ("metadata", "spec", "status") if key in frame}
        phases = frame.get("phases", [])
        judged = phases not in ([], ["Undefined"]) and not frame.get("staleObservedGeneration")
        expected = (phases[-1],) if judged else None
        frames.append(Frame(index, obj, expected=expected, at=("frames", index), note=f"phases: {', '.join(phases)}"))
    source = value["source"]
    return Recording(
        file=str(file),
        definition=file.parent.name,
        operator=source.get("operator", ""),
        version=source.get("version", ""),
        flow=file.stem.removeprefix(f"{source.get('version', '')}-"),
        frames=tuple(frames),
        want=value.get("want"),
    )
