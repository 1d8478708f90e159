"""What each provider does before and beside the contract: words for what is missing, nothing of the user's touched."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kartatest.cluster import binaries, connection, state
from kartatest.cluster.client import connect
from kartatest.cluster.current import Current, write_kubeconfig
from kartatest.cluster.kind import Kind, expect_containers, kind_binary
from kartatest.cluster.kwok import Kwok, Wanted
from kartatest.cluster.model import Access, ApiError
from kartatest.cluster.providers import PROVIDERS, Options
from kartatest.errors import ClusterError


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in (
        "KARTA_LAB_BIN",
        "KUBEBUILDER_ASSETS",
        "KUBECONFIG",
        "XDG_CACHE_HOME",
        "XDG_STATE_HOME",
        "KIND_VERSION",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    (tmp_path / "bin").mkdir()
    return tmp_path


def program(file: Path, text: str = "exit 0") -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
    file.chmod(0o755)
    return file


def test_each_provider_knows_its_name() -> None:
    assert [make(Options()).name for make in PROVIDERS.values()] == list(PROVIDERS)


def test_binaries_are_looked_for_in_order(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert binaries.binary("etcd") is None
    places = [program(home / ".cache" / "karta" / "bin" / "etcd-v3.6.16"), program(home / "bin" / "etcd")]
    for variable in ("KUBEBUILDER_ASSETS", "KARTA_LAB_BIN"):
        assert binaries.binary("etcd") == places[-1]
        monkeypatch.setenv(variable, str(home / variable))
        assert binaries.binary("etcd") == places[-1]  # the folder has none
        places.append(program(home / variable / "etcd"))
    assert binaries.binary("etcd") == places[-1]
    (home / "bin" / "etcd").unlink()
    monkeypatch.delenv("KARTA_LAB_BIN")
    monkeypatch.delenv("KUBEBUILDER_ASSETS")
    assert binaries.binary("etcd") == places[0]


def test_what_kwok_lacks_is_named_with_the_ways_to_get_it(home: Path) -> None:
    with pytest.raises(
        ClusterError, match=r"needs kwokctl, which is not on this machine: `karta lab build`.*KARTA_LAB_BIN"
    ):
        Kwok().start().__enter__()
    assert state.states() == ()


def test_a_kwokctl_that_fails_says_why_and_leaves_nothing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{home / 'bin'}:/usr/bin:/bin")
    told = json.dumps({"level": "ERROR", "msg": "Failed to start", "err": "port in use"})
    program(home / "bin" / "kwokctl", f"sleep 600 & echo '{told}'; exit 1")
    with pytest.raises(ClusterError, match="kwokctl could not start a cluster: Failed to start: port in use"):
        Kwok().start().__enter__()
    assert state.states() == ()


def test_kwokctl_is_told_to_keep_to_the_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{home / 'bin'}:/usr/bin:/bin")
    program(
        home / "bin" / "kwokctl",
        f'echo "$HOME $KUBECONFIG $KWOK_WORKDIR $(command -v kubectl)" > {home}/seen; echo "$@" > {home}/args; exit 1',
    )
    for name in ("etcd", "kube-apiserver", "kwok"):
        program(home / "bin" / name)
    with pytest.raises(ClusterError):
        Kwok(Wanted(kubelets=(Path("/stages.yaml"),), api_arguments={"v": "1"})).start().__enter__()
    clusters = home / ".local" / "state" / "karta" / "clusters"
    assert all(word.startswith(f"{clusters}/kwok-") for word in (home / "seen").read_text().split())
    args = (home / "args").read_text()
    for wanted in (
        "--runtime binary",
        "--config /stages.yaml",
        "--components etcd,kube-apiserver,kwok-controller",
        "--extra-args kube-apiserver=v=1",
        "--extra-args kube-apiserver=disable-admission-plugins=ServiceAccount",
        f"--kwok-controller-binary {clusters}/kwok-",
    ):
        assert wanted in args
    assert not (home / ".kube").exists()
    assert not (home / ".kwok").exists()


def test_kind_says_that_it_needs_containers(home: Path) -> None:
    with pytest.raises(ClusterError, match=r"needs Docker or podman, and neither is on this machine; .*kwok"):
        Kind().start().__enter__()
    program(home / "bin" / "docker", "echo 'Cannot connect to the daemon.' >&2; exit 1")
    with pytest.raises(ClusterError, match=r"does not answer \(docker: Cannot connect to the daemon\.\)"):
        expect_containers()
    program(home / "bin" / "podman")
    expect_containers()


def test_which_kind_is_used(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cached = home / ".cache" / "karta" / "bin"
    assert kind_binary() == cached / "kind-v0.30.0"
    program(home / "bin" / "kind")
    assert kind_binary() == home / "bin" / "kind"
    monkeypatch.setenv("KIND_VERSION", "v0.29.0")
    assert kind_binary() == cached / "kind-v0.29.0"
    assert kind_binary(str(program(home / "mine"))) == home / "mine"
    with pytest.raises(ClusterError, match="no program /absent"):
        kind_binary("/absent")


def test_a_kind_cluster_is_made_and_unmade_in_its_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pytest_kind")
    monkeypatch.setenv("PATH", f"{home / 'bin'}:/usr/bin:/bin")
    monkeypatch.chdir(home)
    program(home / "bin" / "docker")
    program(
        home / "bin" / "kind",
        f'echo "$(pwd) $@" >> {home}/calls; [ "$1" != create ] || {{ echo "ERROR: no room"; exit 1; }}',
    )
    with pytest.raises(ClusterError, match="kind could not make a cluster: ERROR: no room"):
        Kind(image="kindest/node:v1.34.0").start().__enter__()
    listed, created, deleted = (home / "calls").read_text().splitlines()
    folder = listed.split()[0]
    name = Path(folder).name
    assert Path(folder).parent == home / ".local" / "state" / "karta" / "clusters"
    assert (
        created
        == f"{folder} create cluster --name={name} --kubeconfig={folder}/kubeconfig --image=kindest/node:v1.34.0"
    )
    assert deleted == f"{home} delete cluster --name={name} --kubeconfig={folder}/kubeconfig"
    assert state.states() == ()
    assert not (home / ".pytest-kind").exists()


KUBECONFIG: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "Config",
    "current-context": "one",
    "contexts": [
        {"name": "one", "context": {"cluster": "c1", "user": "u1", "namespace": "team"}},
        {"name": "two", "context": {"cluster": "c2", "user": "u2"}},
    ],
    "clusters": [
        {"name": "c1", "cluster": {"server": "https://127.0.0.1:1"}},
        {"name": "c2", "cluster": {"server": "https://127.0.0.1:2"}},
    ],
    "users": [{"name": "u1", "user": {"token": "secret-1"}}, {"name": "u2", "user": {"token": "secret-2"}}],
}


def kubeconfig(home: Path) -> Path:
    file = home / ".kube" / "config"
    file.parent.mkdir()
    file.write_text(json.dumps(KUBECONFIG), "utf-8")
    return file


def test_a_context_is_found_as_kubectl_finds_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ClusterError, match=r"there is no kubeconfig at .*/\.kube/config"):
        connect(Access())
    file = kubeconfig(home)
    before = file.read_bytes()
    cluster, namespace = connect(Access())
    assert (cluster.name, namespace, cluster.connection.host) == ("one", "team", "https://127.0.0.1:1")
    cluster, namespace = connect(Access(context="two", namespace="other"))
    assert (cluster.name, namespace, cluster.connection.host) == ("two", "other", "https://127.0.0.1:2")
    assert connect(Access(context="two"))[1] == "default"
    with pytest.raises(ClusterError, match="has no context 'three': it has one, two"):
        connect(Access(context="three"))
    monkeypatch.setenv("KUBECONFIG", str(home / "absent"))
    with pytest.raises(ClusterError, match="there is no kubeconfig at"):
        connect(Access())
    assert connect(Access(kubeconfig=file))[0].kubeconfig == file
    assert file.read_bytes() == before


def test_a_broken_kubeconfig_is_one_line(home: Path) -> None:
    file = home / "broken"
    file.write_text("contexts: [}", "utf-8")
    with pytest.raises(ClusterError, match=r"cannot read .*broken") as caught:
        connect(Access(kubeconfig=file))
    assert "\n" not in str(caught.value)


def test_a_server_that_is_away_is_one_line(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kubeconfig(home)
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:3")  # never asked for what is on this machine
    with pytest.raises(
        ApiError, match=r"the API server at https://127\.0\.0\.1:1 cannot be reached: .*refused"
    ) as caught:
        connect(Access())[0].raw("/version")
    assert "\n" not in str(caught.value)
    assert caught.value.code == 0


def test_the_copy_of_a_context_holds_it_alone(home: Path) -> None:
    kubeconfig(home)
    file = home / "copy"
    write_kubeconfig(file, Access(context="two"), namespace="mine")
    copied = json.loads(file.read_text("utf-8"))
    assert copied["current-context"] == "two"
    assert [entry["name"] for part in ("contexts", "clusters", "users") for entry in copied[part]] == [
        "two",
        "c2",
        "u2",
    ]
    assert "secret-1" not in file.read_text("utf-8")
    assert file.stat().st_mode & 0o077 == 0
    assert connect(Access(kubeconfig=file))[1] == "mine"


def test_current_leaves_nothing_where_the_server_is_away(home: Path) -> None:
    before = kubeconfig(home).read_bytes()
    with pytest.raises(ClusterError, match="cannot be reached"):
        Current(Access(request_timeout_seconds=1)).start().__enter__()
    assert (home / ".kube" / "config").read_bytes() == before
    assert state.states() == ()


def test_loopback_is_told_from_other_hosts() -> None:
    assert connection._is_loopback("https://127.0.0.1:6443")
    assert connection._is_loopback("https://[::1]:6443")
    assert connection._is_loopback("https://localhost")
    assert not connection._is_loopback("https://10.0.0.1")
    assert not connection._is_loopback("https://example.com")
