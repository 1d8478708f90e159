"""`::live::<scenario>`: scenarios as test items, here in the fake cluster with a controller of ours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from kartatest.cluster import live
from kartatest.cluster.fake import FakeCluster
from kartatest.cluster.operators import Chosen, Operator
from kartatest.cluster.scenario import Scenario
from kartatest.errors import ClusterError
from tests.cluster.controller import become, running

ROOT = Path(__file__).parents[2]
DEFINITION = (ROOT / "catalog" / "apps-deployment-v1.yaml").read_text("utf-8")
SCENARIO = """
definition: apps-deployment-v1
operator: deployer
versions: [v1]
steps:
- apply: {resource: {apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 1}}}
  expect: {status: STATUS, when: .metadata.generation == 1}
"""


@pytest.fixture
def labs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What happens to labs, each a fake cluster with a controller."""
    happened: list[str] = []

    @contextmanager
    def lab_for(scenario: Scenario, version: str, **_rest: object) -> Iterator[object]:
        if version == "v9":
            raise ClusterError("deployer@v9 is not built")
        cluster = FakeCluster()
        happened.append(f"up {version}")
        with running(cluster):
            operators = (Chosen(Operator(scenario.operator), version),)
            yield SimpleNamespace(name="x", cluster=cluster, operators=operators)
        happened.append(f"down {version}")

    monkeypatch.setattr(live, "lab_for", lab_for)
    monkeypatch.setattr(live, "operators", lambda _scenario, version: (version,))
    monkeypatch.setattr(live, "become", become)
    return happened


@pytest.fixture
def project(pytester: pytest.Pytester) -> Path:
    (pytester.path / "apps-deployment-v1.yaml").write_text(DEFINITION, "utf-8")
    folder = pytester.path / "fixtures" / "apps-deployment-v1" / "scenarios"
    folder.mkdir(parents=True)
    return folder


def run(pytester: pytest.Pytester, *args: str) -> pytest.RunResult:
    given = ["--karta-def", "apps-deployment-v1.yaml", "--karta-live", "-p", "no:cacheprovider", "-k", "live", *args]
    return pytester.runpytest_inprocess(*given)


def test_an_item_for_each_scenario_and_version(pytester: pytest.Pytester, project: Path, labs: list[str]) -> None:
    """All of one version in one lab, then the next; the last lab ends with the run."""
    text = SCENARIO.replace("STATUS", "Initializing")
    (project / "a.yaml").write_text(text.replace("[v1]", "[v1, v2]"), "utf-8")
    (project / "b.yaml").write_text(text, "utf-8")
    (project / "other.yaml").write_text(text.replace("apps-deployment-v1", "batch-job-v1"), "utf-8")
    result = run(pytester, "--karta-cluster", "kwok", "-v")
    result.assert_outcomes(passed=3)
    names = re.findall(r"::live::(\S+) PASSED", result.stdout.str())
    assert names == ["a[v1]", "b", "a[v2]"]
    assert labs == ["up v1", "down v1", "up v2", "down v2"]


def test_what_the_definition_reads_otherwise_fails(pytester: pytest.Pytester, project: Path, labs: list[str]) -> None:
    (project / "a.yaml").write_text(SCENARIO.replace("STATUS", "Running"), "utf-8")
    result = run(pytester, "--karta-cluster", "kwok")
    result.assert_outcomes(failed=1)
    text = result.stdout.str()
    assert "expected Running, read Initializing" in text
    assert "frame 0 of v1-a" in text
    assert "Traceback" not in text


def test_a_step_that_does_not_end_fails(pytester: pytest.Pytester, project: Path, labs: list[str]) -> None:
    more = "- wait: {}\n  timeout: 1s\n  expect: {status: Failed, when: .status.no}\n"
    (project / "a.yaml").write_text(SCENARIO.replace("STATUS", "Initializing") + more, "utf-8")
    result = run(pytester, "--karta-cluster", "kwok")
    result.assert_outcomes(failed=1)
    assert "step 2 (wait): Failed was not reached within 1 s" in result.stdout.str()


def test_a_fault_in_a_scenario_fails(pytester: pytest.Pytester, project: Path, labs: list[str]) -> None:
    (project / "a.yaml").write_text(SCENARIO.replace("versions", "version"), "utf-8")
    result = run(pytester, "--karta-cluster", "kwok")
    result.assert_outcomes(failed=1)
    assert "unknown key 'version'" in result.stdout.str()
    assert labs == []


@pytest.mark.parametrize(
    ("cluster", "version", "why"),
    [
        ("none", "v1", "scenarios run in the lab: give --karta-cluster kwok"),
        ("kwok", "v9", "deployer@v9 is not built"),
    ],
)
def test_what_cannot_run_is_skipped_with_a_reason(
    cluster: str, version: str, why: str, pytester: pytest.Pytester, project: Path, labs: list[str]
) -> None:
    (project / "a.yaml").write_text(SCENARIO.replace("STATUS", "Running").replace("v1]", f"{version}]"), "utf-8")
    result = run(pytester, "--karta-cluster", cluster, "-rs")
    result.assert_outcomes(skipped=1)
    assert why in result.stdout.str()
    assert labs == []
