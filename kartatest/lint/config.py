"""What a project says once for all calls: `karta.toml`, or `[tool.karta]` in `pyproject.toml`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

from kartatest.diagnostics import Severity
from kartatest.errors import FileError, UsageError
from kartatest.lint.rule import did_you_mean
from kartatest.lint.select import ALL, codes
from kartatest.source import Json


@dataclass(frozen=True)
class Config:
    """The settings that hold for the files of a folder; file is where they stand, None when nothing was found.

    Paths are absolute. per_file_ignores: patterns of paths below the settings' own folder, and selectors.
    """

    file: Path | None = None
    select: tuple[str, ...] = (ALL,)
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    fixtures: Path | None = None
    fail_on: Severity = Severity.ERROR
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def ignored_in(self, file: Path) -> tuple[str, ...]:
        """The selectors that per-file-ignores gives for a file; a pattern fits its path or its name."""
        if self.file is None or not self.per_file_ignores:
            return ()
        try:
            path = file.resolve().relative_to(self.file.parent.resolve()).as_posix()
        except ValueError:
            return ()
        return tuple(
            word
            for pattern, words in self.per_file_ignores
            if fnmatch(path, pattern) or fnmatch(file.name, pattern)
            for word in words
        )


@cache
def find(folder: Path) -> Config:
    """The nearest settings from folder upwards; the defaults when there are none.

    karta.toml goes before pyproject.toml; a pyproject.toml without [tool.karta] is passed over.
    Raises UsageError when the settings say what does not exist, FileError when the file cannot be read.
    """
    for candidate in (folder.resolve(), *folder.resolve().parents):
        own = candidate / "karta.toml"
        if own.is_file():
            return parsed(own, _table(own))
        shared = candidate / "pyproject.toml"
        if shared.is_file() and (table := _table(shared).get("tool", {}).get("karta")) is not None:
            return parsed(shared, table)
    return Config()


def _table(file: Path) -> dict[str, Json]:
    import tomllib

    try:
        return tomllib.loads(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(f"cannot read {file}: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{file} is no TOML: {error}") from None


def parsed(file: Path, table: Mapping[str, Json]) -> Config:
    """The settings of a table. Raises UsageError for an unknown key, a value of the wrong kind, an unknown rule."""
    read: dict[str, Callable[[str, Json], Json]] = {
        "select": _selectors,
        "ignore": _selectors,
        "extend-select": _selectors,
        "fixtures": lambda key, value: file.parent.resolve() / _text(key, value),
        "fail-on": lambda key, value: severity(_text(key, value)),
        "per-file-ignores": _per_file,
    }
    values: dict[str, Json] = {}
    for key, value in table.items():
        if key not in read:
            raise UsageError(f"{file}: unknown key {key!r}; {did_you_mean(key, read)}")
        try:
            values[key.replace("-", "_")] = read[key](key, value)
        except UsageError as error:
            raise UsageError(f"{file}: {error}") from None
    return Config(file=file, **values)


def severity(word: str) -> Severity:
    """The severity of that word. Raises UsageError for any other."""
    for one in Severity:
        if one.word == word:
            return one
    raise UsageError(f"no severity is called {word!r}; {did_you_mean(word, [s.word for s in Severity])}")


def _text(key: str, value: Json) -> str:
    if not isinstance(value, str):
        raise UsageError(f"{key!r} must be a string")
    return value


def _selectors(key: str, value: Json) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise UsageError(f"{key!r} must be a list of codes or names of rules")
    for word in value:
        codes(word)
    return tuple(value)


def _per_file(key: str, value: Json) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(value, dict):
        raise UsageError(f"{key!r} must be a table of patterns, each with a list of codes or names of rules")
    return tuple((pattern, _selectors(key, words)) for pattern, words in value.items())
