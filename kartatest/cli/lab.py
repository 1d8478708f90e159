"""karta lab: real API servers with real operators and played pods, as processes of this machine."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import current_thread, main_thread
from typing import TYPE_CHECKING

import click

from kartatest.cli import terminal
from kartatest.errors import FileError, UsageError

if TYPE_CHECKING:
    from kartatest.cluster.build import Program, Progress
    from kartatest.cluster.lab import Shown
    from kartatest.cluster.operators import Operator
    from kartatest.source import Json

_OPERATORS = click.option("--operator", "files", multiple=True, metavar="FILE",
                          type=click.Path(exists=True, dir_okay=False, path_type=Path),
                          help="The data file of an operator of yours. Repeatable.")  # fmt: skip
_NAME = click.option(
    "--name", default="lab", show_default=True, help="Several labs run side by side under their names."
)
ALL = "all"


@contextmanager
def _ended_in_order() -> Iterator[None]:
    """SIGTERM ends what was started, as Ctrl-C does; of its own it would end this process alone."""

    def end(_number: int, _frame: object) -> None:
        raise SystemExit(128 + signal.SIGTERM)

    before = signal.signal(signal.SIGTERM, end) if current_thread() is main_thread() else None
    try:
        yield
    finally:
        if before is not None:
            signal.signal(signal.SIGTERM, before)


@click.group("lab", epilog='Example: karta lab up jobset; eval "$(karta lab env)"; kubectl get jobsets')
def command() -> None:
    """A real API server with real operators on this machine, without Docker.

    Pods are played: they start after a moment and run until told otherwise. Everything listens on 127.0.0.1 and keeps
    its state in a folder of its own; your kubeconfig and its current context are not touched.
    """


@command.command(
    "build", short_help="Build what a lab runs, with your Go.", epilog="Example: karta lab build jobset kuberay"
)
@click.argument("names", nargs=-1, metavar="[NAME...]")
@click.option("--force", is_flag=True, help="Build what is there, too.")
@_OPERATORS
def build(names: tuple[str, ...], files: tuple[Path, ...], force: bool) -> int:
    """Build what every lab runs, and the operators that are named, with your Go.

    NAME is an operator, with a version behind an @ if another than its newest is meant; `all` means all of them in
    all versions. Binaries go to $XDG_CACHE_HOME/karta/bin, or ~/.cache/karta/bin. Uses the network: Go fetches the
    modules.
    """
    from kartatest.cluster import build as builds

    own = _read(files)
    wanted = _programs(names, own)
    took = 0
    with _ended_in_order(), _Shown(len(wanted)) as shown:
        for number, program in enumerate(wanted, 1):
            done = builds.build(program, shown.progress(number), force=force)
            took += done.seconds > 0
            word = f"built in {done.seconds:.0f} s" if done.seconds else "there"
            click.echo(f"{program!s:32} {word:18} {done.file}")
    shown.note(f"{took} built, {len(wanted) - took} there")
    return 0


def _programs(names: Sequence[str], own: Sequence[Operator]) -> list[Program]:
    from kartatest.cluster import lab, operators

    known = lab.known(own)
    if ALL in names:
        chosen = [operators.Chosen(one, version) for one in known.values() for version in one.versions]
    else:
        chosen = [one for name in names for one in operators.ordered([name], known)]
    return list(dict.fromkeys(lab.programs(chosen)))


class _Shown:
    """Progress on stderr: a line for each thing that begins, on a terminal also how far the compiler is."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.counting = False

    def __enter__(self) -> _Shown:
        return self

    def __exit__(self, *_: object) -> None:
        self._clear()

    def _clear(self) -> None:
        if self.counting:
            sys.stderr.write("\r\x1b[K")
            self.counting = False

    def note(self, text: str) -> None:
        """A line."""
        self._clear()
        click.echo(text, err=True)

    def progress(self, number: int) -> Progress:
        """What the build of one program is told with."""
        from kartatest.cluster.build import Progress

        def compiled(program: Program, count: int) -> None:
            if sys.stderr.isatty() and count:
                sys.stderr.write(f"\r\x1b[K[{number}/{self.total}] {program}: {count} packages compiled")
                sys.stderr.flush()
                self.counting = True

        return Progress(say=lambda text: self.note(f"[{number}/{self.total}] {text}"), compiled=compiled)


@command.command(
    "up",
    short_help="Start a lab, with the operators that are named.",
    epilog="Example: karta lab up jobset lws@v0.7.0 --name mine",
)
@click.argument("names", nargs=-1, metavar="[OPERATOR[@VERSION]...]")
@_NAME
@click.option("--nodes", default=4, show_default=True, type=click.IntRange(0, 1000), metavar="N",
              help="Nodes, each with 64 CPUs, 512Gi and 8 GPUs.")  # fmt: skip
@_OPERATORS
def up(names: tuple[str, ...], name: str, nodes: int, files: tuple[Path, ...]) -> int:
    """Start a lab: API server, controllers, scheduler, kubelets that are played, and the operators that are named.

    It stays up until `karta lab down`. Nothing is built: `karta lab build` does that before.
    """
    from kartatest.cluster import lab

    begun = time.monotonic()
    own = _read(files)
    with _ended_in_order():
        started = lab.start(names, name=name, nodes=nodes, files=own, say=lambda text: click.echo(text, err=True))
    told = ", ".join(map(str, started.operators)) or "no operators"
    click.echo(f"{started.name} is up after {time.monotonic() - begun:.1f} s with {told}")
    for part in started.stand_ins:
        click.echo(f"played by a stand-in: {part}")
    option = "" if started.name == lab.NAME else f" --name {started.name}"
    click.echo(f'eval "$(karta lab env{option})" leads kubectl there', err=True)
    return 0


