"""Programs are built by the user's Go: what is asked of it, and what is said where it cannot be."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from kartatest.cluster import build, golang
from kartatest.errors import ClusterError

TOOL = build.Program("tool", "example.com/Tool", "v1.2.3", "example.com/Tool/cmd", replaces=True, stamp="main.version")
GO_MOD = {
    "Go": "1.24.0",
    "Replace": [
        {"Old": {"Path": "a.io/a"}, "New": {"Path": "b.io/b", "Version": "v1.0.0"}},
        {"Old": {"Path": "k8s.io/api"}, "New": {"Path": "./staging/src/k8s.io/api"}},
        {"Old": {"Path": "c.io/c"}, "New": {"Path": "../c"}},
    ],
}
GO = """#!/bin/sh
here={here}
echo "$*" >> $here/calls
case "$1 $2" in
"env GOVERSION") echo {version} ;;
"mod download")
  if [ -e $here/broken ]; then rm $here/broken; echo 'dial tcp: i/o timeout'; exit 1; fi
  echo '{{"Dir": "'$here'/source", "GoMod": "'$here'/go.mod"}}' ;;
"mod edit") cat $here/described ;;
"mod tidy") cp go.mod tools.go $here/ ;;
"build -v")
  if [ -e $here/failing ]; then echo 'x.go:1: undefined: y'; exit 1; fi
  sleep 0.2
  while [ "$1" != -o ]; do shift; done
  echo golang.org/x/one; echo golang.org/x/two
  printf '#!/bin/sh\\n' > "$2"; chmod +x "$2" ;;
esac
"""


@pytest.fixture
def go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a go of ours that notes its calls."""
    here = tmp_path / "go"
    here.mkdir()
    (here / "go").write_text(GO.format(here=here, version="go1.25.3"), "utf-8")
    (here / "go").chmod(0o755)
    (here / "described").write_text(json.dumps(GO_MOD), "utf-8")
    monkeypatch.setenv("PATH", f"{here}:/usr/bin:/bin")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("KARTA_LAB_BIN", raising=False)
    monkeypatch.setattr(golang.time, "sleep", lambda _seconds: None)
    return here


def _calls(go: Path) -> list[str]:
    return [call for call in (go / "calls").read_text("utf-8").splitlines() if not call.startswith("env")]


def test_a_program_is_built_once_and_found_then(go: Path) -> None:
    said: list[str] = []
    counted: list[int] = []
    progress = build.Progress(say=said.append, compiled=lambda _program, count: counted.append(count))
    assert build.found(TOOL) is None
    done = build.build(TOOL, progress)
    assert done.file == build.binaries_folder() / "tool-v1.2.3"
    assert build.found(TOOL) == done.file
    assert done.seconds > 0
    assert said == ["tool v1.2.3: fetching example.com/Tool", "tool v1.2.3: compiling with go 1.25.3"]
    assert counted == [1, 2]
    calls = _calls(go)
    assert calls[0] == "mod download -json example.com/Tool@v1.2.3"
    assert "-trimpath -ldflags -s -w -X main.version=v1.2.3 -o" in calls[-1]
    assert calls[-1].endswith(" example.com/Tool/cmd")
    assert build.build(TOOL).seconds == 0
    assert _calls(go) == calls
    assert [file.name for file in done.file.parent.iterdir()] == ["tool-v1.2.3"]


def test_the_wrapper_requires_the_module_and_repeats_what_it_replaces(go: Path) -> None:
    build.build(TOOL)
    assert (go / "go.mod").read_text("utf-8").split("\n\n") == [
        "module karta.lab/tool",
        "go 1.24.0",
        "require example.com/Tool v1.2.3",
        "replace a.io/a => b.io/b v1.0.0",
        "replace k8s.io/api => k8s.io/api v0.2.3\n",
    ]
    assert (go / "tools.go").read_text(
        "utf-8"
    ) == '//go:build tools\n\npackage tools\n\nimport _ "example.com/Tool/cmd"\n'


def test_a_download_that_broke_is_tried_again(go: Path) -> None:
    (go / "broken").touch()
    said: list[str] = []
    build.build(TOOL, build.Progress(say=said.append))
    assert "dial tcp: i/o timeout; trying again (2 of 4)" in said
    assert [call for call in _calls(go) if call.startswith("mod download")] == [
        "mod download -json example.com/Tool@v1.2.3"
    ] * 2


def test_a_compiler_error_is_told_and_leaves_nothing(go: Path) -> None:
    (go / "failing").touch()
    with pytest.raises(
        ClusterError, match=r"go build failed: x\.go:1: undefined: y; the whole output is in .*build\.log"
    ):
        build.build(TOOL)
    assert list(build.binaries_folder().iterdir()) == []
    assert [call[:8] for call in _calls(go)].count("build -v") == 1


def test_no_go_is_told_in_one_line(go: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(ClusterError, match=r"there is no go in PATH.*https://go\.dev/dl"):
        build.build(TOOL)


def test_go_that_is_too_old_is_told_in_one_line(go: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOTOOLCHAIN", "local")
    (go / "described").write_text('{"Go": "1.26.1"}', "utf-8")
    with pytest.raises(ClusterError, match=r"go 1\.25\.3 is too old for tool v1\.2\.3, which needs 1\.26\.1"):
        build.build(TOOL)


def test_two_builds_of_one_program_wait_for_each_other(go: Path) -> None:
    done: list[build.Built] = []
    threads = [threading.Thread(target=lambda: done.append(build.build(TOOL))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(built.seconds > 0 for built in done) == [False, False, True]
    assert [call[:8] for call in _calls(go)].count("build -v") == 1


def test_what_a_killed_build_left_is_no_binary_and_goes(go: Path) -> None:
    build.binaries_folder().mkdir(parents=True)
    stale = build.binaries_folder() / ".tool-v1.2.3.99"
    stale.write_text("half", "utf-8")
    assert build.found(TOOL) is None
    build.build(TOOL)
    assert not stale.exists()


def test_a_folder_of_the_user_goes_before_the_cache(go: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build.build(TOOL)
    own = tmp_path / "own"
    own.mkdir()
    monkeypatch.setenv("KARTA_LAB_BIN", str(own))
    assert build.found(TOOL) == build.binaries_folder() / "tool-v1.2.3"
    (own / "tool").touch(0o755)
    assert build.found(TOOL) == own / "tool"
    assert build.found(TOOL, default=False) == build.binaries_folder() / "tool-v1.2.3"
    (own / "tool-1.2.3").touch(0o755)
    assert build.found(TOOL) == own / "tool-1.2.3"


@pytest.mark.parametrize(
    ("text", "release"), [("1.24", (1, 24)), ("1.26.8", (1, 26, 8)), ("1.26rc1", (1, 26)), ("1.21.0", (1, 21, 0))]
)
def test_release(text: str, release: tuple[int, ...]) -> None:
    assert golang.release(text) == release


def test_a_module_that_is_there_is_not_fetched(go: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOMODCACHE", str(tmp_path))
    assert golang.module_folder("example.com/Tool", "v1.2.3") == go / "source"
    there = tmp_path / "example.com" / "!tool@v1.2.3"
    there.mkdir(parents=True)
    assert golang.module_folder("example.com/Tool", "v1.2.3") == there


def test_what_every_lab_runs_has_one_version_of_each() -> None:
    names = [program.name for program in build.CORE]
    assert sorted(names) == sorted(set(names))
    assert {"etcd", "kube-apiserver", "kwok", "kwokctl"} <= set(names)
