"""karta matrix: paths by release, what a release breaks, exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from kartatest import catalog
from kartatest.cli import main
from kartatest.schema.index import built_in, load
from tests import realdata
from tests.lint.drafts import definitions

BROKEN = Path(__file__).parents[1] / "lint" / "rules" / "KT241" / "bad.yaml"


def _json(capsys: pytest.CaptureFixture[str], *args: str, code: int = 0) -> Any:
    assert main(["matrix", *args, "-o", "json"]) == code
    return json.loads(capsys.readouterr().out)


def test_the_catalog_resolves_in_every_release(capsys: pytest.CaptureFixture[str]) -> None:
    found = _json(capsys, str(catalog.paths()[0].parent))
    assert [one["definition"] for one in found] == [file.stem for file in catalog.paths()]
    for one in found:
        assert one["ok"]
        assert one["releases"]
        assert one["paths"]
        assert not one["breaks"], one["definition"]


def test_what_the_newest_release_breaks(capsys: pytest.CaptureFixture[str]) -> None:
    (one,) = _json(capsys, str(BROKEN), code=1)
    assert not one["ok"]
    rows = {row["path"]: row for row in one["paths"]}
    row = rows[".spec.podSpecOverrides"]
    assert row["first"] == one["releases"][0]
    assert row["last"] != one["releases"][-1]
    assert row["types"][one["releases"][-1]] is None
    assert [b["release"] for b in one["breaks"]] == [one["releases"][-1]]


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["matrix", str(BROKEN)]) == 1
    out = capsys.readouterr().out
    assert "until v2.0.1" in out
    assert "v2.3.0 breaks" in out


def test_a_kind_that_nobody_knows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(BROKEN.read_text("utf-8").replace("TrainJob", "Unheard"), "utf-8")
    assert main(["matrix", str(file)]) == 4
    assert "--crds" in capsys.readouterr().err


def test_a_folder_without_definitions(tmp_path: Path) -> None:
    assert main(["matrix", str(tmp_path)]) == 4


@pytest.mark.skipif(realdata.crds() is None, reason=realdata.ABSENT)
def test_every_real_crd_has_a_matrix(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Drafts of the newest release of each CRD, against all of its releases."""
    folder = realdata.crds()
    assert folder is not None
    names = {file.parent.name for file in folder.glob("*/*.yaml")}
    assert names == {entry.crd for entry in built_in() if entry.crd != "core"}
    written = 0
    for name in sorted(names):
        for entry in built_in(name)[-1:]:
            for schema in load(entry.file):
                for number, draft in enumerate(definitions(schema)):
                    file = tmp_path / f"{name}-{schema.version}-{number}.yaml"
                    file.write_text(yaml.safe_dump(draft), "utf-8")
                    written += 1
    found = _json(capsys, str(tmp_path))
    assert len(found) == written > 25
    assert all(one["ok"] for one in found)
