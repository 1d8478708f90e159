"""Recordings that a call names, each with its definition."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click

from kartatest.cli import lookup
from kartatest.definition.model import Definition, Gvk
from kartatest.diagnostics import Diagnostic, Severity
from kartatest.errors import NothingFoundError
from kartatest.recording.load import Loaded, load
from kartatest.recording.model import Recording
from kartatest.source import Source

STDIN = "-"


@dataclass
class Found:
    """What the paths hold. pairs are in the order of the paths; failed: something in the files is wrong."""

    pairs: list[tuple[Definition, Recording]] = field(default_factory=list)
    without: list[str] = field(default_factory=list)
    failed: bool = False


def find(paths: Sequence[str], definitions: Sequence[Path]) -> Found:
    """Load all recordings below the paths and choose their definitions: of those given first, else of the catalog.

    Tells on stderr what is wrong in the files and which objects have no definition. Raises NothingFoundError when no
    recording is left to look at, unless something in the files is wrong.
    """
    given = lookup.given(definitions)
    found = Found()
    for loaded in _loaded(paths):
        found.failed = _told(loaded.diagnostics) or found.failed
        for recording in loaded.recordings:
            _pair(found, recording, given)
    for message in dict.fromkeys(found.without):
        click.echo(f"karta: {message}", err=True)
    if not found.pairs and not found.failed:
        if found.without:
            raise NothingFoundError("no recording has a definition")
        where = ", ".join(paths)
        raise NothingFoundError(f"no object in {where}; name recordings or manifests, and definitions by --definition")
    return found


def _loaded(paths: Sequence[str]) -> list[Loaded]:
    from kartatest.recording.find import files, load_file
    from kartatest.yamlpos import decoded

    result: list[Loaded] = []
    for path in paths:
        if path == STDIN:
            source = decoded(sys.stdin.buffer.read(), "<stdin>")
            result.append(load(source) if isinstance(source, Source) else Loaded((), (source,)))
        else:
            result += [load_file(file) for file in files([Path(path)])]
    return result


def _told(diagnostics: Sequence[Diagnostic]) -> bool:
    """Print the findings; whether one is an error."""
    from kartatest.report.text import finding

    for diagnostic in diagnostics:
        click.echo(finding(diagnostic), err=True, nl=False)
    return any(d.severity >= Severity.ERROR for d in diagnostics)


def _pair(found: Found, recording: Recording, given: Sequence[Definition]) -> None:
    gvk = Gvk.of(recording.frames[0].obj) if recording.frames else Gvk("", "", "")
    try:
        choice = lookup.definition_for(gvk, given, name=recording.definition)
    except NothingFoundError as error:
        found.without.append(str(error))
        return
    if choice.warning:
        click.echo(f"karta: {choice.warning}", err=True)
    found.pairs.append((choice.definition, recording))
