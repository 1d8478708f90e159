"""What types cost: loading an index, finding a kind, sampling objects; and with CRDs at hand, compiling them.

python benchmarks/bench_schema.py [FOLDER with <crd>/<release>.yaml]
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

from kartatest.data import folder
from kartatest.definition.model import Gvk
from kartatest.schema import schema_for, table
from kartatest.schema.compile import compile_text
from kartatest.schema.sample import samples
from kartatest.source import Source
from kartatest.yamlpos import read


def milliseconds(call: Callable[[], object], runs: int = 7) -> float:
    """Median of several runs after one that does not count."""
    taken = []
    for _ in range(runs + 1):
        start = time.perf_counter()
        call()
        taken.append(time.perf_counter() - start)
    return 1000 * statistics.median(taken[1:])


def compiled(file: Path) -> None:
    source = read(file)
    assert isinstance(source, Source)
    compile_text(source, tag=file.stem)


def main() -> None:
    """Print what each costs, in milliseconds."""
    start = time.perf_counter()
    schema = schema_for(Gvk("jobset.x-k8s.io", "v1alpha2", "JobSet"))
    print(f"{1000 * (time.perf_counter() - start):8.1f} ms  find a kind, in a fresh process")
    assert schema is not None
    print(f"{milliseconds(lambda: list(samples(schema.root, 100))):8.1f} ms  sample 100 objects of JobSet")
    files = sorted((folder("schemas") / "crds").glob("*/*.json"))
    texts = {file: file.read_text("utf-8") for file in files}
    loads = {file: milliseconds(lambda text=text: table.schemas(text)) for file, text in texts.items()}  # type: ignore[misc]
    slowest = max(loads, key=lambda file: loads[file])
    print(f"{statistics.median(loads.values()):8.1f} ms  load an index, median of {len(files)}")
    print(f"{loads[slowest]:8.1f} ms  load the slowest: {slowest.parent.name} {slowest.stem}")
    print(f"{sum(map(len, texts.values())) / 1e6:8.2f} MB  in all, the largest {max(map(len, texts.values())):,}")
    if len(sys.argv) > 1:
        crds = sorted(Path(sys.argv[1]).glob("*/*.yaml"), key=lambda file: file.stat().st_size)
        for file in (crds[len(crds) // 2], crds[-1]):
            took = milliseconds(lambda file=file: compiled(file), 2)  # type: ignore[misc]
            print(f"{took:8.0f} ms  compile {file.parent.name} {file.stem}, {file.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
