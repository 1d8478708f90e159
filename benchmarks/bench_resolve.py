"""What one resolve costs: ours, libjq on the same expressions, and the Go library's tree where the oracle is built.

python benchmarks/bench_resolve.py
"""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kartatest import catalog, resolve
from kartatest.definition.load import load_file
from kartatest.definition.model import Root
from kartatest.definition.walk import expressions
from kartatest.jq import libjq
from kartatest.recording.find import load_file as load_recordings

ROOT = Path(__file__).parents[1]
ORACLE = ROOT / "tests" / "oracle" / "oracle"

WARM = 100
ROUNDS = 200
ROUND_SECONDS = 0.001


def microseconds(*works: Callable[[], Any]) -> list[float]:
    """Processor time of one call of each: the least over rounds of about a millisecond.

    The works take turns, so that whatever else the machine does meets them alike.
    """
    calls = []
    for work in works:
        for _ in range(WARM):
            work()
        start = time.process_time()
        for _ in range(WARM):
            work()
        calls.append(1 + int(WARM * ROUND_SECONDS / (time.process_time() - start)))
    best = [float("inf")] * len(works)
    for _ in range(ROUNDS):
        for i, work in enumerate(works):
            start = time.process_time()
            for _ in range(calls[i]):
                work()
            best[i] = min(best[i], (time.process_time() - start) / calls[i])
    return [seconds * 1e6 for seconds in best]


def go_microseconds(document: Any, obj: Any) -> float | None:
    """The Go library's time for the same tree; None where the oracle is not built."""
    if not ORACLE.is_file():
        return None
    line = json.dumps({"definition": document, "objects": [obj]}) + "\n"
    done = subprocess.run([str(ORACLE), "bench"], input=line, capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout)
    return None if answer.get("error") else answer["nanoseconds"] / 1000


def main() -> None:
    """Print one row per catalog definition: the last frame of its first recording."""
    print(f"{'one resolve, microseconds':44} {'karta':>8} {'libjq':>8} {'ratio':>6} {'Go':>8} {'ratio':>6}")
    for path in catalog.paths():
        loaded = load_file(path).items[0]
        recordings = sorted((ROOT / "fixtures" / path.stem).glob("*.yaml"))
        if not recordings:
            continue
        obj = load_recordings(recordings[0]).recordings[0].frames[-1].obj
        texts = [e.text for e in expressions(loaded.definition) if e.root is Root.WORKLOAD]
        ours, reference = microseconds(
            lambda d=loaded.definition, o=obj: resolve(d, o), lambda t=texts, o=obj: libjq.evaluate(t, o)
        )
        go = go_microseconds(loaded.document.value, obj)
        beside = f"{go:8.0f} {go / ours:6.1f}" if go is not None else f"{'-':>8} {'-':>6}"
        print(f"{path.stem:44} {ours:8.1f} {reference:8.1f} {reference / ours:6.1f} {beside}")


if __name__ == "__main__":
    main()
