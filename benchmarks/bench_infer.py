"""What typing costs: milliseconds of CPU for every expression of every definition in the catalog.

python benchmarks/bench_infer.py
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from kartatest import catalog
from kartatest.definition.load import load_file
from kartatest.definition.model import Gvk, Root
from kartatest.definition.walk import expressions
from kartatest.infer import infer
from kartatest.jq import parse
from kartatest.jq.ast import Ast
from kartatest.schema import Type, schema_for


def work() -> Iterator[tuple[str, Ast, Type]]:
    """Each text of a definition once, parsed, with the type that it runs on."""
    pod = schema_for(Gvk("", "v1", "Pod"))
    for file in catalog.paths():
        definition = load_file(file).items[0].definition
        schema = schema_for(definition.root.kind) if definition.root.kind else None
        if schema is None or pod is None:
            continue
        seen = {}
        for expr in expressions(definition):
            if expr.text.strip():
                seen[expr.text, expr.root] = expr
        for expr in seen.values():
            yield file.stem, parse(expr.text), (schema.root if expr.root is Root.WORKLOAD else pod.root)


def main() -> None:
    """One line per definition, then the sum: the first run, as a command has it."""
    started = time.process_time()
    every = list(work())
    loaded = time.process_time() - started
    spent: dict[str, float] = {}
    for name, tree, type_ in every:
        started = time.process_time()
        infer(tree, type_)
        spent[name] = spent.get(name, 0) + time.process_time() - started
    for name, seconds in spent.items():
        print(f"{name:50} {seconds * 1000:7.1f} ms")
    print(f"{'all':50} {sum(spent.values()) * 1000:7.1f} ms, {len(every)} expressions")
    print(f"{'reading definitions and types beforehand':50} {loaded * 1000:7.1f} ms")


if __name__ == "__main__":
    main()
