"""Operators that make their webhook certificates themselves: what a kubelet would carry to them, and when it works."""

from __future__ import annotations

import base64
import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from kartatest.cluster import processes
from kartatest.cluster import state as states
from kartatest.cluster.operators.model import Chosen
from kartatest.cluster.state import State
from kartatest.cluster.waits import until
from kartatest.definition.model import Gvk
from kartatest.errors import ClusterError

if TYPE_CHECKING:
    from kartatest.cluster.running import Running

SERVING = Path("k8s-webhook-server") / "serving-certs"
"""Where controller-runtime looks for certificates, below the process's temporary folder."""

NOTICED_SECONDS = 0.5
"""The API server takes note of a changed webhook configuration by a watch, and nobody tells when it has."""

_SECRET = Gvk("", "v1", "Secret")
_MOUNT = Path("/tmp") / SERVING / "tls.crt"  # a fixed path in operators that rotate their own certificates
_UNMARK = f"[ -s {_MOUNT} ] || rm -f {_MOUNT}; rmdir {_MOUNT.parent} {_MOUNT.parent.parent} 2>/dev/null; true"


def copied(running: Running, secret: str, timeout_seconds: float) -> None:
    """The operator's own certificate, from its Secret to the folder that it serves from."""
    namespace = running.chosen.operator.namespace

    def filled() -> Mapping[str, str] | None:
        for run, process in running.started:
            if not processes.is_running(process):
                raise ClusterError(f"{running.chosen}: {run.name} ended: {processes.tail(running.state, run.name)}")
        found = running.cluster.get(_SECRET, secret, namespace)
        data: Mapping[str, str] = (found or {}).get("data") or {}
        return data if data.get("tls.crt") and data.get("tls.key") else None

    what = f"that {running.chosen} made its certificate"
    for name, text in until(filled, waiting_for=what, timeout_seconds=timeout_seconds).items():
        part = running.certificates / f".{name}"
        part.write_bytes(base64.b64decode(text))
        part.replace(running.certificates / name)


def is_trusted(running: Running) -> bool:
    """Whether the operator has written its certificate into its webhook configurations."""
    for made in running.configurations:
        gvk = Gvk.of(made)
        found = running.cluster.get(gvk, made["metadata"]["name"]) or {}
        if not all((hook["clientConfig"].get("caBundle") or "Cg==") != "Cg==" for hook in found.get("webhooks") or ()):
            return False
    return True


def mark(chosen: Chosen, state: State) -> None:
    """An empty file at the fixed path where an operator looks whether a kubelet brought its certificate.

    It waits for the file and never reads it. Other labs may take theirs away: it is put there until all is ready.
    """
    if not _MOUNT.exists():
        states.change(state, undo=(("/bin/sh", "-c", _UNMARK),))
        try:
            _MOUNT.parent.mkdir(parents=True, exist_ok=True)
            _MOUNT.touch()
        except OSError as error:
            raise ClusterError(f"{chosen} waits for {_MOUNT}, which cannot be made: {error.strerror}") from None


def unmark() -> None:
    """Take the file away, unless it is somebody's real certificate."""
    with contextlib.suppress(OSError):
        if _MOUNT.stat().st_size == 0:
            _MOUNT.unlink()
            _MOUNT.parent.rmdir()
            _MOUNT.parent.parent.rmdir()
