"""Definitions that a call gives by hand, and the choice between them and the built-in ones."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from kartatest import catalog
from kartatest.definition.model import Definition, Gvk
from kartatest.errors import FileError, NothingFoundError

DEFINITION_OPTION = click.option(
    "--definition",
    "definitions",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="A definition to use before the built-in ones. Repeatable.",
)


def given(files: Sequence[Path]) -> tuple[Definition, ...]:
    """The definitions in these files, in order; faults in a file are counted on stderr.

    Raises FileError for a file without a definition.
    """
    from kartatest.definition.load import load_file
    from kartatest.diagnostics import Severity

    found: list[Definition] = []
    for file in files:
        loaded = load_file(file)
        if not loaded.items:
            why = f": {loaded.diagnostics[0].message}" if loaded.diagnostics else ""
            raise FileError(f"there is no definition in {file}{why}")
        faults = sum(d.severity is Severity.ERROR for d in loaded.diagnostics)
        if faults:
            click.echo(f"karta: {faults} {'fault' if faults == 1 else 'faults'} in {file}, see karta lint", err=True)
        found += (item.definition for item in loaded.items)
    return tuple(found)


def definition_for(gvk: Gvk, definitions: Sequence[Definition] = (), *, name: str = "") -> catalog.Choice:
    """`catalog.definition_for`, whose error says what a call can do about it."""
    try:
        return catalog.definition_for(gvk, definitions, name=name)
    except NothingFoundError as error:
        raise NothingFoundError(f"{error}; give one with --definition FILE") from None
