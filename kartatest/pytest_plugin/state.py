"""What one pytest run knows: which definitions it checks, and the recordings that belong to them."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from kartatest.definition.load import Loaded
    from kartatest.definition.model import Definition
    from kartatest.recording.load import Loaded as LoadedRecordings
    from kartatest.recording.model import Recording

SUFFIXES = (".yaml", ".yml")


@dataclass
class State:
    """declared: absolute paths of the definitions' files. summary: lines for the end of the run."""

    declared: tuple[Path, ...] = ()
    fixtures: Path | None = None
    update: bool = False
    summary: list[str] = field(default_factory=list)
    collected: list[Path] = field(default_factory=list)

    def wants(self, file: Path, *, named: bool) -> bool:
        """Whether a file is to be checked: declared, or named on the command line and a definition."""
        return file in self.declared or (named and _is_definition(file))

    @cached_property
    def _definitions(self) -> dict[Path, Loaded]:
        return {}

    def loaded(self, file: Path) -> Loaded:
        """The definitions in a file, read once; shown by its path from the current folder."""
        if file not in self._definitions:
            from kartatest.definition.load import load_file

            self._definitions[file] = load_file(file, name=_shown(file))
        return self._definitions[file]

    @property
    def files(self) -> tuple[Path, ...]:
        """All files whose definitions take part, in the order in which they were named."""
        return tuple(dict.fromkeys([*self.declared, *self.collected]))

    @cached_property
    def _recordings(self) -> dict[Path, LoadedRecordings]:
        return {}

    def recording_files(self, file: Path, definitions: tuple[Definition, ...]) -> tuple[Path, ...]:
        """Files where recordings for the definitions of a file may be, without the file itself."""
        from kartatest.recording.find import files

        return tuple(dict.fromkeys(f for f in files(self._places(file, definitions)) if f not in self.files))

    def _places(self, file: Path, definitions: tuple[Definition, ...]) -> list[Path]:
        names = [file.stem, *(d.name for d in definitions if d.name)]
        if self.fixtures is not None:
            return _narrowed(self.fixtures, names) or [self.fixtures]
        beside = [p for p in sorted(file.parent.iterdir()) if p.suffix in (*SUFFIXES, ".json") and p.is_file()]
        own = _narrowed(file.parent, names)
        fixtures = next((p / "fixtures" for p in file.parents if (p / "fixtures").is_dir()), None)
        return [*beside, *own, *((_narrowed(fixtures, names) or [fixtures]) if fixtures else [])]

    def read(self, file: Path) -> LoadedRecordings:
        """The recordings in a file, read once."""
        if file not in self._recordings:
            from kartatest.recording.find import load_file

            self._recordings[file] = load_file(file, name=_shown(file))
        return self._recordings[file]

    def recordings(self, file: Path, definition: Definition) -> tuple[Recording, ...]:
        """The recordings that are for a definition, in the order of their files.

        One that names no definition of this run counts for the definition of its object's kind.
        """
        from kartatest.replay import choose

        own = tuple(item.definition for item in self.loaded(file).items)
        every = [*own, *(i.definition for other in self.files if other != file for i in self.loaded(other).items)]
        found = [r for path in self.recording_files(file, own) for r in self.read(path).recordings]
        return tuple(r for r in found if choose(r, every) is definition)


def configured(config: pytest.Config) -> State:
    """The state of a run with --karta-def; the definitions are added to the arguments that pytest collects.

    Not added are files that stand among the arguments already, and all of them when the arguments were chosen by hand
    while --karta-def comes from the project's settings.
    """
    base = config.invocation_params.dir
    declared: list[Path] = []
    for given in config.option.karta_def:
        path = Path(os.path.normpath(base / given))
        if path.is_dir():
            declared += sorted(f for f in path.iterdir() if f.suffix in SUFFIXES and f.is_file())
        elif path.is_file():
            declared.append(path)
        else:
            raise pytest.UsageError(f"--karta-def: {given} does not exist")
    fixtures = config.option.karta_fixtures
    if fixtures is not None:
        fixtures = Path(os.path.normpath(base / fixtures))
        if not fixtures.is_dir():
            raise pytest.UsageError(f"--karta-fixtures: {config.option.karta_fixtures} is no folder")
        config.option.karta_fixtures = str(fixtures)
    config.option.karta_def = [str(p) for p in declared]  # xdist's workers may have another current folder
    if not hasattr(config, "workerinput") and _adds(config):
        named = {Path(os.path.normpath(base / arg.split("::")[0])) for arg in config.args}
        config.args = [*config.args, *(str(p) for p in declared if p not in named)]
    return State(tuple(dict.fromkeys(declared)), fixtures, bool(config.option.karta_update))


def _adds(config: pytest.Config) -> bool:
    by_hand = any(arg.split("=")[0] == "--karta-def" for arg in map(str, config.invocation_params.args))
    return by_hand or config.args_source is not pytest.Config.ArgsSource.ARGS


def _is_definition(file: Path) -> bool:
    """Whether a YAML file says that it is a definition, by a look at its text."""
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeError):
        return False
    return "kind: Karta" in text or "kind: ResourceInterface" in text


def _narrowed(folder: Path, names: list[str]) -> list[Path]:
    """The folders below folder that are named for one of the definitions."""
    return [folder / name for name in dict.fromkeys(names) if "/" not in name and (folder / name).is_dir()]


def _shown(file: Path) -> str:
    relative = os.path.relpath(file)
    return str(file) if relative.startswith("..") else relative
