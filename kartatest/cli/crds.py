"""karta crds: the CRDs of operator releases: which there are, fetching them, compiling their type indexes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kartatest.errors import FileError, NothingFoundError, UsageError

if TYPE_CHECKING:
    from kartatest.schema.index import Entry
    from kartatest.schema.lock import Locked
    from kartatest.schema.sync import Fetched
    from kartatest.schema.table import Compiled
    from kartatest.source import Json, Source

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_LOCK = click.option("--lock", type=_FILE, metavar="FILE", help="Another lock than the one that comes with karta.")
_COLUMNS = 100
_NAMES = click.argument("names", nargs=-1, metavar="[NAME...]")


@click.group("crds", epilog="Example: karta crds list jobsets")
def command() -> None:
    """CRDs of operator releases, and the type indexes made of them.

    A NAME is a CRD (jobsets.jobset.x-k8s.io), its plural or kind (jobsets, JobSet), or its API group, each with a
    release behind an @ if only that one is meant: jobsets@v0.10.1.
    """


@dataclass(frozen=True)
class _Row:
    """One release of one CRD: what the lock says of it and what is at hand."""

    crd: str
    tag: str
    kinds: tuple[Entry, ...]
    locked: Locked | None
    index: Path | None
    """The type index, None when there is none yet."""
    source: str
    """Where the index is from: "package", "cache", or "" without one."""
    file: Path | None
    """The CRD itself in the cache, None when it has not been fetched."""


@command.command(
    "list",
    short_help="Show the kinds whose types are known, per release.",
    epilog="Example: karta crds list ray.io -o json",
)
@_NAMES
@_LOCK
@click.option("-o", "--output", type=click.Choice(["text", "json"]), default="text", help="How to print.")
def list_(names: tuple[str, ...], lock: Path | None, output: str) -> int:
    """Show the kinds whose types are known, per release, and where each CRD is published."""
    rows = _chosen(_rows(lock), names)
    if output == "json":
        import json

        click.echo(json.dumps([_json(row) for row in rows], indent=2))
        return 0
    click.echo("\n".join(_table(rows)))
    return 0


def _table(rows: Sequence[_Row]) -> Iterator[str]:
    """A heading per CRD and its repository, a line per release below; kinds that do not fit go on in further lines."""
    heads = ("RELEASE", "INDEX", "CRD FILE")
    cells = [(row.tag, row.source or "-", "fetched" if row.file else "-") for row in rows]
    widths = [max(len(line[i]) for line in (heads, *cells)) for i in range(len(heads))]

    def line(start: Sequence[str], end: str) -> str:
        return "  ".join(("", *(f"{cell:{width}}" for cell, width in zip(start, widths, strict=True)), end)).rstrip()

    yield line(heads, "KINDS")
    before = None
    for row, start in zip(rows, cells, strict=True):
        heading = f"{row.crd}  {row.locked.repository if row.locked else ''}".rstrip()
        if heading != before:
            yield heading
        before = heading
        first, *more = _filled([str(kind) for kind in row.kinds] or ["?"], _COLUMNS - len(line(heads, "")) - 2)
        yield line(start, first)
        yield from (line([""] * len(heads), kinds) for kinds in more)


def _filled(words: Sequence[str], width: int) -> list[str]:
    """The words with commas between, in lines of that width; a word stays whole."""
    lines = [""]
    for i, word in enumerate(words):
        piece = word + ("," if i < len(words) - 1 else "")
        if lines[-1] and len(lines[-1]) + 1 + len(piece) > width:
            lines.append("")
        lines[-1] += f" {piece}" if lines[-1] else piece
    return lines


def _json(row: _Row) -> dict[str, Json]:
    locked = asdict(row.locked) if row.locked else {}
    return {
        "crd": row.crd,
        "tag": row.tag,
        "kinds": [{"apiVersion": entry.api_version, "kind": entry.kind} for entry in row.kinds],
        "index": row.source or None,
        "indexFile": str(row.index) if row.index else None,
        "crdFile": str(row.file) if row.file else None,
        **{key: locked.get(key) for key in ("repository", "path", "commit", "sha256", "bytes")},
        "url": row.locked.url if row.locked else None,
    }


def _rows(lock: Path | None) -> list[_Row]:
    """All releases that the lock, the package or the cache knows, by CRD and in their order; core first."""
    from kartatest.schema import index, order
    from kartatest.schema import lock as locks

    locked = {(entry.crd, entry.tag): entry for entry in locks.load(lock)}
    known: dict[tuple[str, str], tuple[str, list[Entry]]] = {}
    for source, entries in (("cache", index.fetched()), ("package", index.built_in())):
        found: dict[tuple[str, str], list[Entry]] = {}
        for entry in entries:
            found.setdefault((entry.crd, entry.tag), []).append(entry)
        known |= {key: (source, group) for key, group in found.items()}
    rows = []
    for crd, tag in {*locked, *known}:
        source, entries_ = known.get((crd, tag), ("", []))
        kinds = tuple(entry for entry in entries_ if entry.version)
        file = index.cache_folder() / crd / f"{tag}.yaml"
        where = entries_[0].file if entries_ else None
        there = file if file.is_file() else None
        rows.append(_Row(crd, tag, kinds, locked.get((crd, tag)), where, source, there))
    return sorted(rows, key=lambda row: (row.crd != index.CORE, row.crd, order.key(row.tag)))


def _chosen(rows: Sequence[_Row], names: Sequence[str]) -> list[_Row]:
    """The rows that the names mean, each once, in order; all without names. Raises UsageError for an unknown one."""
    if not names:
        return list(rows)
    chosen: set[tuple[str, str]] = set()
    for name in names:
        word, _, tag = name.partition("@")
        found = [row for row in rows if word.lower() in _words(row)]
        exact = [row for row in found if not tag or row.tag == tag]
        if not found:
            from difflib import get_close_matches

            near = get_close_matches(word.lower(), {w for row in rows for w in _words(row)}, n=1)
            raise UsageError(f"no CRD is called {word!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
        if not exact:
            raise UsageError(f"{word} has the releases {', '.join(dict.fromkeys(row.tag for row in found))}, not {tag}")
        chosen |= {(row.crd, row.tag) for row in exact}
    return [row for row in rows if (row.crd, row.tag) in chosen]


def _words(row: _Row) -> set[str]:
    """What a CRD can be called: its name, plural, API group, and kinds."""
    plural, _, group = row.crd.partition(".")
    return {row.crd.lower(), plural.lower(), group.lower(), *(entry.kind.lower() for entry in row.kinds)} - {""}


@command.command(
    "sync",
    short_help="Fetch the CRDs that the lock names.",
    epilog="Example: karta crds sync jobsets --mirror https://mirror.example.com/crds",
)
@_NAMES
@_LOCK
@click.option("--mirror", metavar="DIR|URL", help="Take <crd>/<release>.yaml from there instead of the repositories.")
@click.option("--into", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help="Instead of the cache.")
def sync(names: tuple[str, ...], lock: Path | None, mirror: str | None, into: Path | None) -> int:
    """Fetch the CRDs that the lock names, and check each against its sha256.

    They go to $XDG_CACHE_HOME/karta/crds, or ~/.cache/karta/crds. A broken download goes on where it stopped.
    Uses the network, unless --mirror is a folder.
    """
    from kartatest.schema import index
    from kartatest.schema.sync import Outcome

    if mirror is not None and "://" not in mirror and not Path(mirror).is_dir():
        raise UsageError(f"there is no folder {mirror}; --mirror takes a folder or an address")
    rows = _chosen([row for row in _rows(lock) if row.locked], names)
    if not rows:
        raise NothingFoundError(f"{lock or 'the lock'} names no CRD")
    where = into or index.cache_folder()
    done: list[Fetched] = []
    with _shown(sum(row.locked.bytes for row in rows if row.locked)) as advance:
        for row in rows:
            assert row.locked is not None
            done.append(_fetched(row.locked, where, mirror, advance))
    for result in done:
        click.echo(f"{result.outcome.value:8} {result.entry.crd} {result.entry.tag}  {result.reason or result.file}")
        if result.outcome is not Outcome.FAILED:
            _index(result)
    counts = [f"{n} {kind.value}" for kind in Outcome if (n := sum(r.outcome is kind for r in done))]
    click.echo(", ".join(counts), err=True)
    return 2 if any(result.outcome is Outcome.FAILED for result in done) else 0


def _fetched(entry: Locked, into: Path, mirror: str | None, advance: Callable[[str, int], None]) -> Fetched:
    from kartatest.schema.sync import sync as fetch

    before = 0

    def progress(there: int) -> None:
        nonlocal before
        advance(str(entry), there - before)
        before = there

    return fetch(entry, into, mirror=mirror, progress=progress)


def _index(result: Fetched) -> None:
    """Compile what has no index in the package, beside the fetched file."""
    from kartatest.schema import index
    from kartatest.schema.sync import Outcome

    entry, file = result.entry, result.file.with_suffix(".json")
    shipped = any(known.tag == entry.tag for known in index.built_in(entry.crd))
    if shipped or (result.outcome is Outcome.PRESENT and file.is_file()):
        return
    for compiled in _compiled(_read(str(result.file)), entry.tag):
        _write(file if compiled.crd == entry.crd else file.with_name(f"{compiled.crd}.json"), compiled)


@contextmanager
def _shown(total: int) -> Iterator[Callable[[str, int], None]]:
    """A bar on a terminal's stderr, nothing elsewhere. What is yielded takes a name and how many bytes came."""
    if not sys.stderr.isatty():
        yield lambda name, count: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total)
        yield lambda name, count: bar.update(task, description=name, advance=count)


