"""Witnesses: every object that is said to make a step fail is one the schema allows, and does make it fail."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from kartatest.definition.model import Gvk
from kartatest.infer import infer
from kartatest.infer.lattice import NULL, root_value
from kartatest.infer.witness import least, witnesses
from kartatest.jq import parse
from kartatest.jq.compile import compile as compiled
from kartatest.jq.errors import JqRunError
from kartatest.schema import Type, schema_for
from kartatest.schema.index import built_in, load
from tests.infer.test_soundness import KINDS, USES, paths, root
from tests.typed_objects import fits, sample


def allowed(value: Any, type_: Type) -> bool:
    """Whether a schema allows a value: it fits, and what must be there is there."""
    if not fits(value, root_value(type_)) and not (value is None and type_.nullable):
        return False
    if isinstance(value, dict):
        if not type_.always <= value.keys() and not type_.open:
            return False
        return all(allowed(held, kid) for name, held in value.items() if (kid := type_.field(name)) is not None)
    if isinstance(value, list) and type_.items is not None:
        return all(allowed(entry, type_.items) for entry in value)
    return True


@pytest.mark.parametrize("kind", KINDS, ids=lambda k: k.kind)
def test_witnesses_are_real_and_mostly_found(kind: Gvk) -> None:
    type_, r = root(kind), Random(f"{kind.kind} witness")
    every = [path for path, _ in paths(type_)]
    failures = found = 0
    for _ in range(80):
        text = f"{r.choice(every)} | {r.choice(USES)}"
        tree = parse(text)
        inferred = infer(tree, type_)
        for obj in witnesses(tree, type_, inferred):
            failures += 1
            if obj is None:
                continue
            found += 1
            assert allowed(obj, type_), f"{text}: {obj} is not allowed"
            with pytest.raises(JqRunError):
                compiled(text).run(obj)
    assert failures > 20
    assert found >= failures * 0.95, f"{found} of {failures}"


def test_the_same_witness_every_time() -> None:
    type_ = root(KINDS[0])
    tree = parse(".spec.replicatedJobs[].name")
    inferred = infer(tree, type_)
    one, other = (witnesses(tree, type_, inferred)[0] for _ in range(2))
    assert one == other
    assert "spec" not in one, "the smallest"


def test_no_witness_for_what_cannot_fail() -> None:
    type_ = root(KINDS[0])
    tree = parse(".spec.replicatedJobs[].name + 1")
    inferred = infer(tree, type_)
    assert {failure.value.kinds & NULL for failure in inferred.failures}
    assert all(found is not None for found in witnesses(tree, type_, inferred))


@pytest.mark.parametrize("entry", built_in()[::3], ids=str)
def test_least_and_random_objects_are_allowed(entry: Any) -> None:
    for schema in load(entry.file):
        assert allowed(least(schema.root), schema.root)
        assert allowed(sample(Random(1), schema.root), schema.root)


def test_a_deployment_needs_no_more_than_its_required_fields() -> None:
    schema = schema_for(Gvk("apps", "v1", "Deployment"))
    assert schema is not None
    assert {"metadata", "spec"} <= least(schema.root).keys()
