"""The built-in definitions: one file per kind and version, found by name without reading the others."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, NamedTuple

from kartatest.data import folder
from kartatest.definition.model import Definition, Gvk
from kartatest.errors import NothingFoundError

if TYPE_CHECKING:
    from kartatest.definition.load import LoadedDefinition

_NAME = re.compile(r"(?P<group>.+)-(?P<kind>[a-z0-9]+)-(?P<version>v[0-9]+(?:(?:alpha|beta)[0-9]+)?)")
_VERSION = re.compile(r"v([0-9]+)(?:(alpha|beta)([0-9]+))?")
_SHORT_NAMES = {
    "cj": "cronjob",
    "deploy": "deployment",
    "isvc": "inferenceservice",
    "ksvc": "service",
    "lws": "leaderworkerset",
    "po": "pod",
    "sts": "statefulset",
}


def name_of(gvk: Gvk) -> str:
    """The name of a kind's definition: "batch-job-v1"; the core group reads "core" (semantics 1.5)."""
    return f"{gvk.group.replace('.', '-') or 'core'}-{gvk.kind}-{gvk.version}".lower()


def paths() -> tuple[Path, ...]:
    """The files of the catalog, by name."""
    where = folder("catalog")
    return tuple(sorted(where.glob("*.yaml"))) if where.is_dir() else ()


def names() -> tuple[str, ...]:
    """The names of the built-in definitions, sorted: "batch-job-v1"."""
    return tuple(path.stem for path in paths())


def find(gvk: Gvk) -> Definition | None:
    """The built-in definition of exactly this kind and version; None when there is none."""
    name = name_of(gvk)
    if not gvk.kind or not re.fullmatch(r"[a-z0-9-]+", name):
        return None
    loaded = by_name(name)
    return loaded.definition if loaded is not None and loaded.definition.root.kind == gvk else None


def by_name(name: str) -> LoadedDefinition | None:
    """The built-in definition of this name, read once; None when there is none."""
    path = folder("catalog") / f"{name}.yaml"
    return _loaded(path) if path.parent == folder("catalog") and path.is_file() else None


def named(token: str) -> tuple[LoadedDefinition, ...]:
    """Built-in definitions that a word on the command line means, the most stable version first; () when none.

    A word is a kind in any case, its plural or usual short name, either with its group or version and group behind a
    dot ("jobsets.jobset.x-k8s.io", "jobsets.v1alpha2.jobset.x-k8s.io"), or the name of a definition.
    """
    found = [name for name in names() if _means(token, name)]
    found.sort(key=lambda name: (_parts(name)[0], _rank(_parts(name)[2])))
    return tuple(loaded for name in found if (loaded := by_name(name)) is not None)


def other_versions(gvk: Gvk) -> tuple[str, ...]:
    """Names of built-in definitions for the same group and kind in another version, the most stable first."""
    wanted = name_of(Gvk(gvk.group, "", gvk.kind))
    found = [name for name in names() if name.rpartition("-")[0] + "-" == wanted and name != name_of(gvk)]
    return tuple(sorted(found, key=lambda name: _rank(_parts(name)[2])))


class Choice(NamedTuple):
    """A definition, and what the user should know about the choice: "" where it describes exactly the kind."""

    definition: Definition
    warning: str = ""


def definition_for(gvk: Gvk, given: Iterable[Definition] = (), *, name: str = "") -> Choice:
    """The definition for objects of a kind: of those given, else of the built-in ones.

    name is what a recording states, "" for nothing. What `fitting` finds among the given comes first, then the built-in
    definition of that name, of exactly that kind, of that kind in its most stable version. Raises NothingFoundError
    with the nearest names.
    """
    found = fitting(gvk, given, name=name)
    if found is None:
        named = by_name(name) if name else None
        found = named.definition if named is not None else find(gvk)
    if found is None:
        kin = next((by_name(other) for other in other_versions(gvk)), None)
        if kin is None:
            raise absent(gvk)
        found = kin.definition
    kind = found.root.kind
    if kind is None or kind == gvk:
        return Choice(found)
    return Choice(found, f"{found.name!r} describes {kind}, but the object is {gvk}; what it reads may be wrong")


def fitting(gvk: Gvk, definitions: Iterable[Definition], *, name: str = "") -> Definition | None:
    """The first of that name, else for exactly that kind, else for it in the most stable other version; or None.

    A name is a definition's metadata.name or the stem of its file. Another version serves where there is none of the
    object's own (Q46); whether that is wanted, the caller decides.
    """
    every = list(definitions)
    named = [d for d in every if name and name in (d.name, PurePath(d.file).stem)]
    kin = [d for d in every if gvk.kind and (k := d.root.kind) and (k.group, k.kind) == (gvk.group, gvk.kind)]
    kin.sort(key=lambda d: (d.root.kind != gvk, _rank(d.root.kind.version if d.root.kind else "")))
    return next(iter([*named, *kin]), None)


def absent(gvk: Gvk) -> NothingFoundError:
    """That no definition is there for a kind, with at most three names that are near."""
    if not gvk.kind:
        return NothingFoundError("there is no definition for an object without a kind")
    near = list(dict.fromkeys([*other_versions(gvk), *_near(gvk)]))[:3]
    shown = f"; near are {', '.join(near)}" if near else ""
    return NothingFoundError(f"there is no definition for {str(gvk).strip()}{shown}")


def _near(gvk: Gvk) -> list[str]:
    """Names whose kind is spelt alike, then those whose whole name is."""
    from difflib import get_close_matches

    every = names()
    by_kind: dict[str, list[str]] = {}
    for name in every:
        by_kind.setdefault(_parts(name)[1], []).append(name)
    alike = [name for kind in get_close_matches(gvk.kind.lower(), by_kind, n=3) for name in by_kind[kind]]
    return [*alike, *get_close_matches(name_of(gvk), every, n=2, cutoff=0.7)]


def _means(token: str, name: str) -> bool:
    if token == name:
        return True
    group, kind, version = _parts(name)
    word, _, rest = token.lower().partition(".")
    if kind not in {word, _SHORT_NAMES.get(word), *_singulars(word)}:
        return False
    rest = rest.replace(".", "-")
    return rest in ("", group, f"{version}-{group}", version if group == "core" else group)


def _singulars(word: str) -> set[str]:
    """What a word may be the plural of."""
    found = {word[:-1]} if word.endswith("s") else set()
    if word.endswith("es"):
        found.add(word[:-2])
    if word.endswith("ies"):
        found.add(word[:-3] + "y")
    return found


def _parts(name: str) -> tuple[str, str, str]:
    """Group (with - for .), kind and version in a definition's name; the whole name as the kind when it has none."""
    match = _NAME.fullmatch(name)
    return (match["group"], match["kind"], match["version"]) if match else ("", name, "")


def _rank(version: str) -> tuple[int, int, int]:
    """Sorts versions as Kubernetes does, the most stable and newest first."""
    match = _VERSION.fullmatch(version)
    if match is None:
        return (9, 0, 0)
    stage = {None: 0, "beta": 1, "alpha": 2}[match[2]]
    return (stage, -int(match[1]), -int(match[3] or 0))


@cache
def _loaded(path: Path) -> LoadedDefinition:
    from kartatest.definition.load import load_file

    loaded = load_file(path)
    if not loaded.items:
        raise ValueError(f"the built-in definition {path.name} cannot be read: {loaded.diagnostics[0].message}")
    return loaded.items[0]
