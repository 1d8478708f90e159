"""The built-in definitions: one file per kind and version, found by name without reading the others."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from kartatest.data import folder
from kartatest.definition.model import Gvk

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


def find(gvk: Gvk) -> LoadedDefinition | None:
    """The built-in definition of exactly this kind and version; None when there is none."""
    name = name_of(gvk)
    if not gvk.kind or not re.fullmatch(r"[a-z0-9-]+", name):
        return None
    loaded = by_name(name)
    return loaded if loaded is not None and loaded.definition.root.kind == gvk else None


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
