"""Our readings against the Go implementation's: equal, or the difference is one that docs/differences.yaml names."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from kartatest import catalog
from kartatest.definition.load import load, load_file
from kartatest.definition.model import Definition
from kartatest.recording.find import load_file as load_recordings
from kartatest.resolve import resolve
from kartatest.resolve.model import Component, Tree
from kartatest.resolve.quantity import parse as quantity
from kartatest.schema.index import part as schema_of
from kartatest.schema.model import Type
from kartatest.source import DocPath, Json, Source
from tests import rigs
from tests.realdata import recorded_flows
from tests.reference import ask, needs_oracle

ROOT = Path(__file__).parents[2]
KNOWN = {entry["key"] for entry in yaml.safe_load((ROOT / "docs" / "differences.yaml").read_text("utf-8"))}

# Families in which lint judges what a definition will read; the Go validator asks only whether it is well formed.
FURTHER = ("KT22", "KT3", "KT4", "KT5", "KT6")
assert "judgement" in KNOWN

pytestmark = needs_oracle


# --- one reading against the other ---------------------------------------------------------------------------------


def _essence(value: Json, key: str = "") -> Json:
    """A pod spec without what Go's types add or respell: nulls and empty parts go, quantities become numbers."""
    if isinstance(value, dict):
        if key in {"requests", "limits"}:
            return {name: str(quantity(amount)) for name, amount in value.items()}
        kept = {name: _essence(part, name) for name, part in value.items()}
        return {name: part for name, part in kept.items() if part not in (None, {}, [], "")}
    if isinstance(value, list):
        return [_essence(item) for item in value]
    return value


def _problems(component: Component, at: DocPath) -> list[str]:
    """Reasons that our tree holds for a part of the definition or anything inside it."""
    return [p.message for p in component.problems if p.at[: len(at)] == at]


def _differ(part: str, ours: Any, theirs: Any) -> str:
    return f"{part}: ours {json.dumps(ours, sort_keys=True, default=str)}, theirs {json.dumps(theirs, sort_keys=True)}"


def _ids(component: Component, theirs: Json) -> Iterator[tuple[str | None, str]]:
    expr = component.definition.instance_ids
    if expr is None:
        return
    problems = _problems(component, expr.at)
    ours = [i.id for i in component.instances]
    if "error" in theirs:
        if not problems:
            yield None, _differ("ids", ours, theirs)
        return
    found = theirs.get("value") or []
    if problems:
        yield ("Q20" if len(set(found)) < len(found) else None), _differ("ids", problems, theirs)
    elif ours != found:
        yield None, _differ("ids", ours, theirs)


def _keyed(component: Component, part: str, read: Any, at: DocPath, theirs: Json) -> Iterator[tuple[str | None, str]]:
    """A kind of value that they keep by instance id. Repeated ids are compared by _ids alone."""
    ids = [i.id for i in component.instances]
    if len(set(ids)) < len(ids):
        return
    problems = _problems(component, at)
    ours = {i.id: read(i) for i in component.instances}
    if "error" in theirs:
        ids = component.definition.instance_ids
        if problems or (ids is not None and _problems(component, ids.at)):  # without ids they read nothing
            return
        yield _explained(component, part, theirs["error"]), _differ(part, ours, theirs)
        return
    found = theirs.get("value") or {}
    if problems:
        yield _explained(component, part, "; ".join(problems)), _differ(part, problems, theirs)
        return
    if _essence(ours) != _essence(found):
        typed = {key: _typed(value, part) for key, value in ours.items()}
        known = "typed-pods" if _essence(typed) == _essence(found) else None
        yield known, _differ(part, _essence(ours), _essence(found))


# What Go reads the values of a part, or those under a name in one of fragments, into.
_GO_TYPES = {"templates": "PodTemplateSpec", "podSpecs": "PodSpec", "metadata": "ObjectMeta", "container": "Container"}


def _typed(value: Json, part: str) -> Json:
    """The value without the fields that a Go type does not have."""
    if part == "fragments":
        return {name: _typed(fragment, name) for name, fragment in value.items()} if isinstance(value, dict) else value
    return _cut(value, schema_of(_GO_TYPES[part])) if part in _GO_TYPES else value


def _cut(value: Json, found: Type | None) -> Json:
    if isinstance(value, list):
        return [_cut(item, found and found.items) for item in value]
    if not isinstance(value, dict) or found is None or found.open:
        return value
    return {name: _cut(inner, found.field(name)) for name, inner in value.items() if found.field(name) is not None}


def _explained(component: Component, part: str, reason: str) -> str | None:
    if part == "scale":
        if "string" in reason and "int32" in reason:
            return "replica-text"
        if component.definition.scale is not None and _is_empty(component):
            return "Q15"
    if part == "fragments" and "does not match" in reason:
        return "Q15"
    return None


def _is_empty(component: Component) -> bool:
    scale = component.definition.scale
    return scale is not None and not (scale.replicas or scale.min_replicas or scale.max_replicas)


def _scale(instance: Any) -> Json:
    s = instance.scale
    counts = {"replicas": s.replicas, "minReplicas": s.minimum, "maxReplicas": s.maximum} if s is not None else {}
    return {key: count for key, count in counts.items() if count is not None}


def _status(tree: Tree, theirs: Json) -> Iterator[tuple[str | None, str]]:
    ours = [s.value for s in tree.statuses]
    if "error" in theirs:
        if not tree.status.problems:
            yield None, _differ("status", ours, theirs)
        return
    value = theirs.get("value")
    if value is None:
        if ours or tree.status.problems:
            yield None, _differ("status", ours, theirs)
        return
    if tree.status.problems:
        yield None, _differ("status", [p.message for p in tree.status.problems], theirs)
        return
    if ours != value["matchedStatuses"]:
        yield None, _differ("status", ours, value["matchedStatuses"])
    if (tree.status.phase or "") != (value.get("phase") or ""):
        yield None, _differ("phase", tree.status.phase, value.get("phase"))
    conditions = [[c["type"], c.get("status") or "", c.get("reason") or ""] for c in value.get("conditions") or []]
    if [[c.type, c.status, c.reason] for c in tree.status.conditions] != conditions:
        yield None, _differ("conditions", tree.status.conditions, conditions)


