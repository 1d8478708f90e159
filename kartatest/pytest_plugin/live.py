"""`::live::<scenario>`: scenarios with real operators in the lab, each as an item."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kartatest.errors import KartaError
from kartatest.pytest_plugin import checks
from kartatest.pytest_plugin.items import Check
from kartatest.pytest_plugin.state import shown

if TYPE_CHECKING:
    from kartatest.cluster.lab import Lab
    from kartatest.cluster.scenario import Scenario
    from kartatest.definition.load import LoadedDefinition
    from kartatest.pytest_plugin.state import State

CLUSTER = "kwok"
_LABS: pytest.StashKey[Labs] = pytest.StashKey()
_MOST_FRAMES = 3


class Labs:
    """The lab of a run: one at a time, kept for as long as the next scenario needs the same operators."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._up: tuple[tuple[str, ...], Lab] | None = None
        self._refused: dict[tuple[str, ...], KartaError] = {}

    def lab(self, scenario: Scenario, version: str) -> Lab:
        """A lab with the scenario's operator. What kept it from starting once is raised again, not tried again."""
        from kartatest.cluster.live import lab_for, operators

        key = (scenario.operator, *operators(scenario, version))
        if key in self._refused:
            raise self._refused[key]
        if self._up is None or self._up[0] != key:
            self.end()
            try:
                self._up = (key, self._stack.enter_context(lab_for(scenario, version)))
            except KartaError as error:
                self._refused[key] = error
                raise
        return self._up[1]

    def end(self) -> None:
        """End what is up."""
        self._up = None
        self._stack.close()


def labs(config: pytest.Config) -> Labs:
    """The labs of this run, made when they are first asked for."""
    return config.stash.setdefault(_LABS, Labs())


def end(config: pytest.Config) -> None:
    """End what is up; nothing where no scenario ran."""
    if (found := config.stash.get(_LABS, None)) is not None:
        found.end()


def nodes(parent: pytest.Collector, state: State, file: Path, loaded: LoadedDefinition) -> Iterator[pytest.Collector]:
    """The scenarios of a definition, where there are any."""
    found = state.scenario_files(file, loaded.definition)
    if found:
        config = parent.config
        cluster = config.getoption("karta_cluster", "none")
        yield LiveNode.from_parent(parent, name="live", loaded=loaded, files=found, labs=labs(config), cluster=cluster)


class LiveNode(pytest.Collector):
    """The scenarios of a definition: an item for each of its versions, all of one version before the next one."""

    def __init__(self, *, loaded: LoadedDefinition, files: tuple[Path, ...], labs: Labs, cluster: str, **rest: Any):
        super().__init__(**rest)
        self.loaded = loaded
        self.files = files
        self.labs = labs
        self.cluster = cluster

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        """What is wrong with a scenario's file is an item, too."""
        from kartatest.cluster.scenario import load_file

        scenarios = []
        for file in self.files:
            loaded = load_file(file, name=shown(file))
            text = checks.findings(loaded.diagnostics)
            if text:
                yield Check.from_parent(self, name=f"load[{file.name}]", run=partial(str, text))
            if loaded.scenario is not None and self._is_meant(loaded.scenario):
                scenarios.append(loaded.scenario)
        pairs = [(version, scenario) for scenario in scenarios for version in scenario.versions]
        for version, scenario in sorted(pairs, key=lambda pair: pair[0]):
            name = scenario.flow if len(scenario.versions) == 1 else f"{scenario.flow}[{version}]"
            yield Check.from_parent(self, name=name, run=partial(self._run, scenario, version))

    def _is_meant(self, scenario: Scenario) -> bool:
        return scenario.definition in (self.loaded.definition.name, self.path.stem)

    def _run(self, scenario: Scenario, version: str) -> str | None:
        if self.cluster != CLUSTER:
            pytest.skip(f"scenarios run in the lab: give --karta-cluster {CLUSTER}")
        try:
            lab = self.labs.lab(scenario, version)
        except KartaError as error:
            pytest.skip(f"no lab for {scenario.operator} {version}: {error}")
        return live(scenario, version, self.loaded, lab)


def live(scenario: Scenario, version: str, loaded: LoadedDefinition, lab: Lab) -> str | None:
    """Whether every step ends as expected, every frame reads exactly the one status that the scenario says, every pod
    is somebody's, and the pod groups are those that it names.
    """
    from kartatest.cluster.live import run
    from kartatest.replay import replay

    played = run(scenario, version, lab)
    told = [f"{scenario.file}, {version}: {fault}" for fault in played.faults]
    if played.recording is not None:
        through = replay(loaded.definition, played.recording)
        wrong = [text for result in through.frames if (text := checks.frame(through, result, loaded.document))]
        told += wrong[:_MOST_FRAMES]
        if len(wrong) > _MOST_FRAMES:
            told.append(f"and {len(wrong) - _MOST_FRAMES} more of {len(through.frames)} frames")
        told += filter(None, (checks.pods(through), checks.gang(through)))
    return "\n\n".join(told) or None
