from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kartatest import golden
from kartatest.definition.load import load_file
from kartatest.errors import FileError
from kartatest.golden import files
from kartatest.recording.find import load_file as load_recordings
from kartatest.recording.model import Recording

RIG = Path(__file__).parents[1] / "rig"
DEFINITION = load_file(RIG / "trainrig.yaml").items[0].definition


def recording(name: str) -> Recording:
    (found,) = load_recordings(RIG / name).recordings
    return found


@pytest.mark.parametrize("name", ["fixtures/v1.2.0-completed.yaml", "broken.yaml"])
def test_golden(name: str, request: pytest.FixtureRequest) -> None:
    found = recording(name)
    text = golden.text(DEFINITION, found)
    if request.config.getoption("--karta-update"):
        files.update(found, text)
    assert golden.diff(files.read(found) or "", text, name) == ""


def test_the_order_of_keys_does_not_show() -> None:
    found = recording("fixtures/v1.2.0-completed.yaml")
    turned = tuple(replace(f, obj=dict(reversed(f.obj.items()))) for f in found.frames)
    assert golden.text(DEFINITION, replace(found, frames=turned)) == golden.text(DEFINITION, found)


def test_the_file_s_name_and_the_expectations_do_not_show() -> None:
    found = recording("fixtures/v1.2.0-completed.yaml")
    other = replace(found, file="elsewhere.yaml", frames=tuple(replace(f, expected=None) for f in found.frames))
    assert golden.text(DEFINITION, other) == golden.text(DEFINITION, found)


def test_diff() -> None:
    assert golden.diff("a\n", "a\n", "x") == ""
    assert golden.diff("a\nb\n", "a\nc\n", "x").splitlines() == [
        "--- x (on disk)",
        "+++ x (now)",
        "@@ -1,2 +1,2 @@",
        " a",
        "-b",
        "+c",
    ]
    assert golden.diff("a", "a\n", "x") != ""


def test_files(tmp_path: Path) -> None:
    found = replace(recording("broken.yaml"), file=str(tmp_path / "v1.2.0-broken.yaml"))
    assert files.path(found) == tmp_path / "v1.2.0-broken.golden"
    assert files.path(replace(found, part="rig-a")) == tmp_path / "v1.2.0-broken-rig-a.golden"
    assert files.read(found) is None
    assert files.update(found, "1\n") is files.Change.NEW
    assert files.update(found, "1\n") is files.Change.SAME
    assert files.update(found, "2\n") is files.Change.CHANGED
    assert files.read(found) == "2\n"
    files.path(found).write_bytes(b"\xff")
    with pytest.raises(FileError, match="cannot read"):
        files.read(found)


def test_orphans(tmp_path: Path) -> None:
    for name in ("a.yaml", "a.golden", "b.golden", "deep/c.golden", "many-rig-x.golden"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    many = replace(recording("broken.yaml"), file=str(tmp_path / "many.yaml"), part="rig-x")
    assert [p.name for p in files.orphans(tmp_path, [many])] == ["b.golden", "c.golden"]
