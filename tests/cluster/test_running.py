"""Processes of an operator on their way up: what is said of one that ends, and of one that never becomes ready."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kartatest.cluster import state
from kartatest.cluster.fake import FakeCluster
from kartatest.cluster.operators.load import load
from kartatest.cluster.operators.model import Chosen
from kartatest.cluster.running import Running, read_crds
from kartatest.errors import ClusterError
from kartatest.source import Source

OPERATOR = """
name: widget
kinds: [example.com/v1/Widget]
binary: manager
versions: [v0.1.0]
run:
- ready: http://127.0.0.1:${port.health}/readyz
"""


@pytest.fixture
def held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[state.State]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    made = state.create("lab")
    yield made
    state.end(made)


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("echo no widget >&2; exit 3", "widget@v0.1.0: widget ended: no widget"),
        ("exit 3", "widget@v0.1.0: widget ended: it wrote nothing"),
        (
            "echo starts >&2; exec sleep 60",
            "is ready did not happen within 1 s: http://{} does not answer 200; widget ",
        ),
    ],
)
def test_what_does_not_come_up_says_why(script: str, told: str, held: state.State, tmp_path: Path) -> None:
    manager = tmp_path / "manager"
    manager.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    manager.chmod(0o700)
    for name in ("admin.crt", "admin.key", "ca.crt"):
        (tmp_path / name).touch()
    operator = load(Source("widget.yaml", OPERATOR), tmp_path / "widget.yaml").operator
    assert operator is not None
    running = Running(Chosen(operator, "v0.1.0"), FakeCluster(), held, tmp_path)
    running.start()
    with pytest.raises(ClusterError) as caught:
        running.wait(1.0)
    assert told.format(f"127.0.0.1:{running.filled('${port.health}')}/readyz") in str(caught.value)
    assert str(caught.value).endswith(": starts") == ("sleep" in script)


def test_a_folder_without_a_crd_is_no_folder_of_crds(tmp_path: Path) -> None:
    """Without its CRDs an operator would come up and serve nothing."""
    (tmp_path / "crds").mkdir()
    (tmp_path / "crds" / "x.yaml").write_text("{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}", "utf-8")
    operator = load(Source("widget.yaml", f"{OPERATOR}crds: [crds]\n"), tmp_path / "widget.yaml").operator
    assert operator is not None
    with pytest.raises(ClusterError, match="there is no CRD in crds"):
        read_crds(Chosen(operator, "v0.1.0"))
