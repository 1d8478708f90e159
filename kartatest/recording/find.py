"""Files that may hold recordings, and what is in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from kartatest.errors import FileError
from kartatest.recording.load import Loaded, load
from kartatest.recording.manifests import SUFFIXES
from kartatest.source import Source
from kartatest.yamlpos import read

_PASSED_OVER = frozenset({"scenarios", "node_modules", "__pycache__"})


def files(paths: Iterable[Path]) -> Iterator[Path]:
    """The paths that are files, as given, and for folders every YAML and JSON file below, sorted by name.

    Hidden folders and those of scenarios are passed over below a folder. FileError for a path that is not there.
    """
    for path in paths:
        if path.is_dir():
            yield from sorted(p for p in path.rglob("*") if p.suffix in SUFFIXES and p.is_file() and _counts(p, path))
        elif path.exists():
            yield path
        else:
            raise FileError(f"{path} does not exist")


def _counts(file: Path, folder: Path) -> bool:
    parts = file.relative_to(folder).parts
    return not any(part.startswith(".") for part in parts) and not _PASSED_OVER & set(parts[:-1])


def load_file(file: Path, *, name: str | None = None) -> Loaded:
    """The recordings in a file; bytes that are no text are a finding. FileError when it cannot be read.

    name is what the user calls the file, its path by default.
    """
    source = read(file, name=name)
    return load(source) if isinstance(source, Source) else Loaded((), (source,))
