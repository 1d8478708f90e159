"""What the fixtures hand to tests: functions that load by short names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from kartatest.errors import FileError, NothingFoundError, UsageError
from kartatest.source import JsonObject

if TYPE_CHECKING:
    from kartatest.definition.model import Definition
    from kartatest.pytest_plugin.state import State
    from kartatest.recording.model import Recording
    from kartatest.resolve.model import Tree


_T = TypeVar("_T")


def definitions(here: Path, root: Path, state: State | None) -> Callable[..., Definition]:
    """A function from a file, or the name of a built-in definition, to the definition."""

    def definition(what: str | Path | None = None) -> Definition:
        """The definition. Files are looked for beside the test, then from the root of the project."""
        if what is None:
            found = [i.definition for file in state.files for i in state.loaded(file).items] if state else []
            return _only(found, "--karta-def", "give a file or a catalog name, or run with one --karta-def")
        from kartatest.data import folder
        from kartatest.definition.load import load_file

        built_in = folder("catalog") / f"{what}.yaml"
        file = built_in if built_in.is_file() else _file(what, here, root)
        return _only([i.definition for i in load_file(file).items], str(what), "a file with one definition is needed")

    return definition


def recordings(here: Path, root: Path) -> Callable[[str | Path], Recording]:
    """A function from a file to the one recording in it."""

    def recording(what: str | Path) -> Recording:
        """The recording. Files are looked for beside the test, then from the root of the project."""
        from kartatest.recording.find import load_file
        from kartatest.report.text import finding

        loaded = load_file(_file(what, here, root))
        if not loaded.recordings and loaded.diagnostics:
            raise FileError("".join(finding(d) for d in loaded.diagnostics))
        return _only(list(loaded.recordings), str(what), "a file with one recording is needed")

    return recording


def resolver(definition: Callable[..., Definition]) -> Callable[..., Tree]:
    """A function from an object to its tree."""

    def resolve(
        obj: JsonObject,
        what: Definition | str | Path | None = None,
        *,
        pods: Sequence[JsonObject] = (),
        owners: Sequence[JsonObject] = (),
    ) -> Tree:
        """The tree of the object by a definition, a file, a catalog name, or the one definition of the run."""
        from kartatest.definition.model import Definition as Model
        from kartatest.resolve.tree import resolve as resolved

        chosen = what if isinstance(what, Model) else definition(what)
        return resolved(chosen, obj, pods=pods, owners=owners)

    return resolve


def _file(what: str | Path, here: Path, root: Path) -> Path:
    for base in (here, root):
        if (base / what).is_file():
            return base / what
    raise FileError(f"there is no {what} beside the test or below {root}")


def _only(found: list[_T], where: str, wanted: str) -> _T:
    if not found:
        raise NothingFoundError(f"{where}: nothing found; {wanted}")
    if len(found) > 1:
        raise UsageError(f"{where}: {len(found)} found; {wanted}")
    return found[0]
