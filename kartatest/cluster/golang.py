"""The user's own Go: which one there is, and modules fetched through it, tried again when a download breaks."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from kartatest.errors import ClusterError
from kartatest.source import Json
from kartatest.value import value

ATTEMPTS = 4
WHERE = "https://go.dev/dl"
_BROKEN = re.compile(
    r"timeout|timed out|connection re(?:set|fused)|unexpected EOF|: EOF|TLS handshake|no such host|server misbehaving"
    r"|network is unreachable|broken pipe|stream error|\b(?:408|429|5\d\d) [A-Z]|checksum database|i/o error",
    re.IGNORECASE,
)
"""What go says when a download broke that may go better another time."""

Say = Callable[[str], None]
"""Told what is being done, one line each, for people."""


@value
class Go:
    """A Go toolchain: its command, and its release as numbers: (1, 26, 8)."""

    command: str
    release: tuple[int, ...]

    @property
    def words(self) -> str:
        """The release as people write it: "1.26.8"."""
        return ".".join(map(str, self.release))


def find() -> Go:
    """The Go of the user's PATH. Raises ClusterError with the place to get one."""
    command = shutil.which("go")
    if command is None:
        raise ClusterError(f"there is no go in PATH, which `karta lab build` builds with; get it from {WHERE}")
    done = subprocess.run([command, "env", "GOVERSION"], capture_output=True, text=True, env=environment())
    said = re.search(r"go(\d+(?:\.\d+)*)", done.stdout)
    if done.returncode or said is None:
        raise ClusterError(f"{command} does not work: {last(done.stdout + done.stderr) or 'it names no version'}")
    return Go(command, release(said[1]))


def release(text: str) -> tuple[int, ...]:
    """The numbers of a Go release as go.mod and `go version` write it: "1.24", "1.26rc1" without what follows."""
    return tuple(int(number) for number in re.findall(r"\d+", re.split(r"[a-z]", text)[0]))


def environment(**more: str) -> dict[str, str]:
    """The user's environment for go: no workspace around our modules, no C compiler needed."""
    return {**os.environ, "GOWORK": "off", "CGO_ENABLED": "0", **more}


def run(
    go: Go,
    arguments: Sequence[str],
    folder: Path,
    *,
    attempts: int = 1,
    pause_seconds: float = 2.0,
    log: Path | None = None,
    on_line: Say = lambda _: None,
    say: Say = lambda _: None,
) -> str:
    """What `go ARGUMENTS` prints in a folder: both streams, in their order.

    Where it failed by a broken download it is tried again, after a pause that doubles. log gets all that was printed.
    Raises ClusterError with the last line that go printed.
    """
    for attempt in range(1, attempts + 1):
        code, text = _once(go, arguments, folder, on_line)
        if log is not None:
            with log.open("a", encoding="utf-8") as stream:
                stream.write(f"$ go {' '.join(arguments)}\n{text}")
        if code == 0:
            return text
        if attempt == attempts or not _BROKEN.search(text):
            break
        say(f"{last(text)}; trying again ({attempt + 1} of {attempts})")
        time.sleep(pause_seconds * 2 ** (attempt - 1))
    where = f"; the whole output is in {log}" if log is not None else ""
    raise ClusterError(f"go {arguments[0]} failed: {last(text)}{where}")


def _once(go: Go, arguments: Sequence[str], folder: Path, on_line: Say) -> tuple[int, str]:
    process = subprocess.Popen(
        [go.command, *arguments],
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    assert process.stdout is not None
    lines: list[str] = []
    try:
        for line in process.stdout:
            lines.append(line)
            on_line(line.rstrip())
        return process.wait(), "".join(lines)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def last(text: str) -> str:
    """The last line of a text that says something."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def module_folder(module: str, version: str, *, say: Say = lambda _: None) -> Path:
    """The folder of a module's files in Go's module cache, fetched when it is not there.

    Raises ClusterError when it cannot be fetched, or is not there and there is no Go.
    """
    there = _cache() / f"{_escaped(module)}@{_escaped(version)}"
    if there.is_dir():
        return there
    return Path(downloaded(find(), module, version, say=say)["Dir"])


def downloaded(go: Go, module: str, version: str, *, say: Say = lambda _: None) -> Mapping[str, Json]:
    """What `go mod download -json` says of a module: Dir, GoMod and others. Raises ClusterError."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="karta-go-") as folder:
        name = f"{module}@{version}"
        text = run(go, ["mod", "download", "-json", name], Path(folder), attempts=ATTEMPTS, say=say)
    found: Mapping[str, Json] = json.loads(text[text.index("{") : text.rindex("}") + 1])
    return found


def described(go: Go, go_mod: Path) -> Mapping[str, Json]:
    """A go.mod file as `go mod edit -json` tells it: Go, Require, Replace. Raises ClusterError."""
    found: Mapping[str, Json] = json.loads(run(go, ["mod", "edit", "-json", str(go_mod)], go_mod.parent))
    return found


def _cache() -> Path:
    """Go's module cache by the rules of `go help environment`."""
    if given := os.environ.get("GOMODCACHE"):
        return Path(given)
    gopath = os.environ.get("GOPATH", "").split(os.pathsep)[0]
    return (Path(gopath) if gopath else Path.home() / "go") / "pkg" / "mod"


def _escaped(text: str) -> str:
    """A module path or version as folders of the cache write it: capitals as ! and the small letter."""
    return re.sub(r"[A-Z]", lambda letter: f"!{letter[0].lower()}", text)
