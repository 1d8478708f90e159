"""Lists of objects as JSON, read without the places of their values: the same objects as with them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kartatest.cli import live, objects
from kartatest.errors import FileError, NothingFoundError
from kartatest.source import Source


def _meta(name: str, owner: str = "", **more: Any) -> dict[str, Any]:
    references = [{"apiVersion": "batch/v1", "kind": "Job", "name": owner, "uid": f"u-{owner}", "controller": True}]
    return {"name": name, "uid": f"u-{name}", **({"ownerReferences": references} if owner else {}), **more}


JOB = {"apiVersion": "batch/v1", "kind": "Job", "metadata": _meta("j")}
POD = {"apiVersion": "v1", "kind": "Pod", "metadata": _meta("p", "j")}
LATER = {**POD, "status": {"phase": "Running"}}
BARE = {"metadata": _meta("q", "j")}
KARTA = {"apiVersion": "run.ai/v1alpha1", "kind": "Karta", "metadata": {"name": "k"}}
EVENT = {"apiVersion": "v1", "kind": "Event", "metadata": {"name": "e"}}
LISTS: dict[str, tuple[str, list[Any]]] = {
    "mixed": ("List", [JOB, POD]),
    "later-state": ("List", [JOB, POD, LATER]),
    "one-kind": ("PodList", [POD, BARE]),
    "definition": ("List", [JOB, POD, KARTA]),
    "event": ("List", [EVENT, JOB, POD]),
    "no-name": ("List", [JOB, {"apiVersion": "v1", "kind": "Pod", "metadata": {}}]),
    "number": ("List", [JOB, {**POD, "spec": {"x": 123456789012345678901234567890, "y": 1.5}}]),
    "none": ("PodList", []),
}


@pytest.mark.parametrize("name", LISTS)
def test_a_list_as_json_is_read_as_any_text(name: str, tmp_path: Path) -> None:
    kind, items = LISTS[name]
    text = json.dumps({"apiVersion": "v1", "kind": kind, "metadata": {}, "items": items})
    file = tmp_path / "list.json"
    file.write_text(text)
    source = Source(str(file), text)
    assert live.pods_and_owners(str(file)) == objects.pods_and_owners(source)
    if items:
        assert live.workloads(str(file)) == objects.workloads(source)


@pytest.mark.parametrize(
    "text",
    [
        '{"kind": "List", "items": [NaN]}',
        '{"kind": "List", "items": [1]}',
        '{"kind": "List", "items": [{"kind": 1, "apiVersion": "v1", "metadata": {"name": "x"}}]}',
        '{"kind": "List", "items": [{"kind": "Pod", "apiVersion": "v1", "metadata": {"name": 1}}]}',
        '{"kind": "List", "items": 5}',
        '{"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "x"}}',
        '{"kind": "List", "items": ' + "[" * 100_000,
        "[]",
        "\x00",
    ],
)
def test_every_other_text_is_read_with_care(text: str, tmp_path: Path) -> None:
    file = tmp_path / "odd.json"
    file.write_text(text)
    assert live._listed(text.encode()) is None
    assert _outcome(live.pods_and_owners, str(file)) == _outcome(_with_care, str(file))


def _with_care(file: str) -> live.Live:
    return objects.pods_and_owners(objects.text(file))


def _outcome(read: Callable[[str], live.Live], file: str) -> str:
    try:
        return repr(read(file))
    except (FileError, NothingFoundError) as error:
        return str(error)


def test_no_pod_among_objects(tmp_path: Path) -> None:
    file = tmp_path / "list.json"
    file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [JOB]}))
    with pytest.raises(NothingFoundError, match="there is no pod in"):
        live.pods_and_owners(str(file))


def test_files_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FileError, match="no such file"):
        live.pods_and_owners(str(tmp_path / "none.json"))
    monkeypatch.setattr(live, "_LARGEST", 1024 * 1024)
    large = tmp_path / "large.json"
    large.write_text(" " * (1024 * 1024 + 1))
    with pytest.raises(FileError, match="more than 1 MiB"):
        live.pods_and_owners(str(large))


def test_thousands_of_objects_are_told_apart_at_once() -> None:
    """Each object is looked at once or twice: as many comparisons as pairs of objects would take minutes."""
    found = [objects.Workload({**JOB, "metadata": _meta(f"j{i}")}) for i in range(3000)]
    found += [objects.Workload({**POD, "metadata": _meta(f"p{i}", f"j{i}")}) for i in range(3000)]
    tops = objects.told_apart(found)
    assert len(tops) == 3000
    assert len(tops[0].pods) == 3000
