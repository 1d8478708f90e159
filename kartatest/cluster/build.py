"""`karta lab build`: programs of pinned Go modules, built once with the user's Go and kept under the cache folder.

A binary appears under its name only when it is whole; two builds of the same one wait for each other.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from pathlib import Path

from kartatest.cluster import golang
from kartatest.cluster.state import folders
from kartatest.errors import ClusterError
from kartatest.source import Json
from kartatest.value import value

KUBERNETES = "v1.34.3"
_FLAGS = ("-trimpath",)
_STRIPPED = "-s -w"  # halves the files: no symbol table, no debugging information


@value
class Program:
    """One binary and what it is built of. package is the import path of its main package.

    replaces: the module's go.mod replaces modules, which counts for its own builds only and has to be repeated.
    stamp: variable that holds the version in the binary, set when it is linked.
    """

    name: str
    module: str
    version: str
    package: str
    replaces: bool = False
    stamp: str = ""

    def __str__(self) -> str:
        return f"{self.name} {self.version}"

    @property
    def file_name(self) -> str:
        """What the binary is called in the cache: etcd-v3.6.16."""
        return f"{self.name}-{self.version}"


def _kubernetes(name: str) -> Program:
    module = "k8s.io/kubernetes"
    stamp = "k8s.io/component-base/version.gitVersion"
    return Program(name, module, KUBERNETES, f"{module}/cmd/{name}", replaces=True, stamp=stamp)


CORE: tuple[Program, ...] = (
    # 3.6: older ones know no progress of watches, and the API server complains at each one.
    Program("etcd", "go.etcd.io/etcd/server/v3", "v3.6.16", "go.etcd.io/etcd/server/v3"),
    Program("kwokctl", "sigs.k8s.io/kwok", "v0.7.0", "sigs.k8s.io/kwok/cmd/kwokctl"),
    Program("kwok", "sigs.k8s.io/kwok", "v0.7.0", "sigs.k8s.io/kwok/cmd/kwok"),
    _kubernetes("kube-apiserver"),
    _kubernetes("kube-controller-manager"),
    _kubernetes("kube-scheduler"),
)
"""What every lab runs."""


@value
class Progress:
    """Told how a build goes on. say gets whole lines; compiled the number of packages that are compiled by now."""

    say: Callable[[str], None] = field(default=lambda _: None)
    compiled: Callable[[Program, int], None] = field(default=lambda _program, _count: None)


@value
class Built:
    """One binary, and what it took: seconds, 0 for one that was there."""

    program: Program
    file: Path
    seconds: float


def binaries_folder() -> Path:
    """Where built binaries are, each as <name>-<version>."""
    return folders().cache / "bin"


def found(program: Program, *, default: bool = True) -> Path | None:
    """The binary of a program that is there; None when it has to be built.

    A folder that KARTA_LAB_BIN names goes before the cache: there a file may be called as in the cache, with a version
    without its v, or, for an operator's default version, by the name alone.
    """
    names = [program.file_name, f"{program.name}-{program.version.removeprefix('v')}", *([program.name] * default)]
    given = os.environ.get("KARTA_LAB_BIN")
    places = [Path(given) / name for name in names] if given else []
    places.append(binaries_folder() / program.file_name)
    return next((place for place in places if place.is_file() and os.access(place, os.X_OK)), None)


def build(program: Program, progress: Progress | None = None, *, force: bool = False) -> Built:
    """Have a program in the cache. Raises ClusterError in one line: no Go, Go too old, a download, a compiler error."""
    progress = progress or Progress()
    file = binaries_folder() / program.file_name
    if file.is_file() and not force:
        return Built(program, file, 0)
    go = golang.find()
    folder = folders().cache / "build" / program.file_name
    _made(folder)
    _made(file.parent)
    with _alone(folder, program, progress):
        if file.is_file() and not force:  # another process has built it meanwhile
            return Built(program, file, 0)
        begun = time.monotonic()
        progress.say(f"{program}: fetching {program.module}")
        _wrapper(go, program, folder, progress)
        _compiled(go, program, folder, file, progress)
        return Built(program, file, time.monotonic() - begun)


def _made(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ClusterError(f"cannot make {folder}: {(error.strerror or str(error)).lower()}") from None


@contextmanager
def _alone(folder: Path, program: Program, progress: Progress) -> Iterator[None]:
    """While no other process builds the same program. The lock ends with the process that holds it."""
    import fcntl

    with (folder / "lock").open("w") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            progress.say(f"{program}: another karta is building it; waiting")
            fcntl.flock(stream, fcntl.LOCK_EX)
        yield


def _wrapper(go: golang.Go, program: Program, folder: Path, progress: Progress) -> None:
    """A small module that requires the program's, as `go install` would need the list of all its versions."""
    module = golang.downloaded(go, program.module, program.version, say=progress.say)
    told = golang.described(go, Path(module["GoMod"]))
    needed = str(told.get("Go") or "1.21")
    if golang.release(needed) > go.release and os.environ.get("GOTOOLCHAIN", "auto") == "local":
        raise ClusterError(f"go {go.words} is too old for {program}, which needs {needed}; get it from {golang.WHERE}")
    lines = [f"module karta.lab/{program.name}", f"go {needed}", f"require {program.module} {program.version}"]
    if program.replaces:
        lines += list(_replacements(told, program))
    log = folder / "build.log"
    log.write_text("", "utf-8")
    (folder / "go.mod").write_text("\n\n".join(lines) + "\n", "utf-8")
    text = f'//go:build tools\n\npackage tools\n\nimport _ "{program.package}"\n'
    (folder / "tools.go").write_text(text, "utf-8")
    # -e: tests of modules that nobody builds may import what is served no more
    golang.run(go, ["mod", "tidy", "-e"], folder, attempts=golang.ATTEMPTS, log=log, say=progress.say)


def _replacements(told: Mapping[str, Json], program: Program) -> Iterator[str]:
    """The lines of a go.mod that repeat a module's replacements.

    Kubernetes replaces its own parts by folders of its repository; they are published with its numbers as v0.
    """
    own = re.sub(r"^v1\.", "v0.", program.version)
    for one in told.get("Replace") or ():
        old, new = one["Old"], one["New"]
        if new.get("Version"):
            yield f"replace {old['Path']} => {new['Path']} {new['Version']}"
        elif new["Path"].startswith("./staging/"):
            yield f"replace {old['Path']} => {old['Path']} {own}"


def _compiled(go: golang.Go, program: Program, folder: Path, file: Path, progress: Progress) -> None:
    for stale in file.parent.glob(f".{program.file_name}.*"):  # of a build that was killed
        stale.unlink(missing_ok=True)
    part = file.with_name(f".{program.file_name}.{os.getpid()}")
    linked = _STRIPPED + (f" -X {program.stamp}={program.version}" if program.stamp else "")
    count = 0

    def one_more(line: str) -> None:
        nonlocal count
        count += "/" in line and " " not in line  # a line of -v: the package that is being compiled
        progress.compiled(program, count)

    progress.say(f"{program}: compiling with go {go.words}")
    arguments = ["build", "-v", *_FLAGS, "-ldflags", linked, "-o", str(part), program.package]
    try:
        log = folder / "build.log"
        golang.run(go, arguments, folder, attempts=golang.ATTEMPTS, log=log, on_line=one_more, say=progress.say)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
