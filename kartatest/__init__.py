"""Definitions of Kubernetes workload types, tested like code.

    import kartatest

    definition = kartatest.load("jobset.yaml")          # a Definition; KartaError says what is wrong with the file
    tree = kartatest.resolve(definition, obj, pods=pods)  # a Tree, for every object
    tree.statuses, tree.component("worker").instances, kartatest.totals(tree).desired

`definition_for(obj)` gives the built-in definition for an object, `catalog` all of them. `edit` suspends, resumes and
changes an object through a definition, `gang` tells its pod groups. A `KartaError` says what to do about a call that
cannot work. Nothing heavy is imported before it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from os import PathLike

    from kartatest import catalog, edit, gang
    from kartatest.definition.model import Definition
    from kartatest.errors import KartaError
    from kartatest.resolve.totals import totals
    from kartatest.resolve.tree import resolve
    from kartatest.source import JsonObject

__version__ = "0.1.0.dev0"
__all__ = ["KartaError", "__version__", "catalog", "definition_for", "edit", "gang", "load", "resolve", "totals"]


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


def definition_for(obj: JsonObject) -> Definition:
    """The built-in definition for an object, by its group, kind and version. Raises NothingFoundError without one."""
    from kartatest import catalog
    from kartatest.definition.model import Gvk

    gvk = Gvk.of(obj)
    found = catalog.find(gvk)
    if found is None:
        raise catalog.absent(gvk)
    return found.definition


_PLACES = {
    "KartaError": "kartatest.errors:KartaError",
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