@command.command(
    "status", short_help="Show the labs, and whether all of each runs.", epilog="Example: karta lab status -o json"
)
@click.option("-o", "--output", type=click.Choice(["text", "json"]), default="text", help="How to print.")
def status(output: str) -> int:
    """Show the labs that are there: name, whether all of it runs, operators, age, memory.

    Exits with 1 when one of them is not whole.
    """
    from kartatest.cluster import lab

    shown = lab.labs()
    if output == "json":
        terminal.write_json([_json(one) for one in shown])
    elif not shown:
        click.echo("no lab is up; `karta lab up` starts one", err=True)
    else:
        rows = [("NAME", "STATE", "OPERATORS", "AGE", "MEMORY"), *map(_row, shown)]
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        for row in rows:
            click.echo("  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())
        for one in shown:
            for process in one.ended:
                click.echo(f"{one.name}: {process} has ended; its log is in {one.state.logs}", err=True)
    return int(any(one.phase in ("broken", "ended") for one in shown))


def _row(one: Shown) -> tuple[str, ...]:
    memory = _memory(one)
    told = f"{memory / 2**30:.2f} GiB" if memory else "-"
    return (one.name, one.phase, ", ".join(one.operators) or "-", _age(one.since), told)


def _json(one: Shown) -> dict[str, Json]:
    return {
        "name": one.name,
        "state": one.phase,
        "operators": list(one.operators),
        "since": one.since,
        "memoryBytes": _memory(one) or None,
        "kubeconfig": str(one.state.kubeconfig),
        "folder": str(one.state.folder),
        "ended": list(one.ended),
    }


def _age(since: float) -> str:
    seconds = max(0, int(time.time() - since)) if since else 0
    return f"{seconds}s" if seconds < 120 else f"{seconds // 60}m" if seconds < 7200 else f"{seconds // 3600}h"


def _memory(one: Shown) -> int:
    """Bytes that the processes of a lab have in memory; 0 where the system does not tell (not Linux)."""
    import re

    from kartatest.cluster import state

    total = 0
    for process in state.recorded(one.state):
        try:
            text = Path(f"/proc/{process.pid}/status").read_text("utf-8") if state.is_running(process) else ""
        except OSError:
            continue
        found = re.search(r"^VmRSS:\s+(\d+) kB", text, re.MULTILINE)
        total += int(found[1]) * 1024 if found else 0
    return total


@command.command("down", short_help="End a lab, and what killed runs left behind.", epilog="Example: karta lab down")
@click.argument("names", nargs=-1, metavar="[NAME...]")
@click.option("--all", "everything", is_flag=True, help="End every lab of yours.")
def down(names: tuple[str, ...], everything: bool) -> int:
    """End a lab (default: the one called lab), and whatever killed runs left behind.

    Processes are known by their numbers and when they began, never by name. A second call does nothing.
    """
    from kartatest.cluster import lab

    there = {shown.name for shown in lab.labs()}
    if names and everything:
        raise UsageError("name labs, or give --all; not both")
    if unknown := [name for name in names if name not in there]:
        told = f"there are {', '.join(sorted(there))}" if there else "none is up"
        raise UsageError(f"no lab is called {unknown[0]!r}; {told}")
    wanted = sorted(there) if everything else [*names] if names else [lab.NAME]
    ended = lab.down(wanted)
    click.echo("\n".join(f"ended {name}" for name in ended) or "nothing was up", err=not ended)
    return 0


@command.command(
    "env", short_help="Print export lines that lead kubectl to a lab.", epilog='Example: eval "$(karta lab env)"'
)
@_NAME
def env(name: str) -> int:
    """Print export lines that lead kubectl and other clients to a lab."""
    import shlex

    from kartatest.cluster import lab

    found = lab.attach(name)
    shown = lab.find(name)
    for process in shown.ended if shown else ():
        click.echo(
            f"karta: the lab {name!r} is not whole: {process} has ended; its log is in {found.state.logs}", err=True
        )
    click.echo(f"export KUBECONFIG={shlex.quote(str(found.state.kubeconfig))}")
    click.echo('export NO_PROXY="127.0.0.1,localhost${NO_PROXY:+,$NO_PROXY}"')
    click.echo('export no_proxy="$NO_PROXY"')
    return 0


def _read(files: Sequence[Path]) -> list[Operator]:
    """The operators of the user's data files. Raises UsageError after the findings were printed."""
    from kartatest.cluster.operators import load
    from kartatest.diagnostics import Diagnostic
    from kartatest.yamlpos import read

    found: list[Operator] = []
    faults: list[Diagnostic] = []
    for file in files:
        source = read(file, name=str(file))
        if isinstance(source, Diagnostic):
            raise FileError(f"cannot read {file}: {source.message}")
        loaded = load(source, file.absolute())
        faults += loaded.diagnostics
        found += [loaded.operator] if loaded.operator else []
    if faults:
        from kartatest.report.text import report

        click.echo(report(faults, color=False), err=True, nl=False)
        raise UsageError("an operator's data file cannot be used as it is")
    return found
