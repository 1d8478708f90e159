"""Scenarios in the lab: a scenario's operator is started, its steps are done, its pods are played."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import PurePath

from kartatest.cluster.become import become
from kartatest.cluster.lab import Lab, up
from kartatest.cluster.play import Played, play
from kartatest.cluster.scenario import Scenario
from kartatest.errors import UsageError

CORE = "kubernetes"
"""The operator of a scenario that needs none but Kubernetes' own controllers."""

Say = Callable[[str], None]


def _silent(_line: str) -> None:
    pass


def operators(scenario: Scenario, version: str) -> tuple[str, ...]:
    """What a lab for the scenario is started with: "jobset@v0.12.0"; () for Kubernetes' own kinds."""
    return () if scenario.operator == CORE else (f"{scenario.operator}@{version}",)


@contextmanager
def lab_for(scenario: Scenario, version: str, *, say: Say = _silent) -> Iterator[Lab]:
    """A lab with the scenario's operator, as long as the context lasts.

    Raises UsageError for an operator or version that is not known, ClusterError for a lab that does not start.
    """
    with up(operators(scenario, version), say=say) as lab:
        yield lab


def _expect_core(version: str) -> None:
    from kartatest.cluster import build

    held = next(program.version for program in build.CORE if program.name == "kube-apiserver")
    if version != held:
        raise UsageError(f"the lab has {CORE} {held}, not {version}")


def run(scenario: Scenario, version: str, lab: Lab, *, told: Say = _silent) -> Played:
    """Play a scenario in a lab that has its operator in this version.

    Raises UsageError for a lab that does not, ClusterError when it cannot begin.
    """
    if scenario.operator == CORE:
        _expect_core(version)
    elif f"{scenario.operator}@{version}" not in map(str, lab.operators):
        there = ", ".join(map(str, lab.operators)) or "no operators"
        raise UsageError(f"the lab {lab.name} has {there}, not {scenario.operator}@{version}")
    return play(lab.cluster, scenario, version=version, become=become, source=_source(scenario, lab), told=told)


def _source(scenario: Scenario, lab: Lab) -> str:
    """What the recording says of where it is from: stand-ins of its operator are named, and of those that it needs."""
    needed = {scenario.operator}
    for chosen in reversed(lab.operators):  # what an operator needs stands before it
        if chosen.operator.name in needed:
            needed |= set(chosen.operator.needs)
    stand_ins = [
        told for chosen in lab.operators if chosen.operator.name in needed for told in chosen.operator.stand_ins
    ]
    played = ", ".join(("kubelets", *stand_ins))
    return f"scenarios/{PurePath(scenario.file).name} in the lab, where programs of karta play {played}"
