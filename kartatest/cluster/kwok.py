"""Clusters of local processes, made by kwokctl: etcd, an API server, and as much else as is asked for. No Docker.

Everything listens on 127.0.0.1 and lives in the cluster's folder; each process records itself there before it begins.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from pathlib import Path

from kartatest.cluster import binaries, processes, state
from kartatest.cluster.client import HttpCluster, connect
from kartatest.cluster.model import Access, ApiError
from kartatest.cluster.state import State
from kartatest.cluster.waits import until
from kartatest.errors import ClusterError
from kartatest.value import value

MEMORY: Mapping[str, Mapping[str, str]] = {
    # Collecting more often than Go does by itself made a large CRD take twice the CPU to be established.
    "kube-apiserver": {"GOGC": "100"},
    "etcd": {"GOGC": "50", "GOMEMLIMIT": "300MiB"},
    "kube-controller-manager": {"GOGC": "50", "GOMEMLIMIT": "200MiB"},
    "kube-scheduler": {"GOGC": "50", "GOMEMLIMIT": "150MiB"},
    "kwok-controller": {"GOGC": "50", "GOMEMLIMIT": "200MiB"},
}
_PROGRAMS = {"kwok-controller": "kwok"}
"""Components whose program has another name."""

_PORTS = (
    "etcdPeerPort",
    "etcdPort",
    "kubeApiserverPort",
    "kubeControllerManagerPort",
    "kubeSchedulerPort",
    "kwokControllerPort",
)

# A namespace gets its service account from the controller manager: without one, no pod would be let in.
_ALONE = "kube-apiserver=disable-admission-plugins=ServiceAccount"
# The data goes with the cluster, so nobody needs it on the disk in time.
_QUICK = "etcd=unsafe-no-fsync=true"


@value
class Wanted:
    """What a cluster is to have beside its API server.

    controllers: the controllers of Jobs, Deployments and the like, and garbage collection.
    scheduler: pods find their nodes.
    kubelets: files for the kwok controller that say how pods live; () for its own stages; None for no kubelets.
    nodes: how many, each with 64 CPUs, 512Gi and 8 GPUs; they are ready only with kubelets.
    api_arguments: further flags of the API server, such as {"feature-gates": "X=true"}.
    memory_mib: what the API server's heap is held to; near it, it is slow. A CRD that went leaves some of it behind.
    """

    controllers: bool = False
    scheduler: bool = False
    kubelets: tuple[Path, ...] | None = None
    nodes: int = 0
    api_arguments: Mapping[str, str] = field(default_factory=dict)
    memory_mib: int = 800

    @property
    def components(self) -> tuple[str, ...]:
        """kwokctl's names of them."""
        more = {
            "kube-controller-manager": self.controllers,
            "kube-scheduler": self.scheduler,
            "kwok-controller": self.kubelets is not None,
        }
        return ("etcd", "kube-apiserver", *[name for name, wanted in more.items() if wanted])


def create(held: State, wanted: Wanted | None = None, *, timeout_seconds: float = 120) -> HttpCluster:
    """A cluster in this folder, ready to use: the API server says so, the kubeconfig is written, nodes are there.

    Programs that this machine lacks are downloaded by kwokctl, but for kwokctl itself. Raises ClusterError; what had
    been started by then ends with `state.end`.
    """
    wanted = wanted or Wanted()
    end = time.monotonic() + timeout_seconds
    kwokctl = binaries.needed("kwokctl", "a kwok cluster")
    config = held.folder / "kwokctl.yaml"
    config.write_text(json.dumps(_config()), "utf-8")
    argv: list[str | Path] = [kwokctl, "create", "cluster", "--name", held.id, "--runtime", "binary"]
    for file in (config, *(wanted.kubelets or ())):
        argv += ["--config", file]
    argv += ["--components", ",".join(wanted.components), "--extra-args", _QUICK]
    for name, given in wanted.api_arguments.items():
        argv += ["--extra-args", f"kube-apiserver={name}={given}"]
    if not wanted.controllers and "disable-admission-plugins" not in wanted.api_arguments:
        argv += ["--extra-args", _ALONE]
    for component in wanted.components:
        program = binaries.binary(_PROGRAMS.get(component, component))
        if program is not None:
            limits = dict(MEMORY[component])
            if component == "kube-apiserver":
                limits["GOMEMLIMIT"] = f"{wanted.memory_mib}MiB"
            argv += [f"--{component}-binary", processes.wrapper(held, component, program, env=limits)]
    making = processes.start(held, "kwokctl", argv, env=_environment(held))
    while processes.is_running(making):
        if time.monotonic() > end:
            raise ClusterError(f"kwokctl did not start a cluster within {timeout_seconds:g} s: {_said(held)}")
        time.sleep(0.02)
    if processes.exit_code(making) != 0 or not held.kubeconfig.exists():
        raise ClusterError(f"kwokctl could not start a cluster: {_said(held)}")
    cluster = attach(held)
    _wait(held, cluster, wanted, max(5.0, end - time.monotonic()))
    add_nodes(cluster, wanted.nodes)
    return cluster


