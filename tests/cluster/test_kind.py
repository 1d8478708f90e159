"""Clusters of kind keep the contract, where there is Docker or podman."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from kartatest.cluster import state
from kartatest.cluster.kind import Kind
from kartatest.cluster.model import Cluster
from kartatest.errors import ClusterError
from tests.cluster.contract import CASES, run

pytestmark = pytest.mark.cluster


@pytest.fixture(scope="module")
def kind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    home = tmp_path_factory.mktemp("kind")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(home))
        where = state.folders()
        try:
            started = Kind().start()
            cluster = started.__enter__()
        except ClusterError as error:
            pytest.skip(f"no kind cluster: {error}")
    yield cluster
    started.__exit__(None, None, None)
    assert state.states(where) == ()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_contract(case: Callable[[Cluster, str], None], kind: Cluster) -> None:
    run(case, kind)
    run(case, kind)
