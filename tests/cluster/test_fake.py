"""The cluster in memory keeps the contract of all providers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kartatest.cluster.fake import Fake
from kartatest.cluster.model import Cluster
from tests.cluster.contract import CASES, run


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_contract(case: Callable[[Cluster, str], None]) -> None:
    with Fake().start() as cluster:
        run(case, cluster)
        run(case, cluster)
