"""Waiting for a cluster, each time for so long and no longer."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import TypeVar

from kartatest.cluster.model import ApiError, Cluster
from kartatest.definition.model import Gvk
from kartatest.errors import ClusterError

T = TypeVar("T")
CRD = Gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition")


def until(
    look: Callable[[], T | None],
    *,
    waiting_for: str,
    timeout_seconds: float,
    every_seconds: float = 0.1,
    patience: float = 1.0,
) -> T:
    """The first thing that look gives that is neither None nor False.

    patience: by how much a pause is longer than the one before, up to a second, for looks that cost something.
    Raises ClusterError ("<waiting_for> did not happen within ...") when there was none in time. What look raises
    is raised, but for an API server that is not there (yet).
    """
    end = time.monotonic() + timeout_seconds
    away = ""
    while True:
        try:
            found = look()
        except ApiError as error:
            if error.code not in (0, 429, 500, 503, 504):
                raise
            found, away = None, f": {error}"
        else:
            away = ""
        if found is not None and found is not False:
            return found
        if time.monotonic() > end:
            raise ClusterError(f"{waiting_for} did not happen within {timeout_seconds:.3g} s{away}")
        time.sleep(every_seconds)
        every_seconds = min(every_seconds * patience, max(every_seconds, 1.0))


def established(cluster: Cluster, crd_names: Iterable[str], *, timeout_seconds: float) -> None:
    """Comes back once each of these CRDs is established and the server serves its kinds.

    Raises ClusterError at once for names that clash with those of another CRD, and after the time is up.
    """
    end = time.monotonic() + timeout_seconds
    for name in crd_names:
        until(
            lambda name=name: _is_served(cluster, name),  # type: ignore[misc]
            waiting_for=f"that CRD {name} is established",
            timeout_seconds=max(0.0, end - time.monotonic()),
            every_seconds=0.03,
            patience=1.5,  # a large CRD takes a server long to write down, each time that it is asked
        )


def _is_served(cluster: Cluster, name: str) -> bool:
    crd = cluster.get(CRD, name)
    if crd is None:
        return False
    conditions = {found["type"]: found for found in (crd.get("status") or {}).get("conditions") or ()}
    if (clash := conditions.get("NamesAccepted", {})).get("status") == "False":
        raise ClusterError(f"CRD {name} cannot be established: {clash.get('message')}")
    if conditions.get("Established", {}).get("status") != "True":
        return False
    spec = crd["spec"]
    for version in spec["versions"]:
        if version.get("served"):
            try:
                cluster.resource(Gvk(spec["group"], version["name"], spec["names"]["kind"]))
            except ApiError:
                raise
            except ClusterError:
                return False
    return True
