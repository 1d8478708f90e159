"""Sampled objects fit their type: judged by jsonschema on the CRD's own schema, and by the keys of lists."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from kartatest.schema import Type, part, schema_for, table
from kartatest.schema.compile import compile_crd
from kartatest.schema.sample import sample, samples
from kartatest.yamlpos import documents
from kartatest.yamlpos.files import read
from tests import realdata
from tests.schema.adapt import json_schema
from tests.schema.build import crd

CASES = sorted((Path(__file__).parent / "cases").glob("*.yaml"))
REAL = (
    "jobsets.jobset.x-k8s.io/v0.12.0",
    "rayclusters.ray.io/v1.7.0",
    "pytorchjobs.kubeflow.org/v1.9.4",
    "leaderworkersets.leaderworkerset.x-k8s.io/v0.10.0",
    "podcliquesets.grove.io/v0.1.0-alpha.11",
    "workflows.argoproj.io/v3.7.2",
    "inferenceservices.serving.kserve.io/v0.20.0",
    "services.serving.knative.dev/knative-v1.23.0",
    "nimservices.apps.nvidia.com/v3.1.2",
    "sparkapplications.sparkoperator.k8s.io/v2.4.0",
)


def judge(document: dict[str, Any], count: int) -> None:
    for schema in table.of(compile_crd(document)):
        (version,) = (v for v in document["spec"]["versions"] if v["name"] == schema.version)
        validator = jsonschema.Draft202012Validator(json_schema(version["schema"]["openAPIV3Schema"]))
        for obj in samples(schema.root, count):
            wrong = [f"{'/'.join(map(str, e.absolute_path))}: {e.message}" for e in validator.iter_errors(obj)]
            assert not wrong, f"{obj['kind']}: {wrong[0]}"
            assert not list(repeated(schema.root, obj, ""))


def repeated(found: Type, value: Any, path: str) -> Iterator[str]:
    """Places of lists whose entries share a key."""
    if isinstance(value, dict):
        for name, kid in value.items():
            below = found.field(name)
            if below is not None:
                yield from repeated(below, kid, f"{path}.{name}")
    elif isinstance(value, list) and found.items is not None:
        for i, entry in enumerate(value):
            yield from repeated(found.items, entry, f"{path}[{i}]")
        if found.list_map_keys:
            kids = found.items.fields
            keys = [
                json.dumps([e.get(k, kids[k].default[0] if kids[k].default else None) for k in found.list_map_keys])
                for e in value
            ]
            if len(keys) != len(set(keys)):
                yield path
        elif found.unique and len({json.dumps(e) for e in value}) != len(value):
            yield path


@pytest.mark.parametrize("file", CASES, ids=lambda file: file.stem)
def test_samples_of_the_cases_fit(file: Path) -> None:
    spec = yaml.safe_load(file.read_text("utf-8"))["spec"]
    root = {"type": "object", "properties": {"metadata": {"type": "object"}, "spec": spec}, "required": ["spec"]}
    root["properties"] |= {"apiVersion": {"type": "string"}, "kind": {"type": "string"}}  # type: ignore[operator]
    judge(crd(root), 120)


@pytest.mark.parametrize("name", REAL)
def test_samples_of_real_crds_fit(name: str) -> None:
    folder = realdata.crds()
    if folder is None:
        pytest.skip(realdata.ABSENT)
    source = read(folder / f"{name}.yaml")
    (document,) = documents(source).documents  # type: ignore[arg-type]
    judge(document.value, 60)


def test_the_same_seed_gives_the_same_object() -> None:
    spec = part("PodSpec")
    assert [sample(spec, seed) for seed in range(20)] == list(samples(spec, 20))
    assert len({json.dumps(obj) for obj in samples(spec, 50)}) > 40


def test_size_bounds_what_is_not_needed() -> None:
    spec = part("PodSpec")
    small, large = (sum(len(json.dumps(obj)) for obj in samples(spec, 60, size)) / 60 for size in (5, 200))
    assert small < large / 2
    for obj in samples(spec, 60, 0):
        assert obj.keys() == spec.always


def test_likely_paths_are_mostly_there() -> None:
    path = ("spec", "template", "spec", "containers", "*", "resources", "limits", "*")
    root = _deployment()

    def there(obj: Any) -> bool:
        containers = obj["spec"]["template"].get("spec", {}).get("containers", [])
        return any(c.get("resources", {}).get("limits") for c in containers)

    assert sum(map(there, samples(root, 100, likely=[path]))) > 30
    assert sum(map(there, samples(root, 100))) < 20


def test_defaults_are_filled_in_unless_as_written() -> None:
    root = _deployment()
    stored = [sample(root, seed) for seed in range(40)]
    written = [sample(root, seed, stored=False) for seed in range(40)]
    assert all("replicas" in obj["spec"] for obj in stored)
    assert not all("replicas" in obj["spec"] for obj in written)


def _deployment() -> Type:
    from kartatest.definition.model import Gvk

    schema = schema_for(Gvk("apps", "v1", "Deployment"))
    assert schema is not None
    return schema.root
