"""`::cluster` items and the fixture `karta_cluster`, in small runs with the cluster in memory."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from kartatest.cluster.crds import open_crd
from kartatest.definition.model import Gvk

RIG = Path(__file__).parents[1] / "rig"
RUN = ("trainrig.yaml", "--karta-cluster=fake", "--karta-crds=crds")


def crd(**status: Any) -> dict[str, Any]:
    """A CRD that keeps all of a TrainRig's spec, and of its status what it is told to."""
    made = open_crd(Gvk("demo.io", "v1", "TrainRig"))
    anything = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    schema = {"type": "object", "properties": {"spec": anything, "status": status or anything}}
    made["spec"]["versions"][0]["schema"] = {"openAPIV3Schema": schema}
    return made


@pytest.fixture
def rig(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    for name in ("CI", "KARTA_LAB_BIN", "KUBEBUILDER_ASSETS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(pytester.path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(pytester.path / "state"))
    shutil.copy(RIG / "trainrig.yaml", pytester.path)
    shutil.copytree(RIG / "fixtures", pytester.path / "fixtures")
    put(pytester, crd())
    return pytester


def put(rig: pytest.Pytester, made: dict[str, Any], tag: str = "v1.2.0") -> None:
    file = rig.path / "crds" / "trainrigs.demo.io" / f"{tag}.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(yaml.safe_dump(made), "utf-8")


def test_items_and_their_node_ids(rig: pytest.Pytester) -> None:
    put(rig, crd(), "v1.10.0")
    result = rig.runpytest_subprocess("--collect-only", "-q", *RUN)
    assert [line for line in result.outlines if "::cluster" in line] == [
        "trainrig.yaml::cluster::definition",
        "trainrig.yaml::cluster::crd[v1.2.0]",
        "trainrig.yaml::cluster::crd[v1.10.0]",
        "trainrig.yaml::cluster::v1.2.0-completed",
    ]
    result = rig.runpytest_subprocess("--collect-only", "-q", "trainrig.yaml")
    assert not [line for line in result.outlines if "::cluster" in line]


def test_what_a_server_holds_passes(rig: pytest.Pytester) -> None:
    result = rig.runpytest_subprocess(*RUN, "-k", "cluster")
    result.assert_outcomes(passed=3, deselected=9)


def test_a_field_that_is_dropped_fails_with_its_place_and_what_is_read_then(rig: pytest.Pytester) -> None:
    put(rig, crd(type="object", properties={"phase": {"type": "string"}}))
    result = rig.runpytest_subprocess(*RUN, "-k", "cluster and completed")
    result.assert_outcomes(failed=1, deselected=11)
    result.stdout.re_match_lines([r"frame \d, TrainRig \S+: status\.\S+ is dropped \(was .*\)"])


def test_without_the_crd_it_says_how_to_get_it(rig: pytest.Pytester) -> None:
    shutil.rmtree(rig.path / "crds")
    (rig.path / "crds").mkdir()
    result = rig.runpytest_subprocess(*RUN, "-k", "cluster", "-rs")
    result.assert_outcomes(passed=1, skipped=2, deselected=9)
    result.stdout.fnmatch_lines(["*no CRD of demo.io/v1 TrainRig is on this machine: `karta crds sync` fetches them*"])


def test_a_cluster_that_cannot_be_had_is_one_line(rig: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    result = rig.runpytest_subprocess("trainrig.yaml", "--karta-cluster=kwok", "--karta-crds=crds", "-k", "cluster")
    result.assert_outcomes(failed=3, deselected=9)
    result.stdout.fnmatch_lines(["a kwok cluster needs kwokctl, which is not on this machine: `karta lab build`*"])
    result.stdout.no_fnmatch_line("*Traceback*")


TESTS = """
from kartatest.definition.model import Gvk

def make(cluster, name):
    cluster.create({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": "default"}})

def test_one(karta_cluster):
    make(karta_cluster, "one")

def test_two(karta_cluster):
    make(karta_cluster, "two")
    if SHARED:
        assert karta_cluster.get(Gvk("", "v1", "ConfigMap"), "one", "default")
"""


def test_the_fixture_is_one_cluster_for_the_run(rig: pytest.Pytester) -> None:
    rig.makepyfile(test_mine=TESTS.replace("SHARED", "True"))
    rig.runpytest_subprocess("--karta-cluster=fake", "test_mine.py").assert_outcomes(passed=2)
    result = rig.runpytest_subprocess("test_mine.py", "-rs")
    result.assert_outcomes(skipped=2)
    result.stdout.fnmatch_lines(["*no cluster was asked for; run with --karta-cluster kind, kwok or current*"])


def test_workers_have_it_too(rig: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("xdist")
    rig.makepyfile(test_mine=TESTS.replace("SHARED", "False"))
    rig.runpytest_subprocess("--karta-cluster=fake", "-n2", "test_mine.py").assert_outcomes(passed=2)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    result = rig.runpytest_subprocess("--karta-cluster=kwok", "-n2", "test_mine.py")
    result.assert_outcomes(errors=2)
    result.stdout.fnmatch_lines(["*ClusterError: a kwok cluster needs kwokctl*"])


@pytest.mark.cluster
def test_workers_share_a_real_cluster_that_goes_with_the_run(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("xdist")
    monkeypatch.setenv("XDG_STATE_HOME", str(pytester.path / "state"))
    pytester.makepyfile(
        test_mine="""
        import pytest
        from pathlib import Path

        @pytest.mark.parametrize("n", range(4))
        def test_it(karta_cluster, n, worker_id):
            name = f"it-{n}"
            made = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": "default"}}
            karta_cluster.create(made)
            with Path("seen").open("a") as seen:
                seen.write(f"{worker_id} {karta_cluster.name}\\n")
        """
    )
    result = pytester.runpytest_subprocess("--karta-cluster=kwok", "-n2", "test_mine.py")
    if "needs kwokctl" in result.stdout.str():
        pytest.skip("no kwok cluster: kwokctl is not on this machine")
    result.assert_outcomes(passed=4)
    seen = (pytester.path / "seen").read_text().split("\n")[:-1]
    assert len({line.split()[1] for line in seen}) == 1
    assert list((pytester.path / "state" / "karta" / "clusters").iterdir()) == []
