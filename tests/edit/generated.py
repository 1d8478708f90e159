"""Objects of a catalog kind to edit: made up from the schema of the kind, and the frames of its recordings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kartatest import catalog
from kartatest.definition.model import Definition
from kartatest.jq.ast import Pipe
from kartatest.jq.parse import parse
from kartatest.jq.shape import plain_path
from kartatest.recording.load import load as load_recordings
from kartatest.recording.model import Recording
from kartatest.schema import schema_for
from kartatest.schema.model import ANY, Schema, Type
from kartatest.schema.sample import samples
from kartatest.source import Source

ROOT = Path(__file__).parents[2]
NAMES = catalog.names()


def definition_named(name: str) -> Definition:
    found = catalog.by_name(name)
    assert found is not None
    return found.definition


def recordings(name: str) -> Iterator[tuple[Path, Recording]]:
    """The recordings of a definition that come with the project, with their files."""
    for path in sorted((ROOT / "fixtures" / name).glob("*.yaml")):
        for recording in load_recordings(Source(str(path), path.read_text("utf-8"))).recordings:
            yield path, recording


def made_up(definition: Definition, count: int) -> Iterator[dict[str, Any]]:
    """Objects that the schema allows, with something where the definition reads and writes; () without a schema."""
    kind = definition.root.kind
    schema = schema_for(kind) if kind is not None else None
    if kind is None or schema is None:
        return
    likely = _likely(definition)
    wanted = {tuple("*" if s.additional else step for step, s in _typed(schema, path)) for path in likely} | likely
    for index, obj in enumerate(samples(schema.root, count, 80, likely=wanted)):
        _named(obj, schema, likely)
        yield {**obj, "apiVersion": kind.api_version, "kind": kind.kind, "metadata": {"name": f"w{index}"}}


def _likely(definition: Definition) -> set[tuple[str, ...]]:
    """Where the definition reads and writes, behind a `select` too, as the sampler wants it."""
    found = set()
    for part in definition.components:
        spec, suspend = part.spec, part.suspend
        exprs = [part.instance_ids]
        exprs += [spec.pod_template, spec.pod_spec, spec.metadata, *(spec.fragments or {}).values()] if spec else []
        exprs += [a.path for a in (*suspend.suspend, *suspend.resume)] if suspend else []
        for expr in exprs:
            tree = parse(expr.text) if expr is not None else None
            path = plain_path(tree.right if isinstance(tree, Pipe) else tree) if tree is not None else None
            if path is not None:
                found.add(tuple(step if isinstance(step, str) else "*" for step in path))
    return found


def _named(obj: dict[str, Any], schema: Schema, likely: set[tuple[str, ...]]) -> None:
    """Where a path goes through a map by name, as roles do, one of the map's entries gets that name."""
    for path in sorted(likely):
        at: Any = obj
        for depth, step in enumerate(path):
            if not isinstance(at, dict):
                break
            found = schema.at(path[:depth])
            if step not in at and at and found is not None and found.additional is not None:
                free = [key for key in at if (*path[:depth], key) not in {p[: depth + 1] for p in likely}]
                if free:
                    at[step] = at.pop(free[0])
            at = at.get(step)


def _typed(schema: Schema, path: tuple[str, ...]) -> Iterator[tuple[str, Type]]:
    """The steps of a path, each with the type it is taken in."""
    for depth, step in enumerate(path):
        steps = tuple(0 if s == "*" else s for s in path[:depth])
        yield step, schema.at(steps) or ANY
