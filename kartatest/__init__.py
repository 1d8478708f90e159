"""Definitions of Kubernetes workload types, tested like code.

    import kartatest

    definition = kartatest.load("jobset.yaml")    # a Definition; KartaError says what is wrong with the file
    tree = definition.resolve(obj, pods=pods)     # a Tree, for every object
    tree.statuses, tree.component("worker").instances, kartatest.totals(tree).desired
    definition.edit(obj).set_scheduler_name("kai-scheduler").suspend().obj

`definition_for(obj)` gives the built-in definition for an object, `catalog.find(gvk)` the one for a kind. `gang` tells
the pod groups of a workload. A `KartaError` says what to do about a call that cannot work. Nothing heavy is imported
before it is used. docs/library.md shows more.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers take it; typing alone would be most of what this import costs
if TYPE_CHECKING:
    from os import PathLike
    from typing import Any

    from kartatest import catalog, edit, gang
    from kartatest.definition.model import Definition, Gvk, Status
    from kartatest.errors import KartaError
    from kartatest.recording.model import Recording
    from kartatest.resolve.model import Tree
    from kartatest.resolve.totals import totals
    from kartatest.resolve.tree import resolve
    from kartatest.source import JsonObject

__version__ = "0.1.0.dev0"
__all__ = [
    "Definition",
    "Gvk",
    "KartaError",
    "Status",
    "Tree",
    "__version__",
    "catalog",
    "definition_for",
    "edit",
    "gang",
    "load",
    "load_recording",
    "resolve",
    "totals",
]


def load(path: str | PathLike[str]) -> Definition:
    """The one definition in a file. Findings that leave it readable are the linter's to tell.

    Raises FileError when the file cannot be read or holds no definition, or several.
    """
    from kartatest.definition.load import load_file
    from kartatest.errors import FileError

    loaded = load_file(str(path))
    if len(loaded.items) == 1:
        return loaded.items[0].definition
    if loaded.items:
        raise FileError(f"{path} holds {len(loaded.items)} definitions, not one")
    why = f": {loaded.diagnostics[0].message}" if loaded.diagnostics else ""
    raise FileError(f"there is no definition in {path}{why}")


def load_recording(path: str | PathLike[str]) -> Recording:
    """The one recording in a file: one of ours, or the states of one object as kubectl prints or watches them.

    Raises FileError when the file cannot be read, or holds no object, or several.
    """
    from kartatest.diagnostics import Diagnostic
    from kartatest.errors import FileError
    from kartatest.recording.load import load as load_recordings
    from kartatest.yamlpos import read

    source = read(str(path))
    if isinstance(source, Diagnostic):
        raise FileError(f"cannot read {path}: {source.message}")
    loaded = load_recordings(source)
    if len(loaded.recordings) == 1:
        return loaded.recordings[0]
    if loaded.recordings:
        raise FileError(f"{path} holds {len(loaded.recordings)} recordings, not one")
    why = f": {loaded.diagnostics[0].message}" if loaded.diagnostics else ""
    raise FileError(f"there is no recording in {path}{why}")


def definition_for(obj: JsonObject) -> Definition:
    """The built-in definition for an object, by its group, kind and version. Raises NothingFoundError without one."""
    from kartatest import catalog
    from kartatest.definition.model import Gvk

    gvk = Gvk.of(obj)
    found = catalog.find(gvk)
    if found is None:
        raise catalog.absent(gvk)
    return found


_PLACES = {
    "Definition": "kartatest.definition.model:Definition",
    "Gvk": "kartatest.definition.model:Gvk",
    "KartaError": "kartatest.errors:KartaError",
    "Status": "kartatest.definition.model:Status",
    "Tree": "kartatest.resolve.model:Tree",
    "catalog": "kartatest.catalog:",
    "edit": "kartatest.edit:",
    "gang": "kartatest.gang:",
    "resolve": "kartatest.resolve:",  # the package, which can be called
    "totals": "kartatest.resolve.totals:totals",
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module, _, member = _PLACES[name].partition(":")
    found = import_module(module)
    return getattr(found, member) if member else found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
