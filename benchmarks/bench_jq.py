"""Microseconds for sixteen expressions of a JobSet definition: our engine, and libjq in one combined program."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from kartatest.jq import libjq
from kartatest.jq.compile import compile as compile_program


def _template(image: str, gpus: int) -> dict[str, Any]:
    container = {"name": "main", "image": image, "resources": {"limits": {"nvidia.com/gpu": gpus}}}
    return {"metadata": {"labels": {"team": "a"}}, "spec": {"containers": [container]}}


def _job(name: str, replicas: int, pods: int, gpus: int) -> dict[str, Any]:
    spec = {"parallelism": pods, "completions": pods, "template": _template("trainer:1", gpus)}
    return {"name": name, "replicas": replicas, "template": {"spec": spec}}


JOBSET: dict[str, Any] = {
    "apiVersion": "jobset.x-k8s.io/v1alpha2",
    "kind": "JobSet",
    "metadata": {"name": "train", "namespace": "default", "labels": {"app": "train"}},
    "spec": {"suspend": False, "replicatedJobs": [_job("leader", 1, 1, 0), _job("worker", 2, 4, 8)]},
    "status": {
        "restarts": 0,
        "conditions": [{"type": "StartupPolicyCompleted", "status": "True"}, {"type": "Completed", "status": "False"}],
        "replicatedJobsStatus": [
            {"name": "leader", "ready": 1, "active": 1},
            {"name": "worker", "ready": 2, "active": 2},
        ],
    },
}

EXPRESSIONS = (
    ".metadata.name",
    ".spec.suspend // false",
    ".spec.replicatedJobs[].name",
    ".spec.replicatedJobs[].template.spec.template",
    ".spec.replicatedJobs[].replicas // 1",
    ".spec.replicatedJobs[] | (.replicas // 1) * (.template.spec.parallelism // 1)",
    ".status.conditions",
    '.status.conditions[]? | select(.type == "Completed") | .status',
    '.status.phase // "none"',
    "[.status.replicatedJobsStatus[]?.ready] | add",
    '.status.replicatedJobsStatus[]? | select(.name == "worker") | .active',
    ".spec.replicatedJobs[].template.spec.template.spec",
    ".spec.replicatedJobs[].template.spec.template.metadata",
    '.metadata.labels["jobset.sigs.k8s.io/replicatedjob-name"]',
    "any(.status.replicatedJobsStatus[]?; .ready > 0)",
    "(.spec.replicatedJobs | length) == ([.status.replicatedJobsStatus[]? | select(.ready > 0)] | length)",
)


def best_microseconds(run: Callable[[], object], repeat: int = 7, count: int = 500) -> float:
    """The fastest of repeat rounds, for one call."""
    rounds = []
    for _ in range(repeat):
        start = time.perf_counter()
        for _ in range(count):
            run()
        rounds.append((time.perf_counter() - start) / count * 1e6)
    return min(rounds)


def main() -> None:
    programs = [compile_program(text) for text in EXPRESSIONS]
    print(f"{'ours':>10} {'libjq':>10}  expression")
    for text, program in zip(EXPRESSIONS, programs, strict=True):
        ours = best_microseconds(lambda program=program: program.run(JOBSET))  # type: ignore[misc]
        theirs = best_microseconds(lambda text=text: libjq.evaluate((text,), JOBSET), 3, 50)  # type: ignore[misc]
        print(f"{ours:10.2f} {theirs:10.1f}  {text}")
    ours = best_microseconds(lambda: [program.run(JOBSET) for program in programs])
    theirs = best_microseconds(lambda: libjq.evaluate(EXPRESSIONS, JOBSET), 5, 100)
    print(f"{ours:10.1f} {theirs:10.1f}  all, libjq in one program: {theirs / ours:.1f} times as long")


if __name__ == "__main__":
    main()
