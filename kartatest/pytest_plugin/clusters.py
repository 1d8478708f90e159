"""The one cluster of a test run: started when it is first needed, shared by xdist's workers, ended with the run."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kartatest.errors import ClusterError, KartaError

if TYPE_CHECKING:
    from kartatest.cluster.crds import Rights
    from kartatest.cluster.model import Cluster

KEY: pytest.StashKey[Session] = pytest.StashKey()


class Session:
    """What --karta-cluster asks for. provider is "none" where nobody asked."""

    def __init__(self, config: pytest.Config) -> None:
        option = config.option
        self.provider: str = option.karta_cluster
        self.keep = bool(option.karta_keep_cluster)
        self.apply_crds = bool(option.karta_apply_crds)
        self.crds = tuple([Path(os.path.abspath(given)) for given in option.karta_crds])  # noqa: PTH100
        self._kind_binary = str(getattr(option, "kind_bin", None) or "")  # pytest-kind's option
        self._given: dict[str, str] | None = getattr(config, "workerinput", {}).get("karta_cluster")
        self._stack = ExitStack()
        self._cluster: Cluster | None = None
        self._error: KartaError | None = None
        self.notes: list[str] = []

    @property
    def wanted(self) -> bool:
        """Whether there is to be a cluster."""
        return self.provider != "none"

    @property
    def rights(self) -> Rights:
        """What may be done to CRDs: all in a cluster of ours, in the user's what the user said."""
        from kartatest.cluster.crds import Rights

        return Rights(add=self.apply_crds, replace=False) if self.provider == "current" else Rights()

    @property
    def locks(self) -> Path | None:
        """A folder that all workers share; None for a cluster that nobody else sees."""
        kubeconfig = self.cluster().kubeconfig
        return kubeconfig.parent / "locks" if kubeconfig else None

    def cluster(self) -> Cluster:
        """The cluster. Raises ClusterError; a start that failed is not tried again."""
        if self._error is not None:
            raise self._error
        if self._cluster is None:
            try:
                self._cluster = self._started() if self._given is None else self._shared(self._given)
            except KartaError as error:
                self._error = error
                raise
        return self._cluster

    def _started(self) -> Cluster:
        from kartatest.cluster.providers import PROVIDERS, Options

        if self.provider not in PROVIDERS:
            raise ClusterError("there is no cluster: say which with --karta-cluster kind, kwok or current")
        options = Options(keep=self.keep, kind_binary=self._kind_binary)
        cluster = self._stack.enter_context(PROVIDERS[self.provider](options).start())
        if self.keep and cluster.kubeconfig is not None:
            self.notes.append(f"the cluster {cluster.name} is kept: export KUBECONFIG={cluster.kubeconfig}")
            self.notes.append(f"`karta lab down {cluster.name}` ends it")
        return cluster

    def _shared(self, given: dict[str, str]) -> Cluster:
        """The cluster that xdist's controller started; `fake` lives in one process, so each worker has its own."""
        from kartatest.cluster.client import connect
        from kartatest.cluster.model import Access

        if given.get("error"):
            raise ClusterError(given["error"])
        if not given.get("kubeconfig"):
            return self._started()
        file = Path(given["kubeconfig"])
        access = Access(kubeconfig=file, request_timeout_seconds=60)
        return connect(access, name=given["name"], scratch=file.parent / "tls")[0]

    def shared(self) -> dict[str, str]:
        """What a worker has to know."""
        if self.provider == "fake":
            return {}
        try:
            cluster = self.cluster()
        except KartaError as error:
            return {"error": str(error)}
        return {"kubeconfig": str(cluster.kubeconfig), "name": cluster.name}

    def end(self) -> None:
        """Ends what this process started, unless it is kept."""
        self._stack.close()


def session(config: pytest.Config) -> Session:
    """The run's cluster, whether one is asked for or not."""
    if KEY not in config.stash:
        config.stash[KEY] = Session(config)
    return config.stash[KEY]
