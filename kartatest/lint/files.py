"""Which files hold definitions, and where the recordings of a definition are."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from errno import ELOOP, ENOENT, ENOTDIR
from pathlib import Path
from stat import S_ISREG

from kartatest.errors import FileError

SUFFIXES = (".yaml", ".yml", ".json")

# A definition says one of these at the outermost level; in JSON any level has to do.
_YAML = re.compile(
    r"""^(?:["']?apiVersion["']?[ \t]*:[ \t]*["']?(?:run\.ai|optimization\.nvidia\.com)/"""
    r"""|["']?kind["']?[ \t]*:[ \t]*["']?(?:Karta|ResourceInterface)\b)""",
    re.MULTILINE,
)
_JSON = re.compile(
    r'"apiVersion"\s*:\s*"(?:run\.ai|optimization\.nvidia\.com)/|"kind"\s*:\s*"(?:Karta|ResourceInterface)"'
)
_LARGEST = 32 * 1024 * 1024


def _ignore(file: Path) -> None:
    pass


def definition_files(paths: Iterable[Path], *, dangling: Callable[[Path], None] = _ignore) -> Iterator[Path]:
    """The files to check: a file as named; of a folder, all below it that look like definitions, sorted by name.

    Hidden folders are passed over, and so are links to what is not there, of which dangling is told. A file that comes
    twice is given once. Raises FileError for a path that is not there or cannot be read.
    """
    seen: set[Path] = set()
    for path in paths:
        if not path.exists():
            raise FileError(f"there is no file or folder {str(path)!r}")
        for file in _below(path, dangling) if path.is_dir() else (path,):
            real = file.resolve()
            if real not in seen:
                seen.add(real)
                yield file


def _below(folder: Path, dangling: Callable[[Path], None]) -> Iterator[Path]:
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        for name in sorted(names):
            file = Path(here, name)
            if file.suffix not in SUFFIXES:
                continue
            if file.is_symlink() and _is_dangling(file):
                dangling(file)
            elif _looks_like_a_definition(file):
                yield file


def _is_dangling(link: Path) -> bool:
    """Whether a link leads to nothing or in a circle; that it may not be followed is another matter."""
    try:
        link.stat()
    except OSError as error:
        return error.errno in (ENOENT, ENOTDIR, ELOOP)
    return False


def _looks_like_a_definition(file: Path) -> bool:
    try:
        state = file.stat()
        if not S_ISREG(state.st_mode) or state.st_size > _LARGEST:  # reading a pipe would wait for its writer
            return False
        text = file.read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise FileError(f"cannot read {file}: {error.strerror}") from None
    return bool((_JSON if text.lstrip().startswith(("{", "[")) else _YAML).search(text))


def fixtures_folder(start: Path) -> Path | None:
    """The nearest folder `fixtures` from start upwards within the repository that start is in; None when there is none.

    Outside of a repository only start itself and the folder above it are looked at.
    """
    start = start.resolve()
    upwards = (start, *start.parents)
    top = next((n for n, folder in enumerate(upwards) if (folder / ".git").exists()), 1)
    return next((folder / "fixtures" for folder in upwards[: top + 1] if (folder / "fixtures").is_dir()), None)


def recording_files(fixtures: Path, definition: str) -> tuple[Path, ...]:
    """The recordings of a definition of that name: the YAML and JSON files in its folder, sorted; () when none."""
    folder = fixtures / definition
    if not definition or not folder.is_dir() or folder.parent.resolve() != fixtures.resolve():
        return ()
    return tuple(sorted(f for f in folder.iterdir() if f.suffix in SUFFIXES and f.is_file()))
