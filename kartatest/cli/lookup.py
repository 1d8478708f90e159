"""Which definition is meant: one given by hand, else the built-in one of the object's kind."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from kartatest import catalog
from kartatest.definition.model import Definition, Gvk
from kartatest.errors import FileError, NothingFoundError


class Choice(NamedTuple):
    """The definition, and what the user should know about the choice: "" where it fits exactly."""

    definition: Definition
    warning: str = ""


def given(files: Sequence[Path]) -> tuple[Definition, ...]:
    """The definitions in these files, in order; faults in a file are counted on stderr.

    Raises FileError for a file without a definition.
    """
    import click

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


def definition_for(gvk: Gvk, definitions: Sequence[Definition] = (), *, name: str = "") -> Choice:
    """The definition for objects of that kind: of the given ones first, then of the catalog.

    name is what the file itself states, and is asked when no kind fits. Another version of the kind serves too, with a
    warning (Q46). Raises NothingFoundError with the nearest names.
    """
    choice = _fitting(gvk, definitions) or _fitting(gvk, _built_in(gvk))
    if choice is None and name:
        stated = catalog.by_name(name)
        every = (*definitions, *((stated.definition,) if stated is not None else ()))
        choice = next((Choice(d) for d in every if d.name == name), None)
    if choice is not None:
        return choice
    near = _near(gvk)
    shown = f"; near are {', '.join(near)}" if near else ""
    raise NothingFoundError(f"there is no definition for {gvk}{shown}; give one with --definition FILE")


def _fitting(gvk: Gvk, definitions: Sequence[Definition]) -> Choice | None:
    kinds = [(d, d.root.kind) for d in definitions if d.root.kind is not None]
    for definition, kind in kinds:
        if kind == gvk:
            return Choice(definition)
    for definition, kind in kinds:
        if (kind.group, kind.kind) == (gvk.group, gvk.kind):
            warning = f"{definition.name!r} describes {kind}, but the object is {gvk}; what it reads may be wrong"
            return Choice(definition, warning)
    return None


def _built_in(gvk: Gvk) -> tuple[Definition, ...]:
    found = catalog.find(gvk)
    if found is not None:
        return (found.definition,)
    others = (catalog.by_name(name) for name in catalog.other_versions(gvk))
    return tuple(other.definition for other in others if other is not None)


def _near(gvk: Gvk) -> list[str]:
    """At most three catalog names: those whose kind is spelt alike, then those whose whole name is."""
    from difflib import get_close_matches

    names = catalog.names()
    by_kind: dict[str, list[str]] = {}
    for name in names:
        by_kind.setdefault(name.rpartition("-")[0].rpartition("-")[2], []).append(name)
    alike = [name for kind in get_close_matches(gvk.kind.lower(), by_kind, n=3) for name in by_kind[kind]]
    return list(dict.fromkeys([*alike, *get_close_matches(catalog.name_of(gvk), names, n=2, cutoff=0.7)]))[:3]
