"""karta record: a workload of a cluster, or a scenario in the lab, as a recording."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kartatest.cli import access, lookup
from kartatest.recording.codes import STATUS_WORDS

if TYPE_CHECKING:
    from kartatest.cluster.capture import Moment
    from kartatest.cluster.following import Progress
    from kartatest.cluster.model import Access
    from kartatest.cluster.scenario import Scenario
    from kartatest.definition.model import Definition, Gvk


@click.command("record", epilog="Example: karta record jobset train --until Completed --pods -o train.yaml")
@click.argument("type_", required=False, metavar="[TYPE")
@click.argument("name", required=False, metavar="NAME]")
@click.option(
    "--scenario",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Run this scenario in the lab and record what it makes.",
)
@click.option("--version", "only", default="", metavar="VERSION", help="Of a scenario's versions only this one.")
@click.option(
    "--lab", "in_lab", default="", metavar="NAME", help="Run it in this lab, which is up, instead of a new one."
)
@click.option("--until", type=click.Choice(STATUS_WORDS), help="Stop once the workload's definition reads this status.")
@click.option("--pods", is_flag=True, help="Record the workload's pods, and what is between, as well.")
@click.option("--timeout", metavar="TIME", help="Stop after so long: 90s, 10m.")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Where it is written.")
@access.options
@lookup.DEFINITION_OPTION
def command(
    *,
    type_: str | None,
    name: str | None,
    scenario: Path | None,
    only: str,
    in_lab: str,
    until: str | None,
    pods: bool,
    timeout: str | None,
    output: Path | None,
    kubeconfig: Path | None,
    context: str,
    namespace: str,
    request_timeout: str,
    definitions: tuple[Path, ...],
) -> int:
    """Record a live workload, frame by frame, masked.

    TYPE NAME is a workload of any cluster; it is only looked at, and waited for where it is not there yet. Recording
    goes on until the status of --until, the end of the object or of --timeout, or Ctrl-C, and is then printed, or
    written whole to the file of -o. Nobody expects anything of its frames until you say so.

    With --scenario the lab is started with the operator, the steps are done, and a recording is written for each
    version, beside the other ones of its definition or to -o. What the frames should read is what the scenario says.
    Where that is not what happens, nothing is written and the exit code is 1.
    """
    from kartatest.errors import UsageError

    if (scenario is None) == (type_ is None) or (type_ is None) != (name is None):
        raise UsageError("give TYPE and NAME of a workload, or a file with --scenario")
    if output is not None:
        _can_be_written(output)
    with _terminated():
        if scenario is not None:
            if until or pods or timeout or kubeconfig or context or namespace:
                raise UsageError("a scenario says itself what is recorded, and runs in the lab")
            return _scenario(scenario, only, output, in_lab)
        assert type_ is not None
        assert name is not None
        wanted = access.access(kubeconfig, context, namespace, request_timeout)
        seconds = access.seconds(timeout) if timeout else None
        given = lookup.given(definitions)
        return _workload(wanted, type_, name, given, until or "", pods, seconds, output)


def _can_be_written(file: Path) -> None:
    """Raises UsageError for a place that a file cannot have, before a workload was watched for hours."""
    import os

    from kartatest.errors import UsageError

    if file.is_dir():
        raise UsageError(f"-o names a file, and {file} is a folder")
    above = next(folder for folder in file.absolute().parents if folder.exists())
    if not above.is_dir() or not os.access(above, os.W_OK):
        raise UsageError(f"{file} cannot be written: {above} is no folder of yours")


def _workload(
    wanted: Access,
    type_: str,
    name: str,
    given: tuple[Definition, ...],
    until: str,
    pods: bool,
    timeout_seconds: float | None,
    output: Path | None,
) -> int:
    from kartatest.cluster import kinds
    from kartatest.cluster.following import follow
    from kartatest.cluster.scenario import Reference
    from kartatest.recording.manifests import default_flow
    from kartatest.recording.model import Recording
    from kartatest.recording.write import text, write

    cluster, where = access.connect(wanted)
    resource = kinds.named(cluster, type_)
    definition = _definition(resource.gvk, given, needed=bool(until))
    file = output or Path(f"{name}.yaml")
    of = Recording(file.name, definition.name if definition else "", "", "", default_flow(file.name, ""), ())
    target = Reference(resource.gvk, name, where if resource.namespaced else "")
    line = _Line(f"{resource.gvk.kind} {name}")
    try:
        followed = follow(
            cluster,
            target,
            of,
            read=lambda moment: _statuses(definition, moment),
            until=until,
            pods=pods,
            timeout_seconds=timeout_seconds,
            told=line.tell,
        )
    finally:
        line.end()
    for kind in followed.unseen if pods else ():
        click.echo(f"karta: pods below {kind} are left out: you may not read that kind", err=True)
    if followed.recording is None:
        from kartatest.errors import NothingFoundError

        raise NothingFoundError(f"nothing was recorded of {target}: {followed.ended}")
    if output is not None:
        write(followed.recording, output)
    else:
        sys.stdout.write(text(followed.recording))
    frames = _counted(len(followed.recording.frames), "frame")
    click.echo(f"karta: {frames} of {target}{f' in {output}' if output else ''}: {followed.ended}", err=True)
    return 0 if followed.reached else 1


def _definition(gvk: Gvk, given: tuple[Definition, ...], *, needed: bool) -> Definition | None:
    """The definition of a kind; None when there is none and nothing but the line of progress needs it."""
    from kartatest.errors import NothingFoundError

    try:
        return lookup.definition_for(gvk, given).definition
    except NothingFoundError:
        if needed:
            raise
        return None


def _statuses(definition: Definition | None, moment: Moment) -> tuple[str, ...]:
    from kartatest.resolve.tree import resolve

    if definition is None:
        return ()
    tree = resolve(definition, moment.obj, pods=moment.pods, owners=moment.owners)
    return tuple(status.value for status in tree.statuses)


class _Line:
    """Progress on stderr: one line that is written over on a terminal, elsewhere one for each other status."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._told: tuple[int, tuple[str, ...]] | None = None
        self._shown = False

    def tell(self, progress: Progress) -> None:
        words = ", ".join(progress.statuses) or ("no status" if progress.frames else "waiting for it")
        counts = f"{_counted(progress.frames, 'frame')}, {_counted(progress.pods, 'pod')}"
        text = f"{self._what}: {words}, {counts}, {progress.seconds:.0f} s"
        if sys.stderr.isatty():
            click.echo(f"\r\x1b[K{text}", err=True, nl=False)
            self._shown = True
        elif self._told is None or self._told[1] != progress.statuses or bool(self._told[0]) != bool(progress.frames):
            click.echo(text, err=True)
            self._told = (progress.frames, progress.statuses)

    def end(self) -> None:
        if self._shown:
            click.echo("", err=True)


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _scenario(file: Path, only: str, output: Path | None, name: str) -> int:
    from kartatest.cluster.scenario import load_file
    from kartatest.errors import UsageError
    from kartatest.report.text import finding

    loaded = load_file(file)
    for diagnostic in loaded.diagnostics:
        click.echo(finding(diagnostic), err=True, nl=False)
    if loaded.scenario is None:
        return 1
    scenario = loaded.scenario
    if only and only not in scenario.versions:
        raise UsageError(f"{file} is not for {only}, but for {', '.join(scenario.versions)}")
    versions = (only,) if only else scenario.versions
    if output is not None and len(versions) > 1:
        raise UsageError(f"{file} makes {len(versions)} recordings; name one version with --version, or leave out -o")
    places = {version: output or _place(file, scenario, version) for version in versions}
    return max([_played(scenario, version, place, name) for version, place in places.items()])


