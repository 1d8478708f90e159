"""Nodes: a definition's file, its recordings, and the checks as items."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kartatest.errors import KartaError
from kartatest.pytest_plugin import checks
from kartatest.pytest_plugin.state import State

if TYPE_CHECKING:
    from kartatest.definition.load import LoadedDefinition
    from kartatest.recording.model import Recording
    from kartatest.replay import Replay


class KartaWarning(pytest.PytestWarning):
    """What a run of karta's checks should tell, but not fail for."""


class Failed(Exception):  # noqa: N818 - the text is the whole report
    """A check that did not hold; its text is what the user reads."""


class Check(pytest.Item):
    """One check. run gives the text of a failure, or None."""

    def __init__(self, *, run: Callable[[], str | None], **rest: Any) -> None:
        super().__init__(**rest)
        self.run = run

    def runtest(self) -> None:
        """Run the check, and fail with its text."""
        text = self.run()
        if text:
            raise Failed(text)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *args: Any) -> Any:
        """The check's own text without a traceback; faults of ours keep theirs."""
        if isinstance(excinfo.value, (Failed, KartaError)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, *args)

    def reportinfo(self) -> tuple[os.PathLike[str] | str, int | None, str]:
        """The file and the item's name, as the short summary shows them."""
        return self.path, 0, self.nodeid.partition("::")[2].replace("::", " ")


class DefinitionFile(pytest.File):
    """A file with one definition, or with several, which then stand under their names."""

    def __init__(self, *, state: State, **rest: Any) -> None:
        super().__init__(**rest)
        self.state = state

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *args: Any) -> Any:
        """A file that cannot be read is told in one line."""
        return str(excinfo.value) if isinstance(excinfo.value, KartaError) else super().repr_failure(excinfo, *args)

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        """The schema check of the file, then what each definition has."""
        if self.path not in self.state.collected:
            self.state.collected.append(self.path)
        loaded = self.state.loaded(self.path)
        yield Check.from_parent(self, name="schema", run=partial(checks.schema, loaded))
        own = tuple(item.definition for item in loaded.items)
        for file in self.state.recording_files(self.path, own):
            text = checks.findings(self.state.faults(self.path, file))
            if text:
                yield Check.from_parent(self, name=f"load[{file.name}]", run=partial(str, text))
        for item in loaded.items:
            if len(loaded.items) == 1:
                yield from _definition(self, self.state, self.path, item)
            else:
                name = item.definition.name or f"document-{item.definition.index}"
                yield DefinitionNode.from_parent(self, name=name, state=self.state, loaded=item)


class DefinitionNode(pytest.Collector):
    """One of several definitions in a file."""

    def __init__(self, *, state: State, loaded: LoadedDefinition, **rest: Any) -> None:
        super().__init__(**rest)
        self.state = state
        self.loaded = loaded

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        """Its checks and recordings."""
        yield from _definition(self, self.state, self.path, self.loaded)


def _definition(
    parent: pytest.Collector, state: State, file: Path, loaded: LoadedDefinition
) -> Iterator[pytest.Item | pytest.Collector]:
    recordings = state.recordings(file, loaded.definition)
    yield LintCheck.from_parent(parent, name="lint", loaded=loaded, recordings=recordings)
    if not recordings:
        line = loaded.document.source.position(loaded.document.span((*loaded.definition.at, "kind")).start)[0]
        _warn(file, line, f"{loaded.definition.file}: there are no recordings, so statuses are not checked")
        yield from _on_a_cluster(parent, state, file, loaded, recordings)
        return
    yield Check.from_parent(parent, name="expressions", run=partial(checks.expressions, loaded, recordings))
    if any(component.bears_pods or component.suspend for component in loaded.definition.components):
        yield Check.from_parent(parent, name="edits", run=partial(checks.edits, loaded, recordings))
    names: dict[str, int] = {}
    for recording in recordings:
        names[recording.name] = times = names.get(recording.name, 0) + 1
        name = recording.name if times == 1 else f"{recording.name}#{times}"
        yield RecordingNode.from_parent(parent, name=name, state=state, loaded=loaded, recording=recording)
    yield from _on_a_cluster(parent, state, file, loaded, recordings)


def _on_a_cluster(
    parent: pytest.Collector,
    state: State,
    file: Path,
    loaded: LoadedDefinition,
    recordings: tuple[Recording, ...],
) -> Iterator[pytest.Collector]:
    if parent.config.option.karta_cluster != "none":
        from kartatest.pytest_plugin.cluster_items import ClusterNode
        from kartatest.pytest_plugin.clusters import session

        held = session(parent.config)
        yield ClusterNode.from_parent(parent, name="cluster", held=held, loaded=loaded, recordings=recordings)
    if parent.config.option.karta_live:
        from kartatest.pytest_plugin import live

        yield from live.nodes(parent, state, file, loaded)


def _warn(file: Path, line: int, text: str) -> None:
    """A warning at a line of a definition: pytest shows that line below it, not the first one of the file."""
    warnings.warn_explicit(KartaWarning(text), category=None, filename=str(file), lineno=line)


class LintCheck(Check):
    """The lint rules; warnings become warnings of pytest."""

    def __init__(self, *, loaded: LoadedDefinition, recordings: tuple[Recording, ...], **rest: Any) -> None:
        super().__init__(run=self._lint, **rest)
        self.loaded = loaded
        self.recordings = recordings

    def _lint(self) -> str | None:
        found, fail_on = checks.lint(self.path, self.loaded, self.recordings)
        for d in found:
            if d.severity < fail_on:
                line = d.source.position(d.span.start)[0]
                _warn(self.path, line, f"{d.source.name}:{line}: {d.code} {d.message}")
        return checks.findings(found, fail_on)


class RecordingNode(pytest.Collector):
    """A recording: an item per frame, the golden, the pods where there are any, pod groups where they are expected."""

    def __init__(self, *, state: State, loaded: LoadedDefinition, recording: Recording, **rest: Any) -> None:
        super().__init__(**rest)
        self.state = state
        self.loaded = loaded
        self.recording = recording

    @cached_property
    def replay(self) -> Replay:
        """The recording through the definition; done when the first item runs."""
        from kartatest.replay import replay

        return replay(self.loaded.definition, self.recording)

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        """In the order of the frames, then the rest."""
        for index, frame in enumerate(self.recording.frames):
            yield Check.from_parent(self, name=f"frame[{frame.index}]", run=partial(self._frame, index))
        yield Check.from_parent(self, name="tree", run=self._tree)
        if any(frame.pods for frame in self.recording.frames):
            yield Check.from_parent(self, name="pods", run=self._pods)
        if any(frame.gang for frame in self.recording.frames):
            yield Check.from_parent(self, name="gang", run=self._gang)

    def _frame(self, index: int) -> str | None:
        return checks.frame(self.replay, self.replay.frames[index], self.loaded.document)

    def _tree(self) -> str | None:
        return checks.tree(self.replay, update=self.state.update)

    def _pods(self) -> str | None:
        return checks.pods(self.replay)

    def _gang(self) -> str | None:
        return checks.gang(self.replay)
