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
    from kartatest.diagnostics import Diagnostic
    from kartatest.recording.load import Loaded as LoadedRecordings
    from kartatest.recording.model import Recording

SUFFIXES = (".yaml", ".yml")


@dataclass
class State:
    """declared: absolute paths of the definitions' files. root: of the project, above which nothing is looked for.

    collected: files whose definitions were collected, declared or not. summary: lines for the end of the run.
    """

    declared: tuple[Path, ...] = ()
    root: Path = Path()
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

            self._definitions[file] = load_file(file, name=shown(file))
        return self._definitions[file]

    @property
    def files(self) -> tuple[Path, ...]:
        """All files whose definitions take part, in the order in which they were named."""
        return tuple(dict.fromkeys([*self.declared, *self.collected]))

    @cached_property
    def _recordings(self) -> dict[Path, LoadedRecordings]:
        return {}

    def recording_files(self, file: Path, definitions: tuple[Definition, ...]) -> tuple[Path, ...]:
        """Files where recordings for the definitions of a file may be: those beside it that name their kind first."""
        from kartatest.lint import config
        from kartatest.recording.find import files

        names = [file.stem, *(d.name for d in definitions if d.name)]
        chosen = self.fixtures or config.find(file.parent).fixtures
        if chosen is not None:
            found = list(files(_narrowed(chosen, names) or [chosen]))
        else:
            above = [p / "fixtures" for p in file.parents if p == file.parent or p.is_relative_to(self.root)]
            fixtures = [f for f in above if f.is_dir()][:1]
            folders = [*_narrowed(file.parent, names), *(_narrowed(fixtures[0], names) or fixtures if fixtures else [])]
            found = [*_beside(file, definitions), *files(folders)]
        return tuple(dict.fromkeys(f for f in found if f not in self.files))

    def scenario_files(self, file: Path, definition: Definition) -> tuple[Path, ...]:
        """Files with scenarios for a definition: in `scenarios` beside its recordings, or beside the definition."""
        from kartatest.cluster.scenario import files
        from kartatest.lint import config

        names = [file.stem, *([definition.name] if definition.name else [])]
        chosen = self.fixtures or config.find(file.parent).fixtures
        above = [p / "fixtures" for p in file.parents if p == file.parent or p.is_relative_to(self.root)]
        roots = [chosen] if chosen is not None else [file.parent, *[f for f in above if f.is_dir()][:1]]
        folders = [folder for root in roots for folder in (root, *_narrowed(root, names))]
        return tuple(dict.fromkeys(found for folder in folders for found in files(folder)))

    def faults(self, file: Path, recordings: Path) -> tuple[Diagnostic, ...]:
        """What is wrong in a file that may hold recordings for a definition's file.

        Of a file beside the definition, which may be anything, only what is wrong with it as a recording.
        """
        found = self.read(recordings).diagnostics
        if recordings.parent != file.parent:
            return found
        from kartatest.recording.codes import LOADING_CODES

        own = {code.code for code in LOADING_CODES}
        return tuple(d for d in found if d.code in own)

    def read(self, file: Path) -> LoadedRecordings:
        """The recordings in a file, read once."""
        if file not in self._recordings:
            from kartatest.recording.find import load_file

            self._recordings[file] = load_file(file, name=shown(file))
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
    """The state of a run; the definitions of --karta-def are added to the arguments that pytest collects.

    Not added are files that stand among the arguments already, and all of them when the arguments were chosen by hand
    while --karta-def comes from the project's settings.
    """
    declared: list[Path] = []
    for given in config.option.karta_def:
        path = _placed(config, given)
        if path is None:
            raise pytest.UsageError(f"--karta-def: {given} does not exist")
        inside = sorted(path.iterdir()) if path.is_dir() else [path]
        declared += [f for f in inside if f.is_file() and (f == path or f.suffix in SUFFIXES)]
    fixtures = None
    if config.option.karta_fixtures is not None:
        fixtures = _placed(config, config.option.karta_fixtures)
        if fixtures is None or not fixtures.is_dir():
            raise pytest.UsageError(f"--karta-fixtures: {config.option.karta_fixtures} is no folder")
        config.option.karta_fixtures = str(fixtures)
    config.option.karta_def = [str(p) for p in declared]  # xdist's workers may have another current folder
    if not hasattr(config, "workerinput") and _adds(config):
        named = {_placed(config, arg.split("::")[0]) for arg in config.args}
        config.args = [*config.args, *(str(p) for p in declared if p not in named)]
    return State(tuple(dict.fromkeys(declared)), config.rootpath, fixtures, bool(config.option.karta_update))


def _placed(config: pytest.Config, given: str) -> Path | None:
    """A path as given on the command line, else as the settings mean it, from the root; None when nothing is there."""
    for base in (config.invocation_params.dir, config.rootpath):
        path = Path(os.path.normpath(base / given))
        if path.exists():
            return path
    return None


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


def _beside(file: Path, definitions: tuple[Definition, ...]) -> list[Path]:
    """YAML and JSON files in the folder of a definition that name a kind which it describes."""
    kinds = [d.root.kind.kind for d in definitions if d.root.kind and d.root.kind.kind]
    found = []
    for path in sorted(file.parent.iterdir()):
        if path != file and path.suffix in (*SUFFIXES, ".json") and path.is_file():
            text = path.read_bytes()
            if any(kind.encode() in text for kind in kinds):
                found.append(path)
    return found


def _narrowed(folder: Path, names: list[str]) -> list[Path]:
    """The folders below folder that are named for one of the definitions."""
    return [folder / name for name in dict.fromkeys(names) if "/" not in name and (folder / name).is_dir()]


def shown(file: Path) -> str:
    """A file's path from the current folder; the whole path where it is not below that."""
    relative = os.path.relpath(file)
    return str(file) if relative.startswith("..") else relative
