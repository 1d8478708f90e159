"""Clusters of local processes, and one's own through its kubeconfig, keep the contract and leave nothing behind."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kartatest.cluster import state
from kartatest.cluster.current import NAMESPACE, Current
from kartatest.cluster.model import Access, Cluster
from kartatest.cluster.state import Folders
from tests.cluster.contract import CASES, run

pytestmark = pytest.mark.cluster

RUN = """
from kartatest.cluster.kwok import Kwok
with Kwok().start() as cluster:
    print("up", flush=True)
    cluster.raw("/version")
    import time
    time.sleep(600)
"""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_contract(case: Callable[[Cluster, str], None], kwok: Cluster) -> None:
    run(case, kwok)
    run(case, kwok)


@pytest.fixture
def current(kwok: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with Current(Access(kubeconfig=kwok.kubeconfig)).start() as cluster:
        yield cluster
    assert state.states() == ()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_contract_through_a_kubeconfig(case: Callable[[Cluster, str], None], current: Cluster) -> None:
    run(case, current)


def test_current_works_in_a_namespace_of_its_own(kwok: Cluster, current: Cluster) -> None:
    assert current.namespace.startswith("karta-current-")
    found = kwok.get(NAMESPACE, current.namespace)
    assert found is not None
    assert "deletionTimestamp" not in found["metadata"]


def test_a_killed_run_leaves_its_namespace_to_the_next(
    kwok: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    text = f"""
from pathlib import Path
from kartatest.cluster.current import Current
from kartatest.cluster.model import Access
with Current(Access(kubeconfig=Path({str(kwok.kubeconfig)!r}))).start() as cluster:
    print(cluster.namespace, flush=True)
    import time
    time.sleep(600)
"""
    running = subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None
    namespace = running.stdout.readline().strip()
    running.kill()
    running.wait()
    assert len(state.sweep()) == 1
    found = kwok.get(NAMESPACE, namespace)
    assert found is None or found["metadata"]["deletionTimestamp"]


def digests(home: Path) -> dict[str, str]:
    return {
        str(file.relative_to(home)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(home.rglob("*"))
        if file.is_file() and ".local" not in file.parts and ".cache" not in file.parts
    }


@pytest.mark.parametrize("moment", [0.3, 1.0, 2.0, 3.5, None])
def test_a_killed_run_leaves_nothing_after_the_next(tmp_path: Path, moment: float | None) -> None:
    (tmp_path / ".kube").mkdir()
    (tmp_path / ".kube" / "config").write_text("current-context: mine\n", "utf-8")
    before = digests(tmp_path)
    names = ("PATH", "KARTA_LAB_BIN", "KUBEBUILDER_ASSETS", "XDG_CACHE_HOME")
    env = {name: os.environ[name] for name in names if name in os.environ} | {"HOME": str(tmp_path)}
    where = Folders(tmp_path / ".cache" / "karta", tmp_path / ".local" / "state" / "karta" / "clusters")
    running = subprocess.Popen(
        [sys.executable, "-c", RUN], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert running.stdout is not None
    assert running.stderr is not None
    if moment is None:
        if running.stdout.readline() != "up\n":
            pytest.skip(f"no kwok cluster: {running.stderr.read().splitlines()[-1]}")
    else:
        time.sleep(moment)
    running.send_signal(signal.SIGKILL)
    running.wait()
    state.sweep(where)
    assert state.states(where) == ()
    left = [line for line in commands() if str(tmp_path) in line]
    assert left == []
    assert digests(tmp_path) == before


def commands() -> list[str]:
    """What every process was started with, zombies aside."""
    return subprocess.run(["ps", "-ww", "-eo", "args="], capture_output=True, text=True, check=True).stdout.splitlines()
