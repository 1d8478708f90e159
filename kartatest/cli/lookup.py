"""Which definition is meant: one given by hand, else the built-in one of the object's kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kartatest.data import folder
from kartatest.definition.model import Definition, Gvk
from kartatest.errors import FileError, NothingFoundError
from kartatest.source import Source


@dataclass(frozen=True, slots=True)
class Choice:
    """The definition, and what the user should know about the choice: "" where it fits exactly."""

    definition: Definition
    warning: str = ""


def given(files: Sequence[Path]) -> tuple[Definition, ...]:
    """The definitions in these files, in order. Raises FileError for a file without one."""
    found: list[Definition] = []
    for file in files:
        here = tuple(_load(file))
        if not here:
            raise FileError(f"there is no definition in {file}")
        found += here
    return tuple(found)


def definition_for(gvk: Gvk, definitions: Sequence[Definition] = (), *, name: str = "") -> Choice:
    """The definition for objects of that kind: of the given ones first, then of the catalog.

    name is a catalog name that the file itself states, and is asked when no kind fits. Another version of the kind
    serves too, with a warning (Q46). Raises NothingFoundError with the nearest names.
    """
    choice = _fitting(gvk, definitions) or _fitting(gvk, tuple(_of_kind(gvk)))
    if choice is None and name:
        choice = next((Choice(d) for d in (*definitions, *_named(name)) if d.name == name), None)
    if choice is not None:
        return choice
    near = _near(gvk)
    shown = f"; the nearest are {', '.join(near)}" if near else ""
    raise NothingFoundError(f"there is no definition for {gvk}{shown}; give one with --definition FILE")


def _fitting(gvk: Gvk, definitions: Sequence[Definition]) -> Choice | None:
    same_kind = [
        d for d in definitions if (k := d.root.kind) is not None and (k.group, k.kind) == (gvk.group, gvk.kind)
    ]
    for definition in same_kind:
        if definition.root.kind == gvk:
            return Choice(definition)
    for definition in same_kind:
        kind = definition.root.kind
        return Choice(
            definition, f"{definition.name!r} describes {kind}, the object is {gvk}; what it reads may be wrong"
        )
    return None


def _of_kind(gvk: Gvk) -> Iterator[Definition]:
    """Catalog entries of the kind, found by their file names, which say group, kind and version."""
    stem = f"{gvk.group.replace('.', '-') or 'core'}-{gvk.kind.lower()}-"
    exact = folder("catalog") / f"{stem}{gvk.version}.yaml"
    if exact.is_file():
        yield from _load(exact)
        return
    for name in reversed(_names()):
        if name.startswith(stem) and "-" not in name[len(stem) :]:
            yield from _load(folder("catalog") / f"{name}.yaml")


def _named(name: str) -> Iterator[Definition]:
    if name in _names():
        yield from _load(folder("catalog") / f"{name}.yaml")


def _names() -> list[str]:
    catalog = folder("catalog")
    return sorted(f.stem for f in catalog.glob("*.yaml")) if catalog.is_dir() else []


def _near(gvk: Gvk) -> list[str]:
    from difflib import get_close_matches

    names = _names()
    kinds: dict[str, str] = {name.rsplit("-", 2)[-2]: name for name in names if name.count("-") >= 2}
    by_kind = [kinds[k] for k in get_close_matches(gvk.kind.lower(), kinds, n=3)]
    stem = f"{gvk.group.replace('.', '-') or 'core'}-{gvk.kind.lower()}-{gvk.version}"
    return list(dict.fromkeys([*by_kind, *get_close_matches(stem, names, n=2, cutoff=0.7)]))[:3]


def _load(file: Path) -> Iterator[Definition]:
    from kartatest.definition.load import load
    from kartatest.yamlpos import read

    source = read(file)
    if not isinstance(source, Source):
        raise FileError(f"cannot read {file}: {source.message}")
    loaded = load(source)
    for item in loaded.items:
        yield item.definition