@command.command(
    "compile",
    short_help="Make type indexes of CRDs.",
    epilog="Example: karta crds compile jobsets.yaml --tag v0.12.0 -o schemas/crds",
)
@click.argument("files", nargs=-1, required=True, metavar="CRD.yaml...")
@click.option("-o", "--output", type=click.Path(file_okay=False, path_type=Path), default=Path(), metavar="DIR",
              help="Where to write <crd>/<release>.json [default: the current folder].")  # fmt: skip
@click.option(
    "--tag", metavar="RELEASE", help="The operator's release [default: from a path like <crd>/<release>.yaml]."
)
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 when a file would change.")
def compile_(files: tuple[str, ...], output: Path, tag: str | None, check: bool) -> int:
    """Make type indexes of CRDs: names, types, bounds and defaults of all fields, no descriptions.

    A file may hold several CRDs; - is standard input.
    """
    from kartatest.schema import table
    from kartatest.schema.lock import NAME

    differing = 0
    for file in files:
        release = tag or _release(Path(file))
        if not NAME.fullmatch(release):
            raise UsageError(f"{release!r} cannot be a release: letters, digits and . _ - + only")
        for compiled in _compiled(_read(file), release):
            if not NAME.fullmatch(compiled.crd):
                raise UsageError(f"{file}: a CRD cannot be called {compiled.crd!r}")
            target = output / compiled.crd / f"{release}.json"
            same = target.is_file() and target.read_text("utf-8") == table.text(compiled)
            if not check:
                _write(target, compiled)
            differing += not same
            word = "same" if same else "differs" if check else "wrote"
            click.echo(f"{word:8} {target}  {', '.join(kind['version'] for kind in compiled.kinds)}")
    return int(check and differing > 0)


def _release(file: Path) -> str:
    if file.parent.name.count(".") == 0 or file.suffix not in (".yaml", ".yml", ".json"):
        raise UsageError(f"say with --tag which release {file} is of; only <crd>/<release>.yaml tells it by itself")
    return file.stem


def _read(file: str) -> Source:
    from kartatest.diagnostics import Diagnostic
    from kartatest.yamlpos import decoded, read

    found = decoded(sys.stdin.buffer.read(), "<stdin>") if file == "-" else read(Path(file), name=file)
    if isinstance(found, Diagnostic):
        raise FileError(f"cannot read {file}: {found.message}")
    return found


def _compiled(source: Source, tag: str) -> tuple[Compiled, ...]:
    from kartatest.schema.compile import compile_text

    return compile_text(source, tag=tag)


def _write(target: Path, compiled: Compiled) -> None:
    """The whole file or none of it. Raises FileError."""
    from kartatest.schema import table

    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(f"{target.name}.part")
        part.write_text(table.text(compiled), "utf-8")
        part.replace(target)
    except OSError as error:
        raise FileError(f"cannot write {target}: {(error.strerror or str(error)).lower()}") from None