def attach(held: State) -> HttpCluster:
    """The cluster of a folder, as its kubeconfig reaches it."""
    access = Access(kubeconfig=held.kubeconfig, request_timeout_seconds=60)
    return connect(access, name=held.id, scratch=held.folder / "tls")[0]


def _config() -> dict[str, object]:
    """What kwokctl has no flags for. Ports are given: it looks for free ones itself, as does the one beside it."""
    ports = dict(zip(_PORTS, processes.free_ports(len(_PORTS)), strict=True))
    options = {"bindAddress": "127.0.0.1", "cacheDir": str(state.folders().cache / "kwok"), **ports}
    return {"apiVersion": "config.kwok.x-k8s.io/v1alpha1", "kind": "KwokctlConfiguration", "options": options}


def _environment(held: State) -> dict[str, str]:
    """The user's, with a home in the cluster's folder, and without a kubectl that could be asked for anything.

    kwokctl asks kubectl whether the server answers, and downloads one where there is none; we ask ourselves.
    """
    home = held.folder / "home"
    home.mkdir(exist_ok=True)
    (held.folder / "bin").mkdir(exist_ok=True)
    kubectl = held.folder / "bin" / "kubectl"
    kubectl.write_text("#!/bin/sh\nexit 0\n", "utf-8")
    kubectl.chmod(0o700)
    return {
        **os.environ,
        "HOME": str(home),
        "KUBECONFIG": str(held.kubeconfig),
        "KWOK_WORKDIR": str(held.folder / "kwok"),
        "PATH": f"{kubectl.parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
    }


def _said(held: State) -> str:
    """The reason that kwokctl gives, else what the programs' logs end with."""
    for line in reversed(processes.tail(held, "kwokctl", lines=50).splitlines()):
        with contextlib.suppress(ValueError):
            told = json.loads(line)
            if told.get("level") == "ERROR":
                return f"{told.get('msg')}: {told.get('err', '')}"
    return processes.tail(held, "kwokctl", lines=1) or f"it says nothing; see {held.logs}"


def _wait(held: State, cluster: HttpCluster, wanted: Wanted, timeout_seconds: float) -> None:
    """Until the API server says that it is ready and, with controllers, pods would be let into a namespace."""

    def is_ready() -> bool:
        ended = [process for process in state.recorded(held) if process.name.startswith("kube-apiserver-")]
        if ended and not any(map(state.is_running, ended)):
            raise ClusterError(f"the API server ended: {component_log(held, 'kube-apiserver')}")
        return cluster.connection.text("/readyz") == "ok"

    what = "that the API server is ready"
    until(is_ready, waiting_for=what, timeout_seconds=timeout_seconds, every_seconds=0.05)
    if wanted.controllers:
        account = "/api/v1/namespaces/default/serviceaccounts/default"

        def has_account() -> bool:
            try:
                return bool(cluster.raw(account))
            except ApiError as error:
                if error.code == 404:
                    return False
                raise

        until(has_account, waiting_for="that the controllers work", timeout_seconds=timeout_seconds)


def component_log(held: State, component: str, *, lines: int = 3) -> str:
    """The last lines that a component of the cluster wrote."""
    file = held.folder / "kwok" / "clusters" / held.id / "logs" / f"{component}.log"
    try:
        return "\n".join(file.read_text("utf-8", "replace").splitlines()[-lines:])
    except OSError:
        return f"it wrote no {shlex.quote(str(file))}"


def add_nodes(cluster: HttpCluster, count: int) -> None:
    """Nodes that kwok plays: node-0, node-1, ..., each with 64 CPUs, 512Gi, 250 pods and 8 GPUs."""
    room = {"cpu": "64", "memory": "512Gi", "ephemeral-storage": "1Ti", "pods": "250", "nvidia.com/gpu": "8"}
    for number in range(count):
        name = f"node-{number}"
        labels = {"kubernetes.io/hostname": name, "kubernetes.io/os": "linux", "type": "kwok"}
        cluster.create(
            {
                "apiVersion": "v1",
                "kind": "Node",
                "metadata": {"name": name, "labels": labels, "annotations": {"kwok.x-k8s.io/node": "fake"}},
                "status": {"allocatable": room, "capacity": room, "phase": "Running"},
            }
        )


class Kwok:
    """The provider `kwok`. keep: the cluster stays when the context ends, until it is ended by its name.

    wanted: as for `create`; None is an API server alone, with room for one release of a CRD after another.
    """

    name = "kwok"

    def __init__(self, wanted: Wanted | None = None, *, keep: bool = False) -> None:
        self.wanted = wanted or Wanted(memory_mib=1500)
        self.keep = keep

    @contextmanager
    def start(self) -> Iterator[HttpCluster]:
        """A new cluster; what killed runs left is ended first."""
        with state.of_a_run(self.name) as held:
            cluster = create(held, self.wanted)
            if self.keep:
                state.keep(held)
            yield cluster
            cluster.close()
