"""Index files, and finding the types of a kind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kartatest.definition.model import Gvk
from kartatest.errors import FileError
from kartatest.schema import index, order, part, schema_for, table, tags
from kartatest.schema.compile import compile_crd
from tests.schema.build import crd
from tests.schema.outline import outline

THING = Gvk("example.com", "v1", "Thing")
SCHEMA = {
    "type": "object",
    "properties": {
        "spec": {
            "type": "object",
            "properties": {
                "replicas": {"type": "integer", "format": "int32", "default": 1},
                "entries": {"type": "array", "items": {"type": "object", "additionalProperties": {"type": "string"}}},
                "ü": {"type": "string", "enum": ["a\nb", "ü"]},
            },
        }
    },
}


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def write(folder: Path, tag: str, schema: object = SCHEMA) -> Path:
    """An index below a folder, as <crd>/<tag>.json."""
    made = compile_crd(crd(schema), tag=tag)  # type: ignore[arg-type]
    file = folder / made.crd / f"{tag}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(table.text(made), "utf-8")
    return file


def test_text_and_back() -> None:
    made = compile_crd(crd(SCHEMA), tag="v1.0.0")
    text = table.text(made)
    (back,) = table.schemas(text)
    (direct,) = table.of(made)
    assert outline(back.root) == outline(direct.root)
    assert (back.crd, back.tag, str(back)) == ("things.example.com", "v1.0.0", "example.com/v1 Thing (v1.0.0)")
    assert text.splitlines()[-1] == "]}"
    assert len(text.splitlines()) == len(made.rows) + 2, "one line per row"
    assert table.head(text.splitlines()[0])["tag"] == "v1.0.0"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"crd":"a","tag":"b","kinds":[],"types":[{"items":0}]}',
        '{"crd":"a","tag":"b","kinds":[],"types":[{"items":-1}]}',
        '{"crd":"a","tag":"b","kinds":[],"types":[{"items":"word"}]}',
        '{"crd":"a","tag":"b","kinds":[],"types":[{"type":"map"}]}',
        '{"crd":"a","tag":"b","kinds":[{"root":0}],"types":[]}',
        '{"crd":"a","tag":"b","kinds":[{"root":-1,"group":"","version":"v1","kind":"K"}],"types":[{"items":"any"}]}',
        '{"crd":"a","tag":"b","kinds":[],"types":[3]}',
    ],
)
def test_what_is_no_index_is_refused(text: str) -> None:
    with pytest.raises(FileError, match=r"bad\.json is not a type index"):
        table.schemas(text, origin="bad.json")


def test_the_newest_release_is_taken_unless_one_is_named(tmp_path: Path) -> None:
    for tag in ("v0.8.2", "v0.10.1", "v0.10.0"):
        write(tmp_path, tag)
    found = schema_for(THING, extra=[tmp_path])
    assert found is not None
    assert found.tag == "v0.10.1"
    assert tags(THING, extra=[tmp_path]) == ("v0.8.2", "v0.10.0", "v0.10.1")
    named = schema_for(THING, "v0.8.2", extra=[tmp_path])
    assert named is not None
    assert named.tag == "v0.8.2"
    assert schema_for(THING, "v9", extra=[tmp_path]) is None
    assert [s.tag for s in index.schemas(THING, extra=[tmp_path])] == ["v0.8.2", "v0.10.0", "v0.10.1"]


def test_only_the_same_group_version_and_kind_fits(tmp_path: Path) -> None:
    write(tmp_path, "v1.0.0")
    assert schema_for(THING, extra=[tmp_path]) is not None
    for other in (Gvk("example.org", "v1", "Thing"), Gvk("example.com", "v2", "Thing"), Gvk("example.com", "v1", "X")):
        assert schema_for(other, extra=[tmp_path]) is None
    for odd in (Gvk("", "", ""), Gvk("../..", "v1", "Thing"), Gvk("*", "v1", "Thing"), Gvk("", "", "PodSpec")):
        assert schema_for(odd) is None


def test_an_extra_folder_may_hold_crds(tmp_path: Path) -> None:
    (tmp_path / "deep" / "things.example.com").mkdir(parents=True)
    (tmp_path / "deep" / "things.example.com" / "v3.yaml").write_text(yaml.safe_dump(crd(SCHEMA)), "utf-8")
    (tmp_path / "values.yaml").write_text("{{ not yaml", "utf-8")
    (tmp_path / "package.json").write_text("{}", "utf-8")
    found = schema_for(THING, extra=[tmp_path])
    assert found is not None
    assert found.tag == "v3"
    assert found.origin.endswith("v3.yaml")
    assert found.at(("spec", "entries", 0, "any name")) is not None


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    import os

    file = tmp_path / "crd.yaml"
    file.write_text(yaml.safe_dump(crd(SCHEMA)), "utf-8")
    before = schema_for(THING, extra=[tmp_path])
    file.write_text(yaml.safe_dump(crd({"type": "object"})), "utf-8")
    os.utime(file, ns=(1, 1))
    after = schema_for(THING, extra=[tmp_path])
    assert before is not None
    assert after is not None
    assert before.at(("spec",)) is not None
    assert after.at(("spec",)) is None


def test_an_extra_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="there is no"):
        schema_for(THING, extra=[tmp_path / "none"])


def test_a_broken_crd_in_an_extra_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "crd.yaml").write_text("kind: CustomResourceDefinition\nspec: {", "utf-8")
    with pytest.raises(FileError, match=r"crd\.yaml:2:"):
        schema_for(THING, extra=[tmp_path])


def test_the_cache_is_looked_at_last(tmp_path: Path) -> None:
    write(index.cache_folder(), "v7")
    found = schema_for(THING)
    assert found is not None
    assert found.tag == "v7"
    assert [entry.tag for entry in index.fetched()] == ["v7"]
    write(tmp_path / "own", "v1")
    own = schema_for(THING, extra=[tmp_path / "own"])
    assert own is not None
    assert own.tag == "v1"


def test_a_part_of_kubernetes() -> None:
    template = part("PodTemplateSpec")
    assert template.fields["spec"] is part("PodSpec")
    with pytest.raises(KeyError):
        part("Nothing")


ORDERED = (
    "latest",
    "v0.1.0-alpha.3",
    "v0.1.0-alpha.8",
    "v0.1.0-alpha.11",
    "v0.1.0-rc.1",
    "v0.1.0",
    "v0.8.2",
    "v0.10.0",
    "v0.10.1",
    "knative-v1.21.3",
    "v1.22",
    "main-2025-08-20",
    "main-2026-04-24",
)


@given(st.permutations(ORDERED))
def test_releases_come_in_order(shuffled: list[str]) -> None:
    assert order.in_order(shuffled) == ORDERED


@given(st.lists(st.text(st.sampled_from("v0123.-+ab"), max_size=8), max_size=6))
def test_any_tags_have_an_order(some: list[str]) -> None:
    found = order.in_order(some)
    assert set(found) == set(some)
    assert order.in_order(reversed(found)) == found


def test_rows_are_json(tmp_path: Path) -> None:
    text = write(tmp_path, "v1").read_text("utf-8")
    assert json.loads(text)["tag"] == "v1"
