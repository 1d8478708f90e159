"""Clusters of local processes: they keep the contract and leave nothing behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kartatest.cluster import state
from kartatest.cluster.kwok import Kwok
from kartatest.cluster.model import Cluster
from kartatest.errors import ClusterError
from tests.cluster.contract import CASES, run

pytestmark = pytest.mark.cluster


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(home))
        try:
            started = Kwok().start()
            found = started.__enter__()
        except ClusterError as error:
            pytest.skip(f"no kwok cluster: {error}")
        pids = [process.pid for held in state.states() for process in state.recorded(held)]
        yield found
        started.__exit__(None, None, None)
        assert state.states() == ()
        assert all(state.beginning(pid) == "" for pid in pids)
        assert list(Path(home).rglob("*.pid")) == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_contract(case: Callable[[Cluster, str], None], cluster: Cluster) -> None:
    run(case, cluster)
    run(case, cluster)
