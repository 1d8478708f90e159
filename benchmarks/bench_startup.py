"""What a call of karta costs, start-up included: whole processes, minimum / median / maximum over several runs.

Bytecode is cached, as in any installation, by the run that does not count.

python benchmarks/bench_startup.py [RUNS]
"""

from __future__ import annotations

import os
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


def seconds(command: list[str], runs: int) -> list[float]:
    """Wall time of so many runs after one that does not count."""
    taken = []
    surroundings = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as empty:
        for i in range(runs + 1):
            start = time.perf_counter()
            done = subprocess.run(command, cwd=empty, env=surroundings, capture_output=True, text=True, check=False)
            if i:
                taken.append(time.perf_counter() - start)
            if done.returncode:
                sys.exit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr or done.stdout}")
    return taken


def main() -> None:
    """Print one row per command, in milliseconds."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    print(f"{'milliseconds':32} {'min':>7} {'median':>7} {'max':>7}")
    for name, command in COMMANDS.items():
        taken = [s * 1000 for s in seconds(command, runs)]
        print(f"{name:32} {min(taken):7.1f} {statistics.median(taken):7.1f} {max(taken):7.1f}")


if __name__ == "__main__":
    main()
