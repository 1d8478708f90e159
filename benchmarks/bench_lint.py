"""What linting costs, by processor time: all rules over the catalog in one process, and per expression.

python benchmarks/bench_lint.py
"""

from __future__ import annotations

import time

from kartatest import catalog
from kartatest.definition.load import load
from kartatest.definition.walk import expressions
from kartatest.jq.compile import compile as compile_program
from kartatest.lint.engine import linted
from kartatest.lint.rules import RULES
from kartatest.source import Source

ROUNDS = 7


def main() -> None:
    """Print one row per catalog definition: milliseconds of the first run, the least of the later ones."""
    print(f"{'one lint, milliseconds':44} {'first':>7} {'later':>7} {'expressions':>12} {'a second':>9}")
    for path in catalog.paths():
        source = Source(str(path), path.read_text("utf-8"))
        texts = {e.text for item in load(source).items for e in expressions(item.definition)}
        for text in texts:
            compile_program(text)
        spent = []
        for _ in range(ROUNDS):
            start = time.process_time()
            linted(source, rules=RULES)
            spent.append((time.process_time() - start) * 1000)
        later = min(spent[1:])
        print(f"{path.stem:44} {spent[0]:7.1f} {later:7.1f} {len(texts):12} {len(texts) / later * 1000:9.0f}")


if __name__ == "__main__":
    main()
