"""Labs run real operators beside each other, and leave nothing behind, however they end."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from kartatest.cluster import lab, running
from kartatest.cluster.become import POD, become
from kartatest.cluster.binaries import binary
from kartatest.cluster.build import CORE
from kartatest.cluster.model import ApiError
from kartatest.cluster.waits import until
from kartatest.definition.model import Gvk
from kartatest.errors import ClusterError, UsageError

pytestmark = [pytest.mark.cluster, pytest.mark.slow]

JOBSET = Gvk("jobset.x-k8s.io", "v1alpha2", "JobSet")
KUBECONFIG = "apiVersion: v1\nkind: Config\ncurrent-context: mine\ncontexts: []\nclusters: []\nusers: []\n"


def missing(*words: str) -> str:
    """Why no lab can be started, in one line; "" when it can."""
    lacking = [program.name for program in CORE if binary(program.name) is None]
    for chosen in lab.operators.ordered(words, lab.known()):
        try:
            running.binary(chosen)
        except ClusterError:
            lacking.append(str(chosen))
    return f"not built: {', '.join(lacking)}; `karta lab build` does it" if lacking else ""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home of its own, with a kubeconfig that must stay as it is; what runs below it is counted at the end."""
    if why := missing("jobset"):
        pytest.skip(why)
    for name, folder in (("GOMODCACHE", "go/pkg/mod"), ("XDG_CACHE_HOME", ".cache")):
        monkeypatch.setenv(name, os.environ.get(name) or str(Path.home() / folder))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("KUBECONFIG", raising=False)
    config = tmp_path / ".kube" / "config"
    config.parent.mkdir()
    config.write_text(KUBECONFIG, "utf-8")
    yield tmp_path
    lab.down([shown.name for shown in lab.labs()])
    assert config.read_text("utf-8") == KUBECONFIG
    assert sorted(file.name for file in config.parent.iterdir()) == ["config"]
    assert not (tmp_path / ".kwok").exists()


