"""karta snapshot: write, check, compare and clear out the goldens of recordings."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kartatest.cli import lookup, recordings
from kartatest.errors import NothingFoundError, UsageError

if TYPE_CHECKING:
    from kartatest.golden.files import Change
    from kartatest.recording.model import Recording

_PATHS = click.argument("paths", nargs=-1, metavar="[PATH...]")


@click.group("snapshot", epilog="Example: karta snapshot check fixtures/")
def command() -> None:
    """Goldens: what a definition reads in a recording, kept beside it as <name>.golden.

    Without PATH the folder fixtures/ is meant.
    """


def _goldens(paths: Sequence[str], definitions: Sequence[Path]) -> tuple[list[tuple[Recording, str]], bool]:
    """Recordings with the text that their goldens should hold, and whether something in the files is wrong."""
    from kartatest import golden

    found = recordings.find(_or_fixtures(paths), definitions)
    return [(recording, golden.text(definition, recording)) for definition, recording in found.pairs], found.failed


def _or_fixtures(paths: Sequence[str]) -> Sequence[str]:
    if recordings.STDIN in paths:
        raise UsageError("goldens lie beside files, so - cannot be given; name a file or a folder")
    if not paths and not Path("fixtures").is_dir():
        raise UsageError("there is no folder fixtures here; name a file or a folder with recordings")
    return paths or ("fixtures",)


def _with_recordings(function: Callable[..., int]) -> Callable[..., Any]:
    return _PATHS(lookup.DEFINITION_OPTION(function))


@command.command("update", epilog="Example: karta snapshot update fixtures/jobset-x-k8s-io-jobset-v1alpha2")
@_with_recordings
def update(*, paths: tuple[str, ...], definitions: tuple[Path, ...]) -> int:
    """Write the goldens, and name those that are new or changed. Refused when CI is set."""
    from kartatest.golden import files

    if os.environ.get("CI"):
        raise UsageError("goldens are not written when CI is set; run this where you can read the diff")
    goldens, failed = _goldens(paths, definitions)
    changes: list[Change] = []
    for recording, text in goldens:
        changes.append(files.update(recording, text))
        if changes[-1] is not files.Change.SAME:
            sys.stdout.write(f"{changes[-1].value}  {files.path(recording)}\n")
    counts = [f"{n} {kind.value}" for kind in files.Change if (n := changes.count(kind))]
    click.echo(", ".join(counts), err=True)
    return int(failed)


@command.command("check", epilog="Example: karta snapshot check fixtures/")
@_with_recordings
def check(*, paths: tuple[str, ...], definitions: tuple[Path, ...]) -> int:
    """Name the goldens that are missing or differ. The exit code is 1 when there are any."""
    return _compared(paths, definitions, with_diff=False)


@command.command("diff", epilog="Example: karta snapshot diff fixtures/ | less")
@_with_recordings
def diff(*, paths: tuple[str, ...], definitions: tuple[Path, ...]) -> int:
    """Show how the goldens would change. The exit code is 1 when they would."""
    return _compared(paths, definitions, with_diff=True)


def _compared(paths: Sequence[str], definitions: Sequence[Path], *, with_diff: bool) -> int:
    from kartatest import golden
    from kartatest.golden import files

    goldens, failed = _goldens(paths, definitions)
    wrong = 0
    for recording, text in goldens:
        old = files.read(recording)
        if old == text:
            continue
        wrong += 1
        if with_diff:
            sys.stdout.write(golden.diff(old or "", text, str(files.path(recording))))
        else:
            sys.stdout.write(f"{'missing' if old is None else 'differs'}  {files.path(recording)}\n")
    same = len(goldens) - wrong
    click.echo(f"{same} as they should be, {wrong} not" if wrong else f"{same} as they should be", err=True)
    return int(failed or wrong > 0)


@command.command("prune", epilog="Example: karta snapshot prune fixtures/ --yes")
@click.argument("paths", nargs=-1, metavar="[PATH...]", type=click.Path(exists=True, file_okay=False))
@click.option("--yes", is_flag=True, help="Remove them; without it they are only listed.")
def prune(*, paths: tuple[str, ...], yes: bool) -> int:
    """List the goldens whose recording is gone; --yes removes them.

    Without --yes the exit code is 1 when there are any.
    """
    from kartatest.golden.files import SUFFIX, orphans
    from kartatest.recording.find import files, load_file

    folders = [Path(p) for p in _or_fixtures(paths)]
    known = [r for file in files(folders) for r in load_file(file).recordings]
    stale = [golden for folder in folders for golden in orphans(folder, known)]
    if not known and not any(golden for f in folders for golden in f.rglob(f"*{SUFFIX}")):
        raise NothingFoundError(f"no recording and no golden in {', '.join(map(str, folders))}")
    for golden in dict.fromkeys(stale):
        if yes:
            golden.unlink(missing_ok=True)
        sys.stdout.write(f"{'removed' if yes else 'stale'}  {golden}\n")
    if stale and not yes:
        click.echo("--yes removes them", err=True)
    return int(bool(stale) and not yes)
