"""schemas/crds.lock: which CRDs there are, where each one is published, and the only content that is accepted.

Lines of fields between tabs, the first one naming them; blank lines and those that begin with # do not count.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from kartatest.data import folder
from kartatest.errors import FileError
from kartatest.schema import order

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")
"""Names of CRDs and releases, which become names of files."""

_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_HEAD = "# Where the CRDs of operator releases are published. Nothing is accepted that has another sha256.\n"
_RAW = "https://raw.githubusercontent.com"


@dataclass(frozen=True, slots=True)
class Locked:
    """One CRD in one release of its operator."""

    crd: str
    tag: str
    repository: str
    """Owner and name at GitHub."""
    path: str
    commit: str
    sha256: str
    bytes: int

    @property
    def url(self) -> str:
        """Where the file is published."""
        from urllib.parse import quote

        return f"{_RAW}/{self.repository}/{self.commit}/{quote(self.path)}"

    @property
    def file(self) -> str:
        """Its place in a mirror and in the cache: <crd>/<tag>.yaml."""
        return f"{self.crd}/{self.tag}.yaml"

    def __str__(self) -> str:
        return f"{self.crd} {self.tag}"


COLUMNS = tuple(f.name for f in fields(Locked))


def default_file() -> Path:
    """The lock that comes with the package."""
    return folder("schemas") / "crds.lock"


def load(file: Path | None = None) -> tuple[Locked, ...]:
    """All that a lock file names, by CRD, releases in their order. Raises FileError with the line that is wrong."""
    file = file or default_file()
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(f"cannot read {file}: {error}") from None
    return parse(text, str(file))


def parse(text: str, name: str = "the lock") -> tuple[Locked, ...]:
    """What the text of a lock file names. Raises FileError with the line that is wrong."""
    found: dict[tuple[str, str], Locked] = {}
    header = True
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = line.split("\t")
        where = f"{name}:{number}"
        if header:
            if tuple(cells) != COLUMNS:
                raise FileError(f"{where}: the first line must name the columns {', '.join(COLUMNS)}, between tabs")
            header = False
            continue
        entry = _entry(cells, where)
        if (entry.crd, entry.tag) in found:
            raise FileError(f"{where}: {entry} is there twice")
        found[entry.crd, entry.tag] = entry
    return tuple(sorted(found.values(), key=lambda entry: (entry.crd, order.key(entry.tag))))


def _entry(cells: Sequence[str], where: str) -> Locked:
    if len(cells) != len(COLUMNS):
        raise FileError(f"{where}: {len(cells)} fields instead of {len(COLUMNS)}")
    crd, tag, repository, path, commit, sha256, size = cells
    for value, pattern, what in (
        (crd, NAME, "name of a CRD"),
        (tag, NAME, "release"),
        (repository, _REPOSITORY, "repository (owner/name)"),
        (commit, _COMMIT, "commit of 40 digits"),
        (sha256, _SHA256, "sha256 of 64 digits"),
    ):
        if not pattern.fullmatch(value):
            raise FileError(f"{where}: {value!r} is no {what}")
    if not path or path.startswith("/") or ".." in path.split("/"):
        raise FileError(f"{where}: {path!r} is no path inside a repository")
    if not size.isdecimal():
        raise FileError(f"{where}: {size!r} is no number of bytes")
    return Locked(crd, tag, repository, path, commit, sha256, int(size))


def text(entries: Sequence[Locked]) -> str:
    """A lock file that names these, sorted."""
    ordered = sorted(entries, key=lambda entry: (entry.crd, order.key(entry.tag)))
    rows = (COLUMNS, *(astuple(entry) for entry in ordered))
    return _HEAD + "".join("\t".join(map(str, row)) + "\n" for row in rows)
