"""What a call of karta costs, start-up included: whole processes, over several runs.

Wall time, and the processor time of the process, which a busy machine changes less. Bytecode is cached, as in any
installation, by the run that does not count.

python benchmarks/bench_startup.py [RUNS]
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
JOBSET = ROOT / "benchmarks" / "jobset.yaml"
KARTA = [sys.executable, "-m", "kartatest"]
COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "import kartatest": [sys.executable, "-c", "import kartatest"],
    "karta --version": [*KARTA, "--version"],
    "karta describe -f jobset.yaml": [*KARTA, "describe", "-f", str(JOBSET)],
    "karta lint catalog/": [*KARTA, "lint", str(ROOT / "catalog")],
}


def seconds(command: list[str], runs: int) -> tuple[list[float], list[float]]:
    """Wall and processor time of so many runs after one that does not count."""
    walls: list[float] = []
    processor: list[float] = []
    surroundings = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as empty:
        for _ in range(runs + 1):
            start, used = time.perf_counter(), _used()
            done = subprocess.run(command, cwd=empty, env=surroundings, capture_output=True, text=True, check=False)
            walls.append(time.perf_counter() - start)
            processor.append(_used() - used)
            if done.returncode:
                sys.exit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr or done.stdout}")
    return walls[1:], processor[1:]


def _used() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Print one row per command, in milliseconds."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    print(f"{'milliseconds':32} {'wall: min':>10} {'median':>7} {'processor: min':>15} {'median':>7}")
    for name, command in COMMANDS.items():
        walls, processor = ([s * 1000 for s in taken] for taken in seconds(command, runs))
        print(
            f"{name:32} {min(walls):10.1f} {statistics.median(walls):7.1f}"
            f" {min(processor):15.1f} {statistics.median(processor):7.1f}"
        )


if __name__ == "__main__":
    main()
