"""Pod inference and subtree scales of every kind of the catalog, on its recordings, here and by the Go library.

Twice: what schedulers that link the library do (arithmetic, pods), which is the same, and what the definition means
(the tree and its minima), which differs as docs/differences.yaml names it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache, partial
from typing import Any, NamedTuple

import pytest

from kartatest import catalog
from kartatest.definition.model import ComponentDef, Definition
from kartatest.gang import arithmetic
from kartatest.resolve.evaluate import Evaluator
from kartatest.resolve.minimum import corrected
from kartatest.resolve.model import Tree
from kartatest.resolve.tree import resolve
from tests.edit.generated import NAMES, made_up, recordings
from tests.gang.test_reference import _REFUSED, KNOWN, _explained, _ours, _pod, _scales, _theirs
from tests.realdata import recorded_flows
from tests.reference import ask, needs_oracle

pytestmark = needs_oracle


class Moment(NamedTuple):
    """One object with its pods, and where it is from."""

    obj: Any
    pods: tuple[Any, ...]
    owners: tuple[Any, ...]
    where: str


def _moments(name: str) -> Iterator[Moment]:
    for path, recording in recordings(name):
        for frame in recording.frames:
            yield Moment(frame.obj, frame.pods, frame.owners, f"{path.stem}[{frame.index}]")
    for flow in recorded_flows():
        if flow.definition == name:
            yield from (Moment(f.obj, (), (), f"{flow.file}[{f.index}]") for f in flow.frames)
    loaded = catalog.by_name(name)
    assert loaded is not None
    pods = tuple(pod for _, r in recordings(name) for f in r.frames[-1:] for pod in f.pods)
    yield from (Moment(obj, pods, (), f"made up {i}") for i, obj in enumerate(made_up(loaded.definition, 12)))


@cache
def _answers(name: str) -> tuple[tuple[Moment, Any], ...]:
    loaded = catalog.by_name(name)
    assert loaded is not None
    document: Any = loaded.document.value
    moments = list(_moments(name))
    questions = [{"definition": document, "object": m.obj, "pods": [_typed(p) for p in m.pods]} for m in moments]
    return tuple(zip(moments, ask("gang", questions), strict=True))


def _typed(pod: Any) -> Any:
    """A pod as the library's typed reader takes it: the parts that selectors may look at."""
    return {key: pod[key] for key in ("apiVersion", "kind", "metadata", "spec", "status") if key in pod}


def _definition(name: str) -> Definition:
    loaded = catalog.by_name(name)
    assert loaded is not None
    return loaded.definition


@pytest.mark.parametrize("name", NAMES)
def test_what_schedulers_link_is_predicted(name: str) -> None:
    definition = _definition(name)
    wrong: list[str] = []
    for moment, answer in _answers(name):
        assert not answer.get("error"), (moment.where, answer["error"])
        workload = Evaluator(moment.obj)
        checks = list(_scales(definition, workload, answer))
        for pod, one in zip(moment.pods, answer["pods"] or [], strict=True):
            checks += _pod(definition, workload, _typed(pod), one)
        wrong += [
            f"{moment.where} {what}: {ours!r}, theirs {theirs!r}" for what, ours, theirs in checks if ours != theirs
        ]
    assert not wrong, f"{len(wrong)}: " + "\n".join(wrong[:20])


@pytest.mark.parametrize("name", NAMES)
def test_what_is_meant_differs_as_named(name: str) -> None:
    definition = _definition(name)
    seen: Counter[str] = Counter()
    for moment, answer in _answers(name):
        tree, workload = resolve(definition, moment.obj, pods=moment.pods, owners=moment.owners), Evaluator(moment.obj)
        for component in definition.components:
            theirs = _ours(partial(arithmetic.subtree_scale, definition, component, workload, None))
            ours = _ours(partial(corrected, tree, component.name))
            key = "same" if ours == theirs else _explained(definition, component, tree, ours, theirs)
            assert key in KNOWN | {"same"}, f"{moment.where} {component.name}: ours {ours!r}, theirs {theirs!r}"
            seen[key] += 1
        if moment.where.startswith("made up"):
            continue  # its pods are another workload's
        for pod, one in zip(moment.pods, answer["pods"] or [], strict=True):
            key = _pod_explained(definition, tree, pod, one)
            assert key in KNOWN | {"same"}, f"{moment.where} {pod['metadata']['name']}: {one}, {tree.warnings}"
            seen[f"pod {key}"] += 1
    assert seen["same"], seen


def _pod_explained(definition: Definition, tree: Tree, pod: Any, answer: Any) -> str:
    """ "same", or why the tree has the pod elsewhere than the library."""
    mine = next(((c, i) for c in tree.walk() for i in c.instances if any(p is pod for p in i.pods)), None)
    theirs = _theirs(answer["component"])
    taking = [name for name, found in answer["matches"].items() if found.get("value") is True]
    if mine is None:
        elsewhere = any(stray.pod is pod and stray.cause == "elsewhere" for stray in tree.strays)
        if theirs is _REFUSED:
            return "same"
        return "other-workload" if elsewhere else "Q30" if theirs not in taking else "?"
    component: ComponentDef = mine[0].definition
    if theirs is _REFUSED:
        labels = (
            component.selector is not None and component.selector.type is not None and component.selector.type.labels
        )
        return "match-labels" if labels else "Q01" if component.name not in taking else "?"
    if component.name != theirs:
        return "Q32" if {component.name, theirs} <= {*taking} else "?"
    if component.instance_ids is None:
        return "same"
    return "same" if _theirs(answer["instance"]) == mine[1].id else "?"