def _place(file: Path, scenario: Scenario, version: str) -> Path:
    """Beside the other recordings: in the folder above that of the scenarios."""
    above = file.absolute().parent
    return (above.parent if above.name == "scenarios" else above) / f"{version}-{scenario.flow}.yaml"


def _played(scenario: Scenario, version: str, file: Path, name: str) -> int:
    """Play one version of a scenario in the lab of that name, else in one that is started for it."""
    from contextlib import nullcontext

    from kartatest.cluster import lab as labs
    from kartatest.cluster.live import lab_for, run
    from kartatest.recording.write import write

    def told(line: str) -> None:
        click.echo(line, err=True)

    with nullcontext(labs.attach(name)) if name else lab_for(scenario, version, say=told) as lab:
        played = run(scenario, version, lab, told=told)
    for fault in played.faults:
        told(f"karta: {scenario.file}, {version}: {fault}")
    if played.faults or played.recording is None:
        return 1
    write(played.recording, file)
    told(f"karta: {_counted(len(played.recording.frames), 'frame')} in {file}, {played.seconds:.1f} s")
    return 0


@contextmanager
def _terminated() -> Iterator[None]:
    """Within, to be told to end (SIGTERM) is as Ctrl-C, so that what was started is stopped, what was seen written."""
    if not hasattr(signal, "SIGTERM"):  # pragma: no cover
        yield
        return

    def interrupt(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
