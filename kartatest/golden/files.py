"""Where goldens are: beside their recording, under its name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from pathlib import Path

from kartatest.errors import FileError
from kartatest.recording.manifests import SUFFIXES, stem
from kartatest.recording.model import Recording
from kartatest.recording.write import replace_text

SUFFIX = ".golden"


def path(recording: Recording) -> Path:
    """The recording's golden, whether it exists or not: its file's name with `.golden` in place of the suffix.

    Where a file holds several recordings each has its own, told apart by the recording's part.
    """
    file = Path(recording.file)
    return file.with_name(f"{stem(recording.file)}{f'-{recording.part}' if recording.part else ''}{SUFFIX}")


def read(recording: Recording) -> str | None:
    """The golden's text, None when there is none. FileError when it cannot be read."""
    try:
        return path(recording).read_text("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeError) as error:
        raise FileError(f"cannot read {path(recording)}: {getattr(error, 'strerror', None) or error}") from error


class Change(Enum):
    """What an update did."""

    SAME = "unchanged"
    NEW = "new"
    CHANGED = "changed"


def update(recording: Recording, text: str) -> Change:
    """Make text the recording's golden, all or nothing. A golden that says so already is not touched."""
    old = read(recording)
    if old == text:
        return Change.SAME
    replace_text(path(recording), text)
    return Change.NEW if old is None else Change.CHANGED


def orphans(folder: Path, recordings: Iterable[Recording]) -> Iterator[Path]:
    """Goldens anywhere below folder that belong to none of the recordings, sorted.

    A golden whose recording file is there is kept even when that file could not be read or was not among them.
    """
    owned = {path(r).resolve() for r in recordings}
    for golden in sorted(folder.rglob(f"*{SUFFIX}")):
        beside = any(golden.with_name(golden.name.removesuffix(SUFFIX) + suffix).is_file() for suffix in SUFFIXES)
        if golden.resolve() not in owned and not beside:
            yield golden
