"""Loading: cases/<name>.yaml gives the findings of <name>.out and the definitions named there; <name>.fixed.yaml is
what all repairs make of it. A case without findings has an .out of names alone."""

from __future__ import annotations

import copy
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from jsonschema import Draft202012Validator

from kartatest import catalog
from kartatest.definition import schema
from kartatest.definition.check import problems
from kartatest.definition.codes import LOADING_CODES
from kartatest.definition.load import Loaded, load, load_file
from kartatest.definition.model import Gvk, Status, Use
from kartatest.diagnostics import Diagnostic
from kartatest.source import Json, Source
from kartatest.yamlpos import documents
from tests.strategies import broken_definitions

CASES = Path(__file__).parent / "cases"
NAMES = sorted(p for p in CASES.glob("*.yaml") if not p.stem.endswith(".fixed"))


def loaded(path: Path) -> Loaded:
    return load(Source(path.name, path.read_text("utf-8")))


def shown(d: Diagnostic) -> str:
    line, column = d.source.position(d.span.start)
    mend = f" [{'safe' if d.safe else 'unsafe'} repair]" if d.edits else ""
    return f"{line}:{column} {d.severity.word} {d.code}{mend} {d.message}" + (f"\n    help: {d.help}" if d.help else "")


def mended(found: Loaded) -> str:
    text = found.diagnostics[0].source.text
    for edit in sorted((e for d in found.diagnostics for e in d.edits), key=lambda e: e.span, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def expect(file: Path, actual: str, request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--karta-update", default=False):
        file.write_text(actual, "utf-8")
    assert actual == file.read_text("utf-8")


@pytest.mark.parametrize("path", NAMES, ids=lambda p: p.stem)
def test_case(path: Path, request: pytest.FixtureRequest) -> None:
    found = loaded(path)
    lines = [shown(d) for d in found.diagnostics]
    lines += [f"= {i.definition.index} {'/'.join(map(str, i.definition.at))} {i.definition.name}" for i in found.items]
    expect(path.with_suffix(".out"), "\n".join(lines) + "\n", request)
    fixed = path.with_suffix(".fixed.yaml")
    if any(d.edits for d in found.diagnostics):
        expect(fixed, mended(found), request)
    else:
        assert not fixed.exists()


@pytest.mark.parametrize("path", sorted(CASES.glob("*.fixed.yaml")), ids=lambda p: p.stem)
def test_repairs_are_done_at_once(path: Path) -> None:
    left = [shown(d) for d in loaded(path).diagnostics if d.safe]
    assert left == []


def test_every_code_has_a_case() -> None:
    told = "".join(p.read_text("utf-8") for p in CASES.glob("*.out"))
    assert [c.code for c in LOADING_CODES if f" {c.code} " not in told] == []


def places(value: Json, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*at, key)
        yield from places(item, (*at, key))


def changed(value: Json, at: tuple[Any, ...], new: Json) -> Json:
    """value with the part at the path replaced, or taken out when new is ...; the rest is shared."""
    whole = copy.copy(value)
    if len(at) > 1:
        whole[at[0]] = changed(value[at[0]], at[1:], new)
    elif new is ...:
        del whole[at[0]]
    else:
        whole[at[0]] = new
    return whole


def test_one_slip_anywhere_is_seen_as_the_schema_sees_it() -> None:
    """Each part of the full definition is taken out, and replaced by each type: loader and JSON Schema say the same."""
    full = documents(Source("full", (CASES / "full.yaml").read_text("utf-8"))).documents[0].value
    valid = Draft202012Validator(schema.json_schema()).is_valid
    slips = (..., None, "", 7, [], {}, ["x"], {"nonsense": 1})
    cases = [(at, new) for at in places(full) for new in slips]
    differ = [(at, new) for at, new in cases[::3] if (problems(one := changed(full, at, new)) == ()) != valid(one)]
    assert len(cases) > 1300
    assert differ == []


@given(broken_definitions())
@settings(max_examples=80)
def test_a_broken_definition_is_still_built(value: Json) -> None:
    import json

    found = load(Source("f.yaml", json.dumps(value)))
    kind = value.get("kind")
    assert len(found.items) == (
        kind in ("Karta", "ResourceInterface") or "structureDefinition" in (value.get("spec") or "")
    )


def test_full_definition_is_read_whole() -> None:
    (item,) = loaded(CASES / "full.yaml").items
    d = item.definition
    assert d.labels["run.ai/karta-kind"] == "Fleet"
    assert d.root.kind == Gvk("example.com", "v1", "Fleet")
    assert d.root.status is not None
    assert [m.status for m in d.root.status.mappings] == [s for s in Status if s is not Status.UNDEFINED]
    running = d.root.status.mappings[3].matchers
    assert (running[0].phase, running[0].expected, len(running[0].conditions)) == ("Running", "true", 2)
    assert running[1] == type(running[1])((*d.root.status.mappings[3].at, 1))
    assert d.root.suspend is not None
    assert [a.value for a in d.root.suspend.resume] == ["false", "null"]
    ships, harbor, crane = d.children
    assert ships.scale is not None
    assert ships.scale.max_replicas is not None
    assert ships.selector is not None
    assert ships.selector.type is not None
    assert ships.selector.type.labels == {"app": "fleet"}
    assert ships.selector.replica_key is not None
    assert harbor.spec is not None
    assert (harbor.kind, harbor.spec.metadata is None, harbor.bears_pods) == (None, False, True)
    assert crane.spec is not None
    assert crane.spec.fragments is not None
    assert len(crane.spec.fragments) == 11
    assert d.additional_kinds[0].gvk == Gvk("", "v1", "Service")
    assert d.gang is not None
    assert d.gang.pod_group is not None
    assert d.gang.pod_group.sub_groups[0].topology is not None
    assert d.gang.pod_group.sub_groups[0].topology.required == "zone"
    assert [len(g.members) for g in d.gang.pod_groups] == [2, 0]
    assert d.gang.pod_groups[0].members[0].filters[0].use is Use.FILTER


def test_every_place_of_the_model_is_in_the_text() -> None:
    from kartatest.definition.walk import expressions

    (item,) = loaded(CASES / "full.yaml").items
    every = expressions(item.definition)
    assert {e.use for e in every} == set(Use)
    assert len({e.at for e in every}) == len(every)
    for expr in every:
        scalar = item.document.scalar(expr.at)
        assert scalar is not None
        assert scalar.text == expr.text


def test_defaults_are_filled_in() -> None:
    text = """
apiVersion: run.ai/v1alpha1
kind: Karta
metadata: {name: a}
spec:
  structureDefinition:
    rootComponent:
      name: job
      statusDefinition:
        conditionsDefinition: {path: .c, statusFieldName: state, reasonFieldName: ""}
        statusMappings: {}
"""
    (item,) = load(Source("f", text)).items
    assert item.definition.root.status is not None
    found = item.definition.root.status.conditions
    assert found is not None
    assert (found.type_field, found.status_field, found.message_field, found.reason_field) == (
        "type",
        "state",
        "message",
        "",
    )


def test_absent_and_empty_differ() -> None:
    text = """
apiVersion: run.ai/v1alpha1
kind: Karta
metadata: {name: a}
spec:
  structureDefinition:
    rootComponent:
      name: job
      ownerRef: ""
      scaleDefinition: {}
      instanceIdPath: ""
      specDefinition: {fragmentedPodSpecDefinition: {}}
      podSelector: {componentTypeSelector: {matchLabels: {a: b}}}
"""
    (item,) = load(Source("f", text)).items
    root = item.definition.root
    assert (root.owner, root.kind, root.status) == ("", None, None)
    assert root.scale is not None
    assert root.instance_ids is not None
    assert root.bears_pods
    assert item.definition.gang is None


def test_slips_that_are_certain_are_read_as_meant() -> None:
    (item,) = loaded(CASES / "renamed-fields.yaml").items
    worker = item.definition.children[0]
    assert worker.owner == "job"
    assert worker.spec is not None
    assert worker.spec.fragments is not None
    assert worker.spec.fragments[Use.IMAGE].at[-2:] == ("fragmentedPodDefinition", "imagePath")
    assert item.definition.children[1].owner is None
    (maps,) = loaded(CASES / "maps-for-lists.yaml").items
    assert maps.definition.root.status is not None
    assert [m.status.value for m in maps.definition.root.status.mappings if m.matchers] == [
        "Suspended",
        "Running",
        "Failed",
        "Degraded",
    ]


@pytest.mark.parametrize("path", catalog.paths(), ids=lambda p: p.stem)
def test_catalog_loads_without_findings(path: Path) -> None:
    found = load_file(path)
    assert [shown(d) for d in found.diagnostics] == []
    assert len(found.items) == 1


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    file = tmp_path / "f.yaml"
    file.write_bytes(b"\xff\xfe\xff")
    found = load_file(file, name="shown.yaml")
    assert found.items == ()
    assert [(d.code, d.source.name) for d in found.diagnostics] == [("KT004", "shown.yaml")]


HEAD = "apiVersion: run.ai/v1alpha1\nkind: Karta\nmetadata: {name: a}\n"
COMPONENT = HEAD + "spec: {structureDefinition: {rootComponent: {name: a%s}}}\n"
HOSTILE = {
    "unknown keys": COMPONENT % "".join(f", ownrRef{i}: x" for i in range(50_000)),
    "children": HEAD + "spec: {structureDefinition: {rootComponent: {}, childComponents: [" + "{}," * 50_000 + "]}}",
    "wrong labels": HEAD + "status: {}\nspec: {}\n" + "---\n" + HEAD + "spec: {x: [" + "1," * 50_000 + "]}",
    "a long name": COMPONENT % (", kind: {" + "x" * 1000 + ": 1}"),
    "a long number": COMPONENT % (", ownerRef: " + "1" * 300),
    "one matcher, many names": HEAD
    + "spec: {structureDefinition: {rootComponent: {name: a, statusDefinition: {statusMappings: {running: &r "
    + "[{byPhase: 1}]"
    + "".join(f", {key}: *r" for key in ("failed", "degraded", "completed"))
    + "}}}}}",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_cost_of_a_strange_definition_is_bounded(name: str) -> None:
    started = time.process_time()
    found = load(Source("f.yaml", HOSTILE[name]))
    assert time.process_time() - started < 5  # 2 on a machine with nothing else to do
    assert 1 <= len(found.diagnostics) <= 210
    assert all(len(d.message) < 300 for d in found.diagnostics)
    assert found.items


def test_unquoted_values_are_read_as_written() -> None:
    (item,) = loaded(CASES / "unquoted.yaml").items
    root = item.definition.root
    assert root.status is not None
    running, failed, completed = root.status.mappings
    assert running.matchers[0].conditions[0].status == "True"
    assert failed.matchers[0].expected == "yes"
    assert completed.matchers[0].phase == "1.10"
    assert root.suspend is not None
    assert [a.value for a in root.suspend.suspend] == ["true", "0"]
    assert [a.value for a in root.suspend.resume] == ["off", "0777", None]
    assert root.instance_ids is None
    fixed = loaded(CASES / "unquoted.fixed.yaml").items[0].definition.root
    assert fixed.status is not None
    assert fixed.status.mappings == root.status.mappings