def processes_below(folder: Path) -> dict[int, str]:
    """What runs and has something to do with a folder: it is in its arguments or its environment."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes() + b"\0" + (process / "environ").read_bytes()
        except OSError:
            continue
        if str(folder).encode() in words and int(process.name) != os.getpid():
            found[int(process.name)] = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    return found


def karta(*words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([sys.executable, "-m", "kartatest", *words], capture_output=True, text=True)
    assert done.returncode == 0 or not check, done.stderr
    return done


def jobset(name: str, **spec: Any) -> dict[str, Any]:
    pod = {"spec": {"containers": [{"name": "main", "image": "busybox"}]}}
    job = {"spec": {"template": pod, "parallelism": 2, "completions": 2, "backoffLimit": 0}}
    jobs = [{"name": "workers", "replicas": 2, "template": job}]
    metadata = {"name": name, "namespace": "default"}
    return {
        "apiVersion": JOBSET.api_version,
        "kind": JOBSET.kind,
        "metadata": metadata,
        "spec": {"replicatedJobs": jobs} | spec,
    }


def counted(found: Mapping[str, Any] | None) -> dict[str, int]:
    (only,) = (found or {}).get("status", {}).get("replicatedJobsStatus") or [{}]
    return {key: held for key, held in only.items() if isinstance(held, int) and held}


def test_an_operator_runs_with_its_webhooks_and_played_pods(home: Path) -> None:
    with lab.up(["jobset"]) as up:
        assert up.stand_ins == ()
        made = up.cluster.create(jobset("good"))
        spec = made["spec"]["replicatedJobs"][0]["template"]["spec"]
        assert spec["completionMode"] == "Indexed"  # its webhook fills that in
        with pytest.raises(ApiError, match="denied the request"):
            up.cluster.create(jobset("x" * 60))

        def is_running() -> bool:
            return counted(up.cluster.get(JOBSET, "good", "default")) == {"active": 2, "ready": 2}

        until(is_running, waiting_for="that the JobSet runs", timeout_seconds=30)
        pods = list(up.cluster.list(POD, "default"))
        assert len(pods) == 4
        become(up.cluster, pods[0], "failed", exit_code=3)

        def has_failed() -> bool:
            status = (up.cluster.get(JOBSET, "good", "default") or {}).get("status", {})
            return status.get("terminalState") == "Failed" or counted({"status": status}).get("failed") == 1

        until(has_failed, waiting_for="that a Job fails", timeout_seconds=60)
    assert processes_below(home) == {}
    assert lab.labs() == ()


def test_two_labs_side_by_side_do_not_disturb_each_other(home: Path) -> None:
    one = lab.start(["jobset"], name="one")
    two = lab.start(["jobset"], name="two")
    try:
        with pytest.raises(UsageError, match="a lab called 'one' is there"):
            lab.start([], name="one")
        one.cluster.create(jobset("mine"))
        until(
            lambda: counted(one.cluster.get(JOBSET, "mine", "default")).get("ready") == 2,
            waiting_for="that the JobSet runs",
            timeout_seconds=30,
        )
        assert list(two.cluster.list(JOBSET, "default")) == []
        assert [(shown.name, shown.phase) for shown in lab.labs()] == [("one", "up"), ("two", "up")]
        assert lab.down(["one"]) == ("one",)
        two.cluster.create(jobset("yours"))
        assert [shown.name for shown in lab.labs()] == ["two"]
        assert lab.attach("two").cluster.get(JOBSET, "yours", "default") is not None
    finally:
        lab.down(["one", "two"])
    assert processes_below(home) == {}


@pytest.mark.parametrize("moment", range(5))
def test_what_a_killed_lab_left_ends_with_the_next_down(moment: int, home: Path) -> None:
    seconds = random.Random(f"moment {moment}").uniform(0.2, 9)
    command = [sys.executable, "-m", "kartatest", "lab", "up", "jobset"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as started:
        time.sleep(seconds)
        started.send_signal(signal.SIGKILL)
    karta("lab", "down")
    assert processes_below(home) == {}
    assert lab.labs() == ()
    assert [p for p in (home / "state").rglob("*") if p.is_file() and p.name != "labs.lock"] == []


def test_the_commands(home: Path) -> None:
    assert "lab is up" in karta("lab", "up", "--name", "lab").stdout
    shown = karta("lab", "status").stdout.splitlines()
    assert shown[1].split()[:2] == ["lab", "up"]
    exported = karta("lab", "env").stdout
    assert exported.startswith("export KUBECONFIG=")
    assert Path(exported.splitlines()[0].partition("=")[2]).is_file()
    again = karta("lab", "up", check=False)
    assert (again.returncode, again.stderr.count("\n")) == (2, 1)
    assert karta("lab", "down").stdout == "ended lab\n"
    assert karta("lab", "down").stderr == "nothing was up\n"
    assert karta("lab", "status").stderr.startswith("no lab is up")


OPERATOR = """#!{python}
import http.server, json, os, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""
WIDGET = """name: widget
binary: widget-operator
versions: [v0.1.0]
crds: [crd.yaml]
namespace: widget-system
run:
- args: ["${port.health}"]
  ready: http://127.0.0.1:${port.health}/
"""
CRD = """apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
"""


def test_an_operator_of_the_users_own_is_one_file(home: Path) -> None:
    (home / "widget-operator").write_text(OPERATOR.format(python=sys.executable), "utf-8")
    (home / "widget-operator").chmod(0o755)
    (home / "crd.yaml").write_text(CRD, "utf-8")
    (home / "widget.yaml").write_text(WIDGET, "utf-8")
    karta("lab", "up", "widget", "--operator", str(home / "widget.yaml"))
    (shown,) = lab.labs()
    assert (shown.phase, shown.operators) == ("up", ("widget@v0.1.0",))
    assert any(
        resource.gvk == Gvk("example.com", "v1", "Widget") for resource in lab.kwok.attach(shown.state).resources()
    )
    karta("lab", "down")
    assert processes_below(home) == {}
