"""How a call reaches a cluster: kubectl's flags, and nothing of the user's without being asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from kartatest.cluster.model import Access, Cluster

_Call = TypeVar("_Call", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--kubeconfig", type=click.Path(path_type=Path), metavar="FILE", help="As in kubectl."),
    click.option("--context", default="", metavar="NAME", help="A context of the kubeconfig; its current one else."),
    click.option("-n", "--namespace", default="", metavar="NAME", help="The context's namespace else."),
    click.option("--request-timeout", default="30s", metavar="TIME", help="Longest wait for one answer: 10, 10s, 2m."),
)


def options(call: _Call) -> _Call:
    """The options --kubeconfig, --context, --namespace and --request-timeout."""
    for option in reversed(_OPTIONS):
        call = option(call)
    return call


def access(kubeconfig: Path | None, context: str, namespace: str, request_timeout: str) -> Access:
    """What the options say. Raises UsageError for a time that is none."""
    from kartatest.cluster.model import Access

    return Access(kubeconfig, context, namespace, seconds(request_timeout))


def seconds(text: str) -> float:
    """A time as kubectl takes it: "10" and "10s" are ten seconds, "2m" two minutes. Raises UsageError."""
    from kartatest.errors import UsageError

    units = {"ms": 0.001, "s": 1, "m": 60, "h": 3600}
    number, unit = text.strip(), 1.0
    for word, factor in units.items():
        if text.endswith(word):
            number, unit = text.removesuffix(word), factor
            break
    try:
        found = float(number) * unit
    except ValueError:
        found = 0
    if not 0 < found < 86400:
        raise UsageError(f"{text!r} is no time; give one such as 10, 30s or 2m")
    return found


def connect(wanted: Access) -> tuple[Cluster, str]:
    """The cluster, and the namespace that is meant: the one given, else the context's. Raises ClusterError."""
    from kartatest.cluster import client

    return client.connect(wanted)
