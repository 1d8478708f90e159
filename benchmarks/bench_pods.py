"""What a workload with very many pods costs: processor seconds of each step, and the most memory ever held.

python benchmarks/bench_pods.py [PODS ...]

A JobSet of jobs with ten pods each, owners given, as an informer's cache would hold them. Every size runs in a process
of its own; `command` is `karta describe --pods FILE -o json` on the same pods as JSON. It prints, and judges nothing.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

SIZES = (1_000, 10_000, 100_000)
PER_JOB = 10
MEGABYTE = 1024
PREFIX = "jobset.sigs.k8s.io"
TEMPLATE = {
    "containers": [
        {
            "name": "trainer",
            "image": "registry.example/trainer:1.4",
            "resources": {"requests": {"cpu": "8", "memory": "64Gi"}, "limits": {"nvidia.com/gpu": 4}},
        }
    ]
}


def workload(jobs: int) -> dict[str, Any]:
    """A JobSet of so many jobs."""
    job = {"spec": {"parallelism": PER_JOB, "completions": PER_JOB, "template": {"spec": TEMPLATE}}}
    status = {"name": "workers", "active": jobs, "ready": jobs, "succeeded": 0, "failed": 0, "suspended": 0}
    return {
        "apiVersion": "jobset.x-k8s.io/v1alpha2",
        "kind": "JobSet",
        "metadata": {"name": "train", "namespace": "lab", "uid": "set-1"},
        "spec": {"replicatedJobs": [{"name": "workers", "replicas": jobs, "template": job}]},
        "status": {"replicatedJobsStatus": [status]},
    }


def _reference(api: str, kind: str, name: str, uid: str) -> dict[str, Any]:
    return {"apiVersion": api, "kind": kind, "name": name, "uid": uid, "controller": True, "blockOwnerDeletion": True}


def job(index: int) -> dict[str, Any]:
    """One job of the set."""
    labels = {f"{PREFIX}/jobset-name": "train", f"{PREFIX}/replicatedjob-name": "workers"}
    owner = _reference("jobset.x-k8s.io/v1alpha2", "JobSet", "train", "set-1")
    meta = {"name": f"train-workers-{index}", "namespace": "lab", "uid": f"job-{index}", "labels": labels}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {**meta, "ownerReferences": [owner]}}


def pod(index: int) -> dict[str, Any]:
    """One pod: of a hundred, one waits for a node and one has failed."""
    of = index // PER_JOB
    condition: dict[str, Any] = {"type": "Ready", "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z"}
    status: dict[str, Any] = {"phase": "Running", "conditions": [condition]}
    if index % 100 == 1:
        status = {
            "phase": "Pending",
            "conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}],
        }
    elif index % 100 == 2:
        status = {"phase": "Failed", "reason": "Evicted"}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": f"train-workers-{of}-{index % PER_JOB}-x{index:05}",
            "namespace": "lab",
            "uid": f"pod-{index}",
            "labels": {
                f"{PREFIX}/jobset-name": "train",
                f"{PREFIX}/replicatedjob-name": "workers",
                f"{PREFIX}/job-index": str(of),
                "batch.kubernetes.io/job-completion-index": str(index % PER_JOB),
            },
            "ownerReferences": [_reference("batch/v1", "Job", f"train-workers-{of}", f"job-{of}")],
        },
        "spec": {"nodeName": f"node-{index // 4}", **json.loads(json.dumps(TEMPLATE))},
        "status": status,
    }


def peak_megabytes() -> float:
    """The most memory this process ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTE


def measure(size: int) -> None:
    """Print the row of one size, in this process."""
    from kartatest import resolve
    from kartatest.catalog import find
    from kartatest.definition.model import Gvk
    from kartatest.report.tree import tree_text
    from kartatest.report.tree_json import tree_data
    from kartatest.resolve.gangs import gangs
    from kartatest.resolve.totals import totals

    jobs = size // PER_JOB
    definition = find(Gvk("jobset.x-k8s.io", "v1alpha2", "JobSet"))
    assert definition is not None
    obj, owners = workload(jobs), [job(i) for i in range(jobs)]
    pods = [pod(i) for i in range(size)]
    before = peak_megabytes()
    found: list[Any] = []

    def timed(work: Callable[[], Any]) -> float:
        start = time.process_time()
        found.append(work())
        return time.process_time() - start

    resolved = timed(lambda: resolve(definition, obj, pods=pods, owners=owners))
    tree = found[0]
    works: tuple[Callable[[Any], Any], ...] = (totals, gangs, partial(tree_text, live=True), tree_data)
    steps = [resolved, *(timed(partial(work, tree)) for work in works)]
    peak = peak_megabytes()
    print(f"{size:>9,}" + "".join(f"{seconds:>10.2f}" for seconds in steps), end="")
    print(f"{before:>10.0f}{peak:>8.0f}", end="", flush=True)


def write(size: int, folder: Path) -> None:
    """The same workload and pods as files."""
    jobs = size // PER_JOB
    items = [*map(job, range(jobs)), *map(pod, range(size))]
    (folder / "set.json").write_text(json.dumps(workload(jobs)))
    with (folder / "pods.json").open("w") as stream:
        json.dump({"apiVersion": "v1", "kind": "List", "items": items}, stream)


def described(folder: Path) -> tuple[float, float]:
    """Processor seconds of the command on these files, and its peak of memory."""
    files = ["-f", str(folder / "set.json"), "--pods", str(folder / "pods.json")]
    command = [sys.executable, "-m", "kartatest", "describe", *files, "-o", "json"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"the command failed with {process.returncode}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / MEGABYTE


def main() -> None:
    """Print a row per size: seconds per step, megabytes before resolving and at most; then those of the command."""
    if sys.argv[1:2] == ["--one"]:
        measure(int(sys.argv[2]))
    elif sys.argv[1:2] == ["--write"]:
        write(int(sys.argv[2]), Path(sys.argv[3]))
    else:
        print(
            "     pods   resolve    totals     gangs      text      json   MB pods    peak   command MB peak",
            flush=True,
        )
        for size in sys.argv[1:] or map(str, SIZES):
            with tempfile.TemporaryDirectory() as folder:
                for part in (["--one", size], ["--write", size, folder]):
                    subprocess.run([sys.executable, __file__, *part], check=True)
                seconds, megabytes = described(Path(folder))
            print(f"{seconds:>10.2f}{megabytes:>8.0f}", flush=True)


if __name__ == "__main__":
    main()
