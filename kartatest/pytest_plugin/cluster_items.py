"""Nodes below `::cluster`: the definition and each real CRD, then each recording, against a real API server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from kartatest.pytest_plugin import cluster_checks
from kartatest.pytest_plugin.cluster_checks import Report
from kartatest.pytest_plugin.clusters import Session
from kartatest.pytest_plugin.items import Check

if TYPE_CHECKING:
    from kartatest.definition.load import LoadedDefinition
    from kartatest.recording.model import Recording


class ClusterCheck(Check):
    """A check that may have more to say than whether it holds, and that may find nothing to check."""

    def __init__(self, *, check: Callable[[], Report], **rest: Any) -> None:
        super().__init__(run=self._checked, **rest)
        self.check = check

    def _checked(self) -> str | None:
        report = self.check()
        if report.notes:
            self.add_report_section("call", "karta", "\n".join(report.notes))
        if report.skip and not report.failures:
            pytest.skip(report.skip)
        return "\n".join(report.failures) or None


class ClusterNode(pytest.Collector):
    """What is checked of one definition with a cluster."""

    def __init__(
        self, *, held: Session, loaded: LoadedDefinition, recordings: tuple[Recording, ...], **rest: Any
    ) -> None:
        super().__init__(**rest)
        self.held = held
        self.loaded = loaded
        self.recordings = recordings

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        """`definition`, then `crd[v]` for every release that is on this machine, then the recordings by name."""
        held, definition = self.held, self.loaded.definition
        yield self._check("definition", partial(cluster_checks.accepted, held, self.loaded))
        for release in cluster_checks.releases(held, definition):
            name = f"crd[{release.tag}]" if release.tag else "crd"
            yield self._check(name, partial(cluster_checks.crd, held, definition, release, self.recordings))
        if not cluster_checks.releases(held, definition) and cluster_checks.has_crd(definition):
            yield self._check("crd", partial(cluster_checks.no_crd, definition))
        names: dict[str, int] = {}
        for recording in self.recordings:
            names[recording.name] = times = names.get(recording.name, 0) + 1
            name = recording.name if times == 1 else f"{recording.name}#{times}"
            yield self._check(name, partial(cluster_checks.flow, held, definition, recording))

    def _check(self, name: str, check: Callable[[], Report]) -> ClusterCheck:
        made: ClusterCheck = ClusterCheck.from_parent(self, name=name, check=check)
        return made
