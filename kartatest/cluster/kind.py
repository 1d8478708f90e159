"""Clusters in containers, made by kind through pytest-kind (extra `kind`); they need Docker or podman.

pytest-kind pins a kind of 2022 and a kubectl: the kind is ours or the user's, the kubectl is not used. It works in a
process of its own, recorded in the cluster's folder, which is also where the folder that it makes ends up.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from kartatest.cluster import processes, state
from kartatest.cluster.client import HttpCluster, connect
from kartatest.cluster.model import Access
from kartatest.cluster.state import State
from kartatest.cluster.waits import until
from kartatest.errors import ClusterError

VERSION = "v0.30.0"
"""Of kind, where the user names none: it brings Kubernetes 1.34."""

_ARCHITECTURES = {"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}


class Kind:
    """The provider `kind`. keep: the cluster stays. binary: a kind to use; "": as `kind_binary` says.

    image: of the nodes, "kindest/node:v1.34.0"; "" is kind's own choice.
    """

    name = "kind"

    def __init__(self, *, keep: bool = False, binary: str = "", image: str = "", timeout_seconds: float = 600) -> None:
        self.keep = keep
        self.binary = binary
        self.image = image
        self.timeout_seconds = timeout_seconds

    @contextmanager
    def start(self) -> Iterator[HttpCluster]:
        """A new cluster of one node; what killed runs left is ended first."""
        expect_containers()
        if find_spec("pytest_kind") is None:
            raise ClusterError("kind clusters need pytest-kind: pip install 'kartatest[kind]'")
        with state.of_a_run(self.name) as held:
            cluster = self._create(held)
            if self.keep:
                state.keep(held)
            yield cluster
            cluster.close()

    def _create(self, held: State) -> HttpCluster:
        end = time.monotonic() + self.timeout_seconds
        kind = kind_binary(self.binary)
        kind.parent.mkdir(parents=True, exist_ok=True)
        delete = (str(kind), "delete", "cluster", f"--name={held.id}", f"--kubeconfig={held.kubeconfig}")
        made = (sys.executable, "-m", "kartatest.cluster.kind", held.id, str(held.kubeconfig), str(kind), self.image)
        if kind.exists():
            state.change(held, undo=(delete,))
        else:  # the download comes first, and without it nothing is to be undone
            processes.start(held, "download", (*made[:3], "--download", str(kind)), env=_environment(), cwd=held.folder)
            self._finish(held, "download", end)
            state.change(held, undo=(delete,))
        processes.start(held, "kind", made, env=_environment(), cwd=held.folder)
        self._finish(held, "kind", end)
        access = Access(kubeconfig=held.kubeconfig, request_timeout_seconds=60)
        cluster, _ = connect(access, name=held.id, scratch=held.folder / "tls")
        account = "/api/v1/namespaces/default/serviceaccounts/default"
        left = max(10.0, end - time.monotonic())
        until(lambda: cluster.raw(account), waiting_for="that the cluster is ready", timeout_seconds=left)
        return cluster

    def _finish(self, held: State, name: str, end: float) -> None:
        process = next(found for found in state.recorded(held) if found.name == name)
        while processes.is_running(process):
            if time.monotonic() > end:
                raise ClusterError(f"kind did not make a cluster within {self.timeout_seconds:g} s")
            time.sleep(0.1)
        if processes.exit_code(process) != 0:
            raise ClusterError(f"kind could not make a cluster: {_reason(processes.tail(held, name, lines=40))}")


def _reason(told: str) -> str:
    """The line of kind's output that says what went wrong."""
    lines = [line.strip() for line in told.splitlines() if line.strip()]
    return next((line for line in lines if line.startswith("ERROR")), lines[-1] if lines else "it gave no reason")


def expect_containers() -> None:
    """Raises ClusterError where neither Docker nor podman is there, and where neither answers."""
    there = [name for name in ("docker", "podman") if shutil.which(name)]
    if not there:
        raise ClusterError(
            "kind needs Docker or podman, and neither is on this machine; --karta-cluster kwok needs none"
        )
    told = []
    for name in there:
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            asked = subprocess.run([name, "info"], capture_output=True, text=True, timeout=30)
            if asked.returncode == 0:
                return
            told.append(f"{name}: {(asked.stderr.strip() or asked.stdout.strip() or 'no answer').splitlines()[-1]}")
    reasons = "; ".join(told) or "no answer"
    raise ClusterError(
        f"kind needs Docker or podman, and it does not answer ({reasons}); --karta-cluster kwok needs none"
    )


def kind_binary(given: str = "") -> Path:
    """The kind to be used: the one given, that of KIND_VERSION, the one on PATH, that of VERSION.

    Those by version are kept in the cache; the file need not be there yet. Raises ClusterError for a given one that
    is not there.
    """
    if given:
        if not shutil.which(given):
            raise ClusterError(f"there is no program {given}, which --kind-bin names")
        return Path(str(shutil.which(given))).absolute()
    named = os.environ.get("KIND_VERSION", "")
    on_path = shutil.which("kind")
    if on_path and not named:
        return Path(on_path).absolute()
    return state.folders().cache / "bin" / f"kind-{named or VERSION}"


def _environment() -> dict[str, str]:
    """The user's, with the place of a kind for this machine: pytest-kind knows amd64 alone."""
    version = os.environ.get("KIND_VERSION") or VERSION
    machine = _ARCHITECTURES.get(platform.machine().lower(), "amd64")
    url = "https://github.com/kubernetes-sigs/kind/releases/download"
    file = f"{url}/{version}/kind-{platform.system().lower()}-{machine}"
    return {**os.environ, "KIND_VERSION": version, "KIND_DOWNLOAD_URL": os.environ.get("KIND_DOWNLOAD_URL", file)}


def main(argv: list[str]) -> None:
    """Runs in the recorded process: NAME KUBECONFIG KIND IMAGE makes a cluster, --download KIND gets a kind."""
    pytest_kind: Any = importlib.import_module("pytest_kind")
    if argv[0] == "--download":
        pytest_kind.KindCluster("download", kind_path=Path(argv[1])).ensure_kind()
        return
    name, kubeconfig, kind, image = argv
    Path(kubeconfig).touch(mode=0o600)
    pytest_kind.KindCluster(name, Path(kubeconfig), image=image or None, kind_path=Path(kind)).create()


if __name__ == "__main__":
    main(sys.argv[1:])
