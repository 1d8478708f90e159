"""The Go arithmetic and the Go library's view of pods against the library itself, on made-up gangs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import yaml

from kartatest.definition.load import load
from kartatest.definition.model import ComponentDef, Definition
from kartatest.definition.walk import descendants
from kartatest.gang import arithmetic, pods
from kartatest.gang.model import Refusal
from kartatest.gang.validity import faults
from kartatest.resolve.evaluate import Evaluator
from kartatest.resolve.members import candidates
from kartatest.resolve.minimum import corrected
from kartatest.resolve.model import Scale, Tree
from kartatest.resolve.tree import resolve
from kartatest.source import Json, Source
from tests import rigs as plain_rigs
from tests.gang import rigs
from tests.reference import ask, needs_oracle

pytestmark = needs_oracle

PAIRS = 240
DIFFERENCES = Path(__file__).parents[2] / "docs" / "differences.yaml"
KNOWN = {entry["key"] for entry in yaml.safe_load(DIFFERENCES.read_text("utf-8"))}
_REFUSED = object()


def _definition(document: Any) -> Definition:
    return load(Source("made-up.yaml", json.dumps(document))).items[0].definition


def _ours(read: Callable[[], Any]) -> Any:
    try:
        return read()
    except Refusal:
        return _REFUSED


def _theirs(found: dict[str, Json]) -> Any:
    return _REFUSED if "error" in found else found.get("value")


def _scales(definition: Definition, workload: Evaluator, answer: Any) -> Iterator[tuple[str, Any, Any]]:
    for component in definition.components:
        name = component.name
        ours = _ours(lambda c=component: arithmetic.subtree_scale(definition, c, workload, None))
        yield f"scale of {name}", ours, _theirs(answer["scales"][name])
        for id_, found in answer["instances"][name].items():
            ours = _ours(lambda c=component, i=id_: arithmetic.subtree_scale(definition, c, workload, i))
            yield f"scale of {name}[{id_}]", ours, _theirs(found)


def _pod(definition: Definition, workload: Evaluator, pod: Any, answer: Any) -> Iterator[tuple[str, Any, Any]]:
    reading = pods.evaluator(pod)
    for component in definition.components:
        if component.selector is not None:
            selector = component.selector.type
            ours = _ours(lambda s=selector: pods.matches_type(s, reading))
            yield f"{component.name} takes it", ours, _theirs(answer["matches"][component.name])
    found = _ours(lambda: pods.component_of(definition, reading, "p"))
    yield "component", found.name if isinstance(found, ComponentDef) else found, _theirs(answer["component"])
    if not isinstance(found, ComponentDef):
        return
    yield "instance", _ours(lambda: pods.instance_of(found, reading, workload)), _theirs(answer["instance"])
    member = _ours(
        lambda: next((c for c in candidates(definition, found) if pods.passes(c.member.filters, reading)), None)
    )
    named = member if member in (None, _REFUSED) else [member.group.name, member.component.name]
    yield "member", named, _theirs(answer["member"])
    if isinstance(named, list):
        yield "keys", _ours(lambda: pods.keys_of(member.member.group_keys, reading)), _theirs(answer["keys"]) or []


def test_made_up_gangs() -> None:
    questions = [
        {"definition": rigs.definition(seed), "object": plain_rigs.obj(seed * 3 + 1), "pods": rigs.pods(seed)}
        for seed in range(PAIRS)
    ]
    wrong: list[str] = []
    seen: Counter[str] = Counter()
    for question, answer in zip(questions, ask("gang", questions), strict=True):
        assert not answer.get("error"), answer
        definition = _definition(question["definition"])
        assert faults(definition) == ()
        workload = Evaluator(question["object"])
        checks = list(_scales(definition, workload, answer))
        for pod, one in zip(question["pods"], answer["pods"], strict=True):
            checks += _pod(definition, workload, pod, one)
        for what, ours, theirs in checks:
            seen[f"{what.split()[0]}: {'refused' if theirs is _REFUSED else 'read'}"] += 1
            if ours != theirs:
                wrong.append(f"{definition.name} {what}: ours {ours!r}, theirs {theirs!r}")
    assert not wrong, f"{len(wrong)}: " + "\n".join(wrong[:20])
    assert all(seen[f"{part}: {how}"] > 20 for part in ("scale", "component", "keys", "instance", "member")
               for how in ("refused", "read")), seen  # fmt: skip


def test_broken_definitions_are_not_used() -> None:
    broken = plain_rigs.invalid(len(plain_rigs.BREAKS) * 2)
    questions = [{"definition": d, "object": {}, "pods": []} for _, d in broken]
    for (name, document), answer in zip(broken, ask("gang", questions), strict=True):
        assert bool(faults(_definition(document))) == bool(answer.get("error")), (name, answer)


def test_what_is_meant_differs_only_as_named() -> None:
    """The minimum that is meant against the library's: equal, or the difference is one of docs/differences.yaml."""
    seen: Counter[str] = Counter()
    for seed in range(PAIRS):
        definition, obj = _definition(rigs.definition(seed)), plain_rigs.obj(seed * 3 + 1)
        tree, workload = resolve(definition, obj), Evaluator(obj)
        for component in definition.components:
            theirs = _ours(partial(arithmetic.subtree_scale, definition, component, workload, None))
            ours = _ours(partial(corrected, tree, component.name))
            if ours == theirs:
                seen["equal"] += 1
                continue
            key = _explained(definition, component, tree, ours, theirs)
            assert key in KNOWN, f"{definition.name} {component.name}: ours {ours!r}, theirs {theirs!r}"
            seen[key] += 1
    assert all(seen[key] for key in ("equal", "Q15", "Q20", "Q26", "Q34")), seen


def _explained(definition: Definition, component: ComponentDef, tree: Tree, ours: Any, theirs: Any) -> str:
    below = [component, *descendants(definition, component.name)]
    found = [part for c in below if (part := tree.component(c.name)) is not None]
    ids = [[i.id for i in part.instances] for part in found]
    if ours is _REFUSED:
        if any(len(set(one)) < len(one) for one in ids):
            return "Q20"
        silent = [c for c in below if c.scale is None and c.instance_ids is not None]  # they never ask for these ids
        unread = [c for c in silent if (part := tree.component(c.name)) is not None and part.problems]
        return "gang-instances" if unread else "?"
    if theirs is not _REFUSED and ours >= 2**31:
        return "Q26"  # it wrapped around
    if theirs is _REFUSED:
        scales = [c.scale for c in below if c.scale is not None]
        if any(not (s.replicas or s.min_replicas or s.max_replicas) for s in scales):
            return "Q15"
        return "replica-text"
    if any(any(_counts(i.scale)) for part in found if part.children for i in part.instances):
        return "Q26"
    counts = [n for part in found for i in part.instances for n in (_counts(i.scale) or [None])]
    if any(n is None or n <= 0 for n in counts):
        return "Q34"
    return "gang-scale-without-pods" if not all(part.bears_pods for part in found) else "?"


def _counts(scale: Scale | None) -> list[int | None]:
    """The count that is meant, None where none is set."""
    return [] if scale is None else [scale.minimum if scale.minimum is not None else scale.replicas]
