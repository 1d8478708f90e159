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


def microseconds(work: Callable[[], Any], at_least_seconds: float = 0.5) -> float:
    """The best of five rounds of calls, per call."""
    work()
    calls = 1
    while True:
        start = time.perf_counter()
        for _ in range(calls):
            work()
        spent = time.perf_counter() - start
        if spent > at_least_seconds / 5:
            break
        calls *= 2
    best = spent
    for _ in range(4):
        start = time.perf_counter()
        for _ in range(calls):
            work()
        best = min(best, time.perf_counter() - start)
    return best / calls * 1e6


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
        ours = microseconds(lambda d=loaded.definition, o=obj: resolve(d, o))
        reference = microseconds(lambda t=texts, o=obj: libjq.evaluate(t, o))
        go = go_microseconds(loaded.document.value, obj)
        beside = f"{go:8.0f} {go / ours:6.1f}" if go is not None else f"{'-':>8} {'-':>6}"
        print(f"{path.stem:44} {ours:8.1f} {reference:8.1f} {reference / ours:6.1f} {beside}")


if __name__ == "__main__":
    main()
