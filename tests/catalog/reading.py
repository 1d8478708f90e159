"""The catalog as tests see it: its names, a definition by name, what it reads in an object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from kartatest.definition.load import load as load_definitions
from kartatest.definition.model import Definition
from kartatest.recording.load import load
from kartatest.recording.model import Recording
from kartatest.resolve import resolve
from kartatest.resolve.model import Tree
from kartatest.source import JsonObject, Source

ROOT = Path(__file__).parents[2]
CATALOG = ROOT / "catalog"
FIXTURES = ROOT / "fixtures"
NAMES = sorted(path.stem for path in CATALOG.glob("*.yaml"))


@cache
def definition(name: str) -> Definition:
    path = CATALOG / f"{name}.yaml"
    (item,) = load_definitions(Source(f"catalog/{path.name}", path.read_text("utf-8"))).items
    return item.definition


def read(name: str, obj: JsonObject, pods: Sequence[JsonObject] = (), owners: Sequence[JsonObject] = ()) -> Tree:
    return resolve(definition(name), obj, pods=pods, owners=owners)


def our_flows() -> Iterator[Recording]:
    """Every recording in fixtures/, in the order of the file names."""
    for path in sorted(FIXTURES.glob("*/*.yaml")):
        name = path.relative_to(ROOT).as_posix()
        yield from load(Source(name, path.read_text("utf-8"))).recordings
