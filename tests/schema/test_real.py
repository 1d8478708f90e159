"""The CRDs of real releases: all compile, and schemas/ is what comes of them. What takes how long is printed (-s)."""

from __future__ import annotations

import hashlib
import json
import re
import time
from pathlib import Path

import pytest

from kartatest.data import folder
from kartatest.definition.model import Gvk
from kartatest.schema import index, lock, part, schema_for, table
from kartatest.schema.compile import compile_text
from kartatest.schema.model import Base, Type
from kartatest.source import Source
from kartatest.yamlpos import read
from tests import realdata
from tests.schema.outline import outline

INDEXES = sorted((folder("schemas") / "crds").glob("*/*.json"))
LOCKED = lock.load()
NEWEST = {entry.crd: entry for entry in LOCKED}


def crd_file(entry: lock.Locked) -> Path:
    where = realdata.crds()
    if where is None:
        pytest.skip(realdata.ABSENT)
    return where / entry.file


@pytest.mark.parametrize("entry", LOCKED, ids=str)
def test_index_is_what_the_crd_says(entry: lock.Locked) -> None:
    file = crd_file(entry)
    data = file.read_bytes()
    assert (hashlib.sha256(data).hexdigest(), len(data)) == (entry.sha256, entry.bytes)
    source = read(file)
    assert isinstance(source, Source)
    start = time.perf_counter()
    (made,) = compile_text(source, tag=entry.tag)
    print(f"{entry}: compiled in {time.perf_counter() - start:.2f} s")
    assert made.crd == entry.crd
    text = table.text(made)
    shipped = folder("schemas") / "crds" / entry.crd / f"{entry.tag}.json"
    assert shipped.read_text("utf-8") == text, "compile it again: karta crds compile -o schemas/crds"


@pytest.mark.parametrize("entry", NEWEST.values(), ids=str)
def test_round_trip(entry: lock.Locked) -> None:
    (made,) = compile_text(read(crd_file(entry)), tag=entry.tag)  # type: ignore[arg-type]
    back = table.schemas(table.text(made))
    for one, other in zip(table.of(made), back, strict=True):
        assert outline(one.root) == outline(other.root)


def test_every_locked_release_has_an_index_and_no_other_has() -> None:
    assert {(f.parent.name, f.stem) for f in INDEXES} == {(e.crd, e.tag) for e in LOCKED}


def test_indexes_are_small_and_load_fast() -> None:
    assert sum(f.stat().st_size for f in INDEXES) < 3_000_000
    for file in INDEXES:
        start = time.perf_counter()
        table.schemas(file.read_text("utf-8"))
        print(f"{file.parent.name} {file.stem}: loaded in {1000 * (time.perf_counter() - start):.1f} ms")


@pytest.mark.parametrize("file", INDEXES, ids=lambda f: f"{f.parent.name}-{f.stem}")
def test_index_holds_no_prose(file: Path) -> None:
    found = json.loads(file.read_text("utf-8"))
    assert found.keys() == {"crd", "kinds", "tag", "types"}
    keys = {key for row in found["types"] for key in row}
    assert keys <= {"type", "fields", "required", "values", "open", "items", "keys", "unique", "nullable", "enum",
                    "format", "default", "rules", "embedded", "pattern", "minimum", "maximum", "minLength",
                    "maxLength", "minItems", "maxItems", "minFields", "maxFields"}  # fmt: skip
    texts = [row.get("default") for row in found["types"]] + [e for row in found["types"] for e in row.get("enum", ())]
    assert not [t for t in texts if isinstance(t, str) and len(re.findall(r"\w+ ", t)) > 3]


def at(kind: Gvk, *path: str | int, tag: str | None = None) -> Type:
    schema = schema_for(kind, tag)
    assert schema is not None
    found = schema.at(path)
    assert found is not None, path
    return found


JOBSET = Gvk("jobset.x-k8s.io", "v1alpha2", "JobSet")


def test_facts_of_a_jobset() -> None:
    assert at(JOBSET, "spec", "replicatedJobs").list_map_keys == ("name",)
    replicas = at(JOBSET, "spec", "replicatedJobs", 0, "replicas")
    assert (replicas.base, replicas.format, replicas.default) == (Base.INTEGER, "int32", (1,))
    assert at(JOBSET, "spec", "suspend").base is Base.BOOLEAN
    template = ("spec", "replicatedJobs", 0, "template", "spec", "template")
    assert at(JOBSET, *template, "metadata", "labels").is_map
    cpu = at(JOBSET, *template, "spec", "containers", 0, "resources", "limits", "cpu")
    assert (cpu.base, cpu.format) == (Base.INT_OR_STRING, "quantity")
    assert at(JOBSET, "status", "conditions", 0).required == {
        "lastTransitionTime", "message", "reason", "status", "type"
    }  # fmt: skip


def test_what_an_older_release_lacks() -> None:
    kind = Gvk("agents.x-k8s.io", "v1beta1", "Sandbox")
    assert schema_for(kind, "v0.4.6") is None
    assert schema_for(kind, "v0.5.6") is not None
    group = ("spec", "replicatedJobs", 0, "groupName")
    assert [s.tag for s in index.schemas(JOBSET) if s.at(group) is not None] == ["v0.10.1", "v0.12.0"]


def test_pod_specs_agree_with_those_of_kubernetes() -> None:
    """Wherever a CRD embeds a PodSpec, its fields are of the types that Kubernetes has."""
    mine = part("PodSpec")
    crds = set()
    for entry in NEWEST.values():
        file = folder("schemas") / "crds" / entry.crd / f"{entry.tag}.json"
        for schema in table.schemas(file.read_text("utf-8")):
            for spec in _all(schema.root):
                shared = spec.fields.keys() & mine.fields.keys()
                if len(shared) > 30 and not spec.fields.keys() - mine.fields.keys():
                    crds.add(entry.crd)
                    wrong = [name for name in shared if spec.fields[name].base is not mine.fields[name].base]
                    assert not wrong, f"{entry}: {wrong}"
    assert len(crds) > 15


def _all(root: Type) -> list[Type]:
    seen: dict[int, Type] = {}
    stack = [root]
    while stack:
        found = stack.pop()
        if id(found) not in seen:
            seen[id(found)] = found
            stack += [*found.fields.values(), *(kid for kid in (found.items, found.additional) if kid is not None)]
    return list(seen.values())


def test_every_kind_is_found_by_its_name() -> None:
    entries = [entry for entry in index.built_in() if entry.version]
    assert len({(e.group, e.version, e.kind) for e in entries}) > 30
    for entry in entries:
        schema = schema_for(entry, entry.tag)
        assert schema is not None
        assert (schema.crd, schema.tag) == (entry.crd, entry.tag)
        assert schema.root.fields["kind"].enum == (entry.kind,)