def differences(definition: Definition, obj: Json, theirs: Json) -> Iterator[tuple[str | None, str]]:
    """Where the two disagree on one object: the name that docs/differences.yaml gives it (or None), and the values."""
    tree = resolve(definition, obj)
    yield from _status(tree, theirs["components"][definition.root.name]["status"])
    for component in tree.walk():
        reading = theirs["components"][component.name]
        d = component.definition
        named = [(key, f"{component.name}: {text}") for key, text in _component(component, d, reading)]
        yield from named


def _component(component: Component, d: Any, reading: Json) -> Iterator[tuple[str | None, str]]:
    yield from _ids(component, reading["ids"])
    if d.scale is not None:
        yield from _keyed(component, "scale", _scale, d.scale.at, reading["scale"])
    if d.spec is None:
        return
    parts = {
        "templates": (d.spec.pod_template, lambda i: i.pod and i.pod.template),
        "podSpecs": (d.spec.pod_spec, lambda i: i.pod and i.pod.spec),
        "metadata": (d.spec.metadata, lambda i: i.pod and i.pod.metadata),
    }
    for part, (expr, read) in parts.items():
        if expr is not None:
            yield from _keyed(component, part, read, expr.at, reading[part])
    if d.spec.fragments is not None:
        at = (*d.spec.at, "fragmentedPodSpecDefinition")
        yield from _keyed(component, "fragments", _fragments, at, reading["fragments"])


def _fragments(instance: Any) -> Json:
    found = (instance.pod and instance.pod.fragments) or {}
    return {key.removesuffix("Path"): value for key, value in found.items()}


# --- the comparisons -----------------------------------------------------------------------------------------------


def _load(document: Json) -> Definition:
    """Load without the API server's defaults in play: the made-up definitions spell them out."""
    loaded = load(Source("made-up.yaml", json.dumps(document)))
    return loaded.items[0].definition


def _check(pairs: list[tuple[Definition, Json, list[Json]]]) -> set[str]:
    """Compare every object under every definition; the keys of the differences that were met."""
    questions = [{"definition": document, "objects": objects} for _, document, objects in pairs]
    met: set[str] = set()
    unknown: list[str] = []
    for (definition, _, objects), answer in zip(pairs, ask("read", questions), strict=True):
        assert not answer.get("error"), answer
        for obj, theirs in zip(objects, answer["objects"], strict=True):
            assert not theirs.get("error"), theirs
            for key, text in differences(definition, obj, theirs):
                if key is None:
                    unknown.append(f"{definition.name} on {obj['metadata'].get('name')}: {text}")
                else:
                    met.add(key)
    assert not unknown, f"{len(unknown)} differences, first: " + "\n".join(unknown[:5])
    assert met <= KNOWN
    return met


def test_made_up_definitions_on_made_up_objects() -> None:
    """60 definitions, each on 34 of 2,000 objects and more: equal, or named."""
    pairs = [(_load(d), d, rigs.objects(34, start=34 * i)) for i, d in enumerate(rigs.valid(60))]
    assert sum(len(objects) for _, _, objects in pairs) >= 2000
    met = _check(pairs)
    assert {"Q20", "replica-text"} <= met, "the objects no longer reach the differences they are meant to reach"


def _catalog() -> dict[str, tuple[Definition, Json]]:
    found = {}
    for path in catalog.paths():
        item = load_file(path).items[0]
        found[path.stem] = (item.definition, item.document.value)
    return found


def test_catalog_on_our_recordings() -> None:
    pairs = []
    for name, (definition, document) in _catalog().items():
        frames = [
            frame.obj
            for path in sorted((ROOT / "fixtures" / name).glob("*.yaml"))
            for recording in load_recordings(path).recordings
            for frame in recording.frames
        ]
        assert frames, f"no recordings of {name}"
        pairs.append((definition, document, frames))
    _check(pairs)


def test_catalog_on_real_recordings() -> None:
    known = _catalog()
    pairs = [
        (*known[flow.definition], [frame.obj for frame in flow.frames])
        for flow in recorded_flows()
        if flow.definition in known
    ]
    if not pairs:
        pytest.skip("no real recordings beside the checkout")
    _check(pairs)


def test_valid_definitions_are_valid_to_both() -> None:
    documents = [*rigs.valid(60), *(document for _, document in _catalog().values())]
    for document, answer in zip(documents, ask("read", [{"definition": d} for d in documents]), strict=True):
        assert answer["valid"], answer["verdict"]
        further = [text for text in _errors(document) if not text.startswith(FURTHER)]
        assert not further, further


def test_broken_definitions_are_broken_to_both() -> None:
    broken = rigs.invalid(60)
    verdicts = ask("read", [{"definition": d} for _, d in broken])
    for (name, document), answer in zip(broken, verdicts, strict=True):
        ours = _errors(document)
        if not answer["valid"]:
            assert ours, f"{name}: they say {answer['verdict']!r}, we say nothing"
        else:
            pytest.fail(f"{name}: the Go validator takes it")


def _errors(document: Json) -> list[str]:
    from kartatest.diagnostics import Severity
    from kartatest.lint.engine import lint

    found = lint(Source("made-up.yaml", json.dumps(document)))
    return [f"{d.code} {d.message}" for d in found if d.severity is Severity.ERROR]
