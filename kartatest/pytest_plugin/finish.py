"""What is done once, after the last item: coverage by recordings, and goldens that nobody has."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kartatest.pytest_plugin.state import State

if TYPE_CHECKING:
    from kartatest.definition.model import Definition
    from kartatest.recording.model import Recording

_MOST_MISSED = 10


def finish(state: State, config: pytest.Config) -> bool:
    """Whether the run may still pass. Lines for the user go to the state's summary."""
    if config.option.karta_prune:
        state.summary += _pruned(state)
    wanted = config.option.karta_fail_under_coverage
    return wanted is None or _covered(state, wanted)


def _definitions(state: State) -> Iterator[tuple[Path, Definition]]:
    for file in state.files:
        for item in state.loaded(file).items:
            yield file, item.definition


def _covered(state: State, wanted: float) -> bool:
    from kartatest.replay import reach
    from kartatest.source import dotted

    good = True
    for file, definition in _definitions(state):
        found = reach(definition, state.recordings(file, definition))
        enough = found.percent >= wanted
        good = good and enough
        state.summary.append(
            f"{definition.name or file.name}: recordings reach {found.reached} of {found.total} "
            f"expressions and matchers, {found.percent:.0f}%" + ("" if enough else f", less than {wanted:g}%")
        )
        if not enough:
            state.summary += [f"  never reached: {dotted(at)}" for at in found.missed[:_MOST_MISSED]]
            if len(found.missed) > _MOST_MISSED:
                state.summary.append(f"  and {len(found.missed) - _MOST_MISSED} more")
    return good


def _pruned(state: State) -> Iterator[str]:
    """Goldens beside the recordings of this run whose own recording is gone are removed, and named."""
    from kartatest.golden.files import orphans

    folders: list[Path] = []
    known: list[Recording] = []
    for file in state.files:
        own = tuple(item.definition for item in state.loaded(file).items)
        for path in state.recording_files(file, own):
            folders.append(path.parent)
            known += state.read(path).recordings
    for folder in dict.fromkeys(folders):
        for golden in orphans(folder, known):
            golden.unlink(missing_ok=True)
            yield f"removed {golden}, which has no recording"
