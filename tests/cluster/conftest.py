"""Real clusters for tests that are marked `cluster`: one of each provider for the whole run, in a state of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kartatest.cluster import state
from kartatest.cluster.kwok import Kwok
from kartatest.cluster.model import Cluster
from kartatest.errors import ClusterError


@pytest.fixture(scope="session")
def kwok(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """An API server without controllers; afterwards nothing of it may be left."""
    home = tmp_path_factory.mktemp("kwok")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(home))
        where = state.folders()
        try:
            started = Kwok().start()
            cluster = started.__enter__()
        except ClusterError as error:
            pytest.skip(f"no kwok cluster: {error}")
    pids = [process.pid for held in state.states(where) for process in state.recorded(held)]
    yield cluster
    started.__exit__(None, None, None)
    assert state.states(where) == ()
    assert [pid for pid in pids if state.beginning(pid)] == []
    assert list(Path(home).rglob("*.pid")) == []
