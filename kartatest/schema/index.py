"""Finding the types of a kind: those that come along, those a user has fetched, and those in folders a user names."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from kartatest.data import folder
from kartatest.errors import FileError
from kartatest.schema import order, table
from kartatest.schema.model import KindOf, Schema, Type

_GROUP = re.compile(r"[A-Za-z0-9.-]+")
CORE = "core"
"""The folder of kinds that Kubernetes brings itself, and what stands as `crd` in their schemas."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One kind in one release, and the file that has its types."""

    crd: str
    tag: str
    group: str
    version: str
    kind: str
    file: Path

    @property
    def api_version(self) -> str:
        """As in an object's `apiVersion`; "" for a part that is no kind of its own."""
        return f"{self.group}/{self.version}" if self.group else self.version

    def __str__(self) -> str:
        return f"{self.api_version} {self.kind}"


def schema_for(kind: KindOf, tag: str | None = None, *, extra: Sequence[Path] = ()) -> Schema | None:
    """The types of exactly this group, version and kind, in the newest release that has it or in the one named.

    Folders in extra come first, then those of the package, then what the user has fetched; the first that knows the
    kind (in that release) answers. "1.7.0" names the release v1.7.0 too. None when nobody does. Raises FileError for a
    file that cannot be read.
    """
    for group in _places(kind, extra):
        fitting = [entry for entry in group if tag in (None, entry.tag)]
        fitting = fitting or [entry for entry in group if tag is not None and order.same(entry.tag, tag)]
        if fitting:
            return _schema(max(fitting, key=lambda entry: order.key(entry.tag)))
    return None


def tags(kind: KindOf, *, extra: Sequence[Path] = ()) -> tuple[str, ...]:
    """The releases whose types of this kind are known, oldest first."""
    return order.in_order(entry.tag for group in _places(kind, extra) for entry in group)


def schemas(kind: KindOf, *, extra: Sequence[Path] = ()) -> tuple[Schema, ...]:
    """The types of a kind in every release that is known, oldest first."""
    found = (schema_for(kind, tag, extra=extra) for tag in tags(kind, extra=extra))
    return tuple(schema for schema in found if schema is not None)


def part(name: str) -> Type:
    """The type of a part that Kubernetes itself defines: "PodTemplateSpec", "PodSpec", "Container", "ObjectMeta".

    Raises KeyError when there is none of that name.
    """
    for entry in sorted(built_in(CORE), key=lambda entry: order.key(entry.tag), reverse=True):
        if entry.kind == name:
            return _schema(entry).root
    raise KeyError(name)


def built_in(crd: str | None = None) -> tuple[Entry, ...]:
    """Kinds whose types come with the package, by CRD, release and API version; of one CRD, or of all and core."""
    root = folder("schemas")
    found = [root / CORE] if crd in (None, CORE) else []
    if crd is None:
        found += sorted((root / "crds").glob("*/"))
    elif crd != CORE:
        found.append(root / "crds" / crd)
    return tuple(entry for where in found for entry in _listed(where))


def fetched() -> tuple[Entry, ...]:
    """Kinds whose CRDs the user has fetched, in the same order."""
    return tuple(entry for where in sorted(cache_folder().glob("*/")) for entry in _listed(where))


def cache_folder() -> Path:
    """Where fetched CRDs are kept: karta/crds below XDG_CACHE_HOME, or below ~/.cache. It need not exist."""
    given = os.environ.get("XDG_CACHE_HOME", "")
    base = Path(given) if given and Path(given).is_absolute() else Path.home() / ".cache"
    return base / "karta" / "crds"


def _places(kind: KindOf, extra: Sequence[Path]) -> Iterator[list[Entry]]:
    """Entries of a kind, place by place; later places are not looked at before they are asked for."""
    if not kind.version:
        return  # parts of core have none
    for where in extra:
        yield [entry for entry in in_folder(where) if _is(entry, kind)]
    for root in (folder("schemas") / "crds", cache_folder()):
        found = sorted(root.glob(f"*.{kind.group}")) if _GROUP.fullmatch(kind.group) else []
        yield [entry for where in found for entry in _listed(where) if _is(entry, kind)]
    yield [entry for entry in built_in(CORE) if _is(entry, kind)]


def _is(entry: Entry, kind: KindOf) -> bool:
    return (entry.kind, entry.version, entry.group) == (kind.kind, kind.version, kind.group)


def _listed(where: Path) -> list[Entry]:
    """The kinds in the index files of one folder, oldest release first."""
    files = sorted(where.glob("*.json"), key=lambda file: order.key(file.stem))
    return [entry for file in files for entry in entries(file)]


def entries(file: Path) -> tuple[Entry, ...]:
    """The kinds in an index file; only its first line is read. Raises FileError when it is none."""
    return _entries(file, _stamp(file))


@cache
def _entries(file: Path, _stamp_: int) -> tuple[Entry, ...]:
    try:
        with file.open(encoding="utf-8") as stream:
            head = table.head(stream.readline(1_000_000))
        return tuple(
            Entry(head["crd"], head["tag"], kind["group"], kind["version"], kind["kind"], file)
            for kind in head["kinds"]
        )
    except OSError as error:
        raise FileError(f"cannot read {file}: {(error.strerror or str(error)).lower()}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise FileError(f"{file} is not a type index ({type(error).__name__}: {error}); compile it again") from None


def load(file: Path) -> tuple[Schema, ...]:
    """The schemas in an index file or a file with CRDs, in its order; each file is read once while it is unchanged.

    Raises FileError when it is neither.
    """
    return _load(file, _stamp(file))


@cache
def _load(file: Path, _stamp_: int) -> tuple[Schema, ...]:
    if _is_index(file):
        try:
            return table.schemas(file.read_text("utf-8"), origin=str(file))
        except (OSError, UnicodeDecodeError) as error:
            raise FileError(f"cannot read {file}: {error}") from None
    from kartatest.diagnostics import Diagnostic
    from kartatest.schema.compile import compile_text
    from kartatest.yamlpos import read

    source = read(file)
    if isinstance(source, Diagnostic):
        raise FileError(f"cannot read {file}: {source.message}")

    return tuple(s for made in compile_text(source, tag=_tag(file)) for s in table.of(made, origin=str(file)))


def _tag(file: Path) -> str:
    """The release that a CRD's place says: <crd name>/<release>.yaml; else ""."""
    return file.stem if "." in file.parent.name else ""


def in_folder(where: Path) -> list[Entry]:
    """The kinds in all index files and CRDs below a folder, or in one file. Other files are passed over."""
    from kartatest.schema.compile import mentions_crd

    if not where.exists():
        raise FileError(f"there is no {where}")
    files = [where] if where.is_file() else sorted(f for f in where.rglob("*") if f.suffix in _SUFFIXES)
    found = []
    for file in files:
        if where.is_file() or _is_index(file) or mentions_crd(file):
            found += [Entry(s.crd, s.tag, s.group, s.version, s.kind, file) for s in load(file)]
    return found


_SUFFIXES = frozenset({".json", ".yaml", ".yml"})


def _is_index(file: Path) -> bool:
    if file.suffix != ".json":
        return False
    try:
        return bool(entries(file))
    except FileError:
        return False


def _schema(entry: Entry) -> Schema:
    return next(s for s in load(entry.file) if (s.crd, s.group, s.version, s.kind) == _name(entry))


def _name(entry: Entry) -> tuple[str, str, str, str]:
    return entry.crd, entry.group, entry.version, entry.kind


def _stamp(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0
