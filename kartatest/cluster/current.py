"""The user's own cluster, only when asked for by name: in a namespace of ours, which goes when we go.

The kubeconfig is read and never written; the one that is handed on is a copy of the chosen context in a folder of ours.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kartatest.cluster import state
from kartatest.cluster.client import HttpCluster, connect
from kartatest.cluster.connection import kubeconfigs
from kartatest.cluster.model import Access, ApiError
from kartatest.definition.model import Gvk
from kartatest.errors import ClusterError

NAMESPACE = Gvk("", "v1", "Namespace")
_PATIENCE_SECONDS = 86_400
"""How long a namespace in a cluster that cannot be reached is remembered."""


class Current:
    """The provider `current`. keep: the namespace stays.

    CRDs are not its business: whoever gets the cluster may apply one that is not there, if the user said so.
    """

    name = "current"

    def __init__(self, access: Access | None = None, *, keep: bool = False) -> None:
        self.access = access or Access()
        self.keep = keep

    @contextmanager
    def start(self) -> Iterator[HttpCluster]:
        """The cluster of the context, with a new namespace as the one that is meant where none is named."""
        with state.of_a_run(self.name) as held:
            namespace = f"karta-{held.id}"
            write_kubeconfig(held.kubeconfig, self.access, namespace=namespace)
            patience = self.access.request_timeout_seconds
            access = Access(kubeconfig=held.kubeconfig, request_timeout_seconds=patience)
            cluster, _ = connect(access, scratch=held.folder / "tls")
            cluster.raw("/version")  # there is nothing to undo in a cluster that does not answer
            if not self.keep:
                undo = (sys.executable, "-m", "kartatest.cluster.current", str(held.kubeconfig), namespace)
                state.change(held, undo=(undo,), notes={"namespace": namespace})
            _make(cluster, namespace)
            yield cluster
            cluster.close()


def write_kubeconfig(file: Path, access: Access, *, namespace: str = "") -> None:
    """A kubeconfig with one context, the one that access means; for its owner alone. Raises ClusterError."""
    files = str(access.kubeconfig) if access.kubeconfig else kubeconfigs()
    library: Any = importlib.import_module("kubernetes.config.kube_config")
    try:
        merged = library.KubeConfigMerger(files).config
        whole = merged.value if merged is not None else {}
    except Exception as error:  # the library raises whatever a broken file makes it stumble over
        raise ClusterError(f"cannot read {files}: {error}") from error
    context = _named(whole, "contexts", access.context or whole.get("current-context", ""), files)
    inner = dict(context["context"])
    if namespace:
        inner["namespace"] = namespace
    chosen = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": context["name"],
        "contexts": [{"name": context["name"], "context": inner}],
        "clusters": [_named(whole, "clusters", inner.get("cluster", ""), files)],
        "users": [_named(whole, "users", inner["user"], files)] if inner.get("user") else [],
    }
    file.touch(mode=0o600)
    file.write_text(json.dumps(chosen, default=str), "utf-8")


def _named(whole: Any, part: str, name: str, files: str) -> Any:
    for entry in whole.get(part) or ():
        found = getattr(entry, "value", entry)
        if found.get("name") == name:
            return found
    raise ClusterError(f"{files} has no {part.removesuffix('s')} {name!r}")


def _make(cluster: HttpCluster, namespace: str) -> None:
    labels = {"app.kubernetes.io/managed-by": "karta"}
    metadata = {"name": namespace, "labels": labels}
    try:
        cluster.create({"apiVersion": "v1", "kind": "Namespace", "metadata": metadata})
    except ApiError as error:
        if error.code == 403:
            raise ClusterError(f"you may not make the namespace that the tests would work in: {error}") from error
        raise


def remove(kubeconfig: Path, namespace: str) -> bool:
    """Asks for the end of a namespace; whether it is done with, as it is too after a day without an answer."""
    access = Access(kubeconfig=kubeconfig, request_timeout_seconds=15)
    try:
        connect(access, scratch=kubeconfig.parent / "tls")[0].delete(NAMESPACE, namespace)
    except ClusterError:
        with contextlib.suppress(OSError):
            return time.time() - kubeconfig.stat().st_mtime > _PATIENCE_SECONDS
    return True


if __name__ == "__main__":
    sys.exit(0 if remove(Path(sys.argv[1]), sys.argv[2]) else "the cluster cannot be reached")
