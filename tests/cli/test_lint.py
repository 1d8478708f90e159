"""`karta lint`: which files, exit codes, settings, repairs, formats."""

from __future__ import annotations

import io
import json
import sys
import threading
import time
from pathlib import Path

import pytest

from kartatest.cli import main
from kartatest.cli.watch import repeat
from kartatest.lint.config import find
from kartatest.lint.files import fixtures_folder

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "tests" / "lint" / "rules"
GOOD = (EXAMPLES / "KT103/good.yaml").read_text("utf-8")
ERROR = (EXAMPLES / "KT103/bad-typo.yaml").read_text("utf-8")  # has a safe repair
WARNING = (EXAMPLES / "KT113/bad.yaml").read_text("utf-8")  # has an unsafe one


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test runs in an empty folder, the top of a repository."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)
    find.cache_clear()
    return tmp_path


def write(name: str, text: str) -> Path:
    file = Path(name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return file


def codes(capsys: pytest.CaptureFixture[str], *argv: str) -> list[str]:
    capsys.readouterr()
    main(["lint", "--format", "json", *argv])
    return [d["code"] for d in json.loads(capsys.readouterr().out)]


def test_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    write("good.yaml", GOOD)
    write("error.yaml", ERROR)
    write("warning.yaml", WARNING)
    assert main(["lint", "good.yaml"]) == 0
    assert main(["lint", "error.yaml"]) == 1
    assert main(["lint", "warning.yaml"]) == 0
    assert main(["lint", "warning.yaml", "--fail-on", "warning"]) == 1
    assert main(["lint", "error.yaml", "--ignore", "KT1"]) == 0
    assert main(["lint"]) == 2
    assert main(["lint", "absent.yaml"]) == 2
    assert main(["lint", "good.yaml", "--select", "KT8"]) == 2
    assert main(["lint", "good.yaml", "--format", "xml"]) == 2
    assert main(["lint", "good.yaml", "--unsafe-fixes"]) == 2
    assert main(["lint", "--help"]) == 0
    assert "Example: karta lint" in capsys.readouterr().out


def test_nothing_to_check_is_not_green(capsys: pytest.CaptureFixture[str]) -> None:
    write("folder/notes.txt", "x")
    write("folder/deployment.yaml", "apiVersion: apps/v1\nkind: Deployment\n")
    assert main(["lint", "folder"]) == 4
    assert main(["lint", "folder/deployment.yaml", "--ignore", "KT0"]) == 4
    assert "no definition in" in capsys.readouterr().err


def test_folders_are_searched_for_definitions_and_named_files_always_checked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("all/a.yaml", ERROR)
    write("all/deep/b.yml", ERROR.replace("kind: Karta", '"kind": "Karta"'))
    write("all/deep/c.json", json.dumps({"kind": "Karta"}))
    write("all/.hidden/d.yaml", ERROR)
    write("all/recording.yaml", "definition: x\nframes:\n  - object:\n      kind: Karta\n")
    write("all/e.txt", ERROR)
    main(["lint", "--format", "json", "all", "all/a.yaml", "--select", "KT103,KT012"])
    found = json.loads(capsys.readouterr().out)
    assert sorted({d["file"] for d in found}) == ["all/a.yaml", "all/deep/b.yml", "all/deep/c.json"]
    assert codes(capsys, "all/recording.yaml") == ["KT007"]
    assert codes(capsys, "all/e.txt") == ["KT103"]


def test_broken_files_are_findings_and_do_not_stop_the_rest(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.yaml").write_bytes(b"kind: Karta\nname: \xff\n")
    write("b.yaml", "kind: Karta\n a: [\n")
    write("c.yaml", ERROR)
    found = codes(capsys, ".")
    assert {"KT004", "KT001", "KT103"} <= set(found)


def test_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def stdin(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    stdin(ERROR)
    assert main(["lint", "-"]) == 1
    assert capsys.readouterr().out.startswith("<stdin>:31:19: error[KT103]")
    stdin(ERROR)
    assert main(["lint", "-", "--fix"]) == 0
    out, err = capsys.readouterr()
    assert out == (EXAMPLES / "KT103/bad-typo.fixed.yaml").read_text("utf-8")
    assert "fixed 1 finding" in err
    stdin(GOOD)
    assert main(["lint", "-", "--fix"]) == 0
    assert capsys.readouterr().out == GOOD


def test_fix_repairs_what_is_safe(capsys: pytest.CaptureFixture[str]) -> None:
    file = write("a.yaml", ERROR.replace("name: example-com-trainer-v1", "name: mine"))
    file.chmod(0o640)
    assert main(["lint", "a.yaml", "--fix"]) == 0
    out, err = capsys.readouterr()
    assert "KT113" in out
    assert "KT103" not in out
    assert err == "fixed 1 finding\n"
    assert "ownerRef: 'trainer'" in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o640
    assert {p.name for p in Path().iterdir()} == {".git", "a.yaml"}
    assert main(["lint", "a.yaml", "--fix", "--unsafe-fixes"]) == 0
    assert file.read_text() == (EXAMPLES / "KT103/bad-typo.fixed.yaml").read_text("utf-8")


def test_fix_keeps_line_ends_and_links() -> None:
    target = Path("real.yaml")
    target.write_bytes(ERROR.replace("\n", "\r\n").encode())
    Path("link.yaml").symlink_to("real.yaml")
    assert main(["lint", "link.yaml", "--fix"]) == 0
    assert Path("link.yaml").is_symlink()
    assert target.read_bytes() == ERROR.replace("'Trainers'", "'trainer'").replace("\n", "\r\n").encode()


def test_diff_shows_and_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    file = write("a.yaml", ERROR)
    assert main(["lint", "a.yaml", "--diff"]) == 1
    out, err = capsys.readouterr()
    assert "-        ownerRef: 'Trainers'\n+        ownerRef: 'trainer'\n" in out
    assert out.startswith("--- a.yaml\n+++ a.yaml\n")
    assert err == "would fix 1 finding\n"
    assert file.read_text() == ERROR
    write("good.yaml", GOOD)
    assert main(["lint", "good.yaml", "--diff"]) == 0
    assert capsys.readouterr().out == ""


def test_selection(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.yaml", ERROR.replace("name: example-com-trainer-v1", "name: mine"))
    assert codes(capsys, "a.yaml") == ["KT113", "KT103"]
    assert codes(capsys, "a.yaml", "--select", "KT103") == ["KT103"]
    assert codes(capsys, "a.yaml", "--select", "unknown-owner") == ["KT103"]
    assert codes(capsys, "a.yaml", "--ignore", "KT10") == ["KT113"]
    assert codes(capsys, "a.yaml", "--select", "KT9", "--extend-select", "KT113") == ["KT113"]
    write("karta.toml", 'ignore = ["KT103"]\nfail-on = "warning"\n')
    find.cache_clear()
    assert codes(capsys, "a.yaml") == ["KT113"]
    assert codes(capsys, "a.yaml", "--select", "KT1") == ["KT113", "KT103"]
    assert main(["lint", "a.yaml"]) == 1
    write("karta.toml", '[per-file-ignores]\n"a.*" = ["ALL"]\n')
    find.cache_clear()
    assert codes(capsys, "a.yaml") == []


def test_wrong_settings_are_a_wrong_call(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.yaml", GOOD)
    write("karta.toml", "selct = []\n")
    assert main(["lint", "a.yaml"]) == 2
    assert "unknown key 'selct'; did you mean 'select'?" in capsys.readouterr().err
    write("karta.toml", "select = [\n")
    find.cache_clear()
    assert main(["lint", "a.yaml"]) == 2
    assert "is no TOML" in capsys.readouterr().err


def test_suppressions(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.yaml", WARNING.replace("  name: job\n", "  name: job  # karta: ignore[KT113] known so\n", 1))
    assert main(["lint", "a.yaml", "--fail-on", "warning"]) == 0


def test_formats_output_statistics_and_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.yaml", ERROR)
    assert main(["lint", "a.yaml", "--format", "sarif", "--output", "out.sarif"]) == 1
    assert capsys.readouterr().out == ""
    assert json.loads(Path("out.sarif").read_text())["version"] == "2.1.0"
    assert main(["lint", "a.yaml", "--format", "github"]) == 1
    assert capsys.readouterr().out.startswith("::error file=a.yaml,line=31,")
    assert main(["lint", "a.yaml", "--format", "junit"]) == 1
    assert "<testsuites" in capsys.readouterr().out
    assert main(["lint", "a.yaml", "--statistics"]) == 1
    assert capsys.readouterr().out == "1  KT103  error    unknown-owner\n"
    write("good.yaml", GOOD)
    assert main(["lint", "good.yaml", "--quiet"]) == 0
    assert capsys.readouterr().out == ""
    assert main(["lint", "good.yaml"]) == 0
    assert capsys.readouterr().out == "no findings in 1 file\n"


def test_two_definitions_of_one_kind_in_two_files(capsys: pytest.CaptureFixture[str]) -> None:
    write("all/a.yaml", GOOD)
    write("all/b.yaml", GOOD)
    assert main(["lint", "all"]) == 1
    assert "already" in capsys.readouterr().out
    assert main(["lint", "all/b.yaml"]) == 0


RECORDING = """definition: example-com-trainer-v1
frames:
  - object: {apiVersion: example.com/v1, kind: Trainer, metadata: {name: t}, status: {phase: Running}}
    expct: [Running]
"""


def test_recordings_are_found_and_their_faults_reported(capsys: pytest.CaptureFixture[str]) -> None:
    write("defs/a.yaml", GOOD)
    write("fixtures/example-com-trainer-v1/v1-x.yaml", RECORDING)
    assert "KT051" in codes(capsys, "defs")
    silenced = RECORDING.replace("expct: [Running]", "expct: [Running]  # karta: ignore[KT051] a test")
    write("fixtures/example-com-trainer-v1/v1-x.yaml", silenced)
    assert "KT051" not in codes(capsys, "defs")
    write("elsewhere/other/x.yaml", RECORDING)
    assert "KT051" not in codes(capsys, "defs", "--fixtures", "elsewhere")
    write("karta.toml", 'fixtures = "elsewhere"\n')
    find.cache_clear()
    assert "KT051" not in codes(capsys, "defs")


def test_recordings_are_looked_for_within_the_repository(place: Path) -> None:
    inner = place / "repo" / "defs"
    inner.mkdir(parents=True)
    (place / "fixtures").mkdir()
    assert fixtures_folder(inner) == place / "fixtures"
    (place / "repo" / ".git").mkdir()
    assert fixtures_folder(inner) is None
    (place / "repo" / "fixtures").mkdir()
    assert fixtures_folder(inner) == place / "repo" / "fixtures"


def test_watch_runs_again_after_a_change(capsys: pytest.CaptureFixture[str]) -> None:
    file = write("a.yaml", GOOD)
    runs: list[float] = []

    def run() -> int:
        runs.append(time.monotonic())
        if len(runs) == 3:
            raise KeyboardInterrupt
        threading.Timer(0.05, lambda: file.write_text(GOOD + "#" * len(runs))).start()
        return 0

    with pytest.raises(KeyboardInterrupt):
        repeat(run, [Path()], pause_seconds=0.01)
    assert len(runs) == 3
    assert capsys.readouterr().err.count("waiting for changes") == 2


def test_watch_wants_files(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.yaml", GOOD)
    assert main(["lint", "--watch", "-"]) == 2
    assert main(["lint", "--watch", "--fix", "a.yaml"]) == 2


@pytest.mark.parametrize("args", [[], ["--format", "json"], ["--statistics"], ["--diff", "--unsafe-fixes"]])
def test_it_does_not_show_how_many_processes_looked(
    args: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where files depend on each other: all define the same kind, which is a finding in each but the first."""
    from kartatest.cli import lint

    for i, text in enumerate([GOOD, ERROR, WARNING] * 3):
        write(f"d/{i}.yaml", text)
    said = []
    for processors in (1, 4):
        monkeypatch.setattr(lint, "_processors", lambda count=processors: count)
        said.append((main(["lint", "d", *args]), capsys.readouterr()))
    assert said[0] == said[1]
    assert said[0][0] == 1
    if not args:
        assert said[0][1].out.count("KT120") >= 5
