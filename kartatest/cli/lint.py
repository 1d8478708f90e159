"""`karta lint`: check definitions, repair them, watch them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from kartatest.definition.evidence import Evidence
    from kartatest.definition.load import LoadedDefinition
    from kartatest.definition.model import Gvk
    from kartatest.diagnostics import Diagnostic, Severity
    from kartatest.lint.config import Config
    from kartatest.lint.engine import Linted
    from kartatest.lint.rule import Rule
    from kartatest.recording.model import Recording
    from kartatest.source import Source

STDIN = "-"
FORMATS = ("text", "json", "sarif", "github", "junit")


@dataclass(frozen=True)
class Options:
    """The options of one call as given; None where the settings of the project decide."""

    paths: tuple[str, ...]
    fixtures: Path | None
    crds: tuple[Path, ...]
    crd_version: str | None
    select: str | None
    ignore: str | None
    extend_select: str | None
    fix: bool
    unsafe: bool
    diff: bool
    format: str
    statistics: bool
    fail_on: str | None
    output: Path | None
    quiet: bool


@dataclass(frozen=True)
class Checked:
    """One input: its text before and after repairs, what is found in the latter, and how much of it fails."""

    file: Path | None
    before: Source
    after: Source
    found: tuple[Diagnostic, ...]
    kinds: tuple[Gvk, ...]
    definitions: int
    fixed: int
    failing: int


_FILES_PER_PROCESS = 3
"""A process more costs some 10 ms, a definition some 50."""

_DIR = click.Path(exists=True, file_okay=False, path_type=Path)
_CRDS = click.Path(exists=True, path_type=Path)
_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command(epilog="Example: karta lint catalog/ --fix")
@click.argument("paths", nargs=-1, metavar="PATH...")
@click.option("--fixtures", type=_DIR, metavar="DIR", help="Recordings [default: the nearest fixtures/ upwards].")
@click.option("--crds", type=_CRDS, multiple=True, metavar="DIR", help="Further CRDs to check expressions against.")
@click.option("--crd-version", metavar="V", help="Release of the operator to check against [default: the newest].")
@click.option("--select", metavar="CODES", help="Only these rules: codes, beginnings of codes (KT2), names, or ALL.")
@click.option("--ignore", metavar="CODES", help="Not these rules.")
@click.option("--extend-select", metavar="CODES", help="These rules as well.")
@click.option("--fix", is_flag=True, help="Repair what can be repaired without a change of meaning.")
@click.option("--unsafe-fixes", "unsafe", is_flag=True, help="With --fix or --diff: also repairs that need a look.")
@click.option("--diff", is_flag=True, help="Show what --fix would change, and change nothing.")
@click.option("--format", type=click.Choice(FORMATS), default="text", show_default=True, help="How to report.")
@click.option("--statistics", is_flag=True, help="Count the findings of each rule instead of showing them.")
@click.option("--fail-on", type=click.Choice(["error", "warning"]), help="What gives exit code 1 [default: error].")
@click.option("--output", type=_FILE, metavar="FILE", help="Write the report there.")
@click.option("-q", "--quiet", is_flag=True, help="Only findings: no summary, no notes.")
@click.option("--watch", is_flag=True, help="Check again whenever a file changes.")
@click.option("--explain", metavar="CODE", help="Print the page of a rule, as karta explain does.")
def command(paths: tuple[str, ...], watch: bool, explain: str | None, **given: object) -> int:
    """Check definitions: files, folders, or - for standard input.

    Settings come from the nearest karta.toml, or [tool.karta] in pyproject.toml. A comment silences a finding:
    "# karta: ignore[KT203] the reason", behind the line or above it.
    """
    if explain is not None:
        from kartatest.cli.explain import page

        return page(explain)
    if not paths:
        raise click.UsageError("name a file or a folder to check, or - for standard input")
    options = Options(paths=paths, **given)  # type: ignore[arg-type]  # click has checked the types
    if options.unsafe and not (options.fix or options.diff):
        raise click.UsageError("--unsafe-fixes goes with --fix or --diff")
    if not watch:
        return run(options)
    if STDIN in paths or options.fix:
        raise click.UsageError("--watch goes neither with standard input nor with --fix")
    from kartatest.cli.watch import repeat

    return repeat(lambda: run(options), [Path(p) for p in paths], options.fixtures)


def run(options: Options) -> int:
    """Check all that the options name, once: 0, or 1 when a finding reaches the severity that fails.

    With --diff also 1 when there is something to repair. Raises NothingFoundError when there was no definition.
    """
    from kartatest.errors import NothingFoundError
    from kartatest.lint.engine import in_order

    if options.crds or options.crd_version:
        from kartatest.cli.releases import check

        check(options.crds, options.crd_version)
    results = _all_checked(options, list(_inputs(options.paths, quiet=options.quiet)))
    found = in_order(d for result in results for d in result.found)
    if not found and not any(result.definitions for result in results):
        raise NothingFoundError(f"no definition in {', '.join(options.paths)}")
    changed = [result for result in results if result.after.text != result.before.text]
    if options.diff:
        click.echo("".join(_difference(result) for result in changed), nl=False)
    else:
        for result in results if options.fix else ():
            if result.file is None:
                click.echo(result.after.text, nl=False)
            elif result in changed:
                _write(result.file, result.after.text)
        _report(options, results, found)
    fixed = sum(result.fixed for result in results)
    if fixed and not options.quiet:
        click.echo(f"{'would fix' if options.diff else 'fixed'} {fixed} finding{'s'[: fixed != 1]}", err=True)
    return int(any(result.failing for result in results) or (options.diff and bool(changed)))


def _inputs(paths: Sequence[str], *, quiet: bool) -> Iterator[Path | None]:
    """The files to check, None for standard input."""
    from kartatest.lint.files import definition_files

    if STDIN in paths:
        yield None

    def dangling(file: Path) -> None:
        if not quiet:
            click.echo(f"karta: passed over {file}: what it links to is not there", err=True)

    yield from definition_files([Path(p) for p in paths if p != STDIN], dangling=dangling)


def _all_checked(options: Options, files: Sequence[Path | None]) -> list[Checked]:
    """Each file, in order. Many are shared among processes: they depend on each other only by the kinds they take."""
    early = _side_by_side(options, files)
    results: list[Checked] = []
    taken: dict[Gvk, str] = {}
    for i, file in enumerate(files):
        result = early[i] if early else None
        if result is None or any(kind in taken for kind in result.kinds):
            result = _checked(options, file, taken)
        taken |= {kind: result.before.name for kind in result.kinds if kind not in taken}
        results.append(result)
    return results


def _side_by_side(options: Options, files: Sequence[Path | None]) -> list[Checked]:
    """Each file as if it were alone, by several processes; [] where that would not be quicker or cannot be."""
    processes = min(len(files) // _FILES_PER_PROCESS, _processors())
    if processes < 2 or not hasattr(os, "fork") or None in files:
        return []
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    import kartatest.lint.engine
    import kartatest.replay  # noqa: F401  # read before the fork, so that no child has to

    with ProcessPoolExecutor(processes, multiprocessing.get_context("fork")) as pool:
        return list(pool.map(_checked, *zip(*((options, file, {}) for file in files), strict=True)))


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _checked(options: Options, file: Path | None, taken: dict[Gvk, str]) -> Checked:
    from kartatest.diagnostics import Diagnostic
    from kartatest.lint import config, fix
    from kartatest.lint.engine import Types, linted
    from kartatest.lint.files import fixtures_folder
    from kartatest.yamlpos import decoded, read

    folder = file.parent if file else Path()
    settings = config.find(folder.resolve())
    fail_on = config.severity(options.fail_on) if options.fail_on else settings.fail_on
    rules = _rules(options, settings, file)
    codes = {rule.code for rule in rules}
    source = read(file) if file else decoded(sys.stdin.buffer.read(), "<stdin>")
    if isinstance(source, Diagnostic):
        unread = (source,) if source.code in codes else ()
        return Checked(file, source.source, source.source, unread, (), 0, 0, _failing(unread, fail_on))
    types = Types(options.crds, options.crd_version)
    recordings = _Recordings(options.fixtures or settings.fixtures or fixtures_folder(folder))

    def look(text: Source) -> Linted:
        return linted(text, rules=rules, evidence=recordings.evidence, taken=taken, types=types)

    result = look(source)
    after, fixed = source, 0
    if options.fix or options.diff:
        done = fix.stable(source, lambda text: look(text).found, first=result.found, unsafe=options.unsafe)
        after, fixed = done.source, done.count
        if fixed and not options.diff:
            result = look(after)
    found = (*result.found, *(d for d in recordings.found if d.code in codes))
    return Checked(file, source, after, found, result.kinds, len(result.items), fixed, _failing(found, fail_on))


def _failing(found: Sequence[Diagnostic], fail_on: Severity) -> int:
    return sum(d.severity >= fail_on for d in found)


def _shown(file: Path) -> str:
    """The file's path as a person in the current folder would write it."""
    try:
        return str(file.relative_to(Path.cwd()))
    except ValueError:
        return str(file)


def _rules(options: Options, settings: Config, file: Path | None) -> tuple[Rule, ...]:
    """The rules for one file. With --select the settings' select, extend-select and ignore do not count."""
    from kartatest.lint.select import selected, words

    select, ignore, extend = settings.select, settings.ignore, settings.extend_select
    if options.select is not None:
        select, ignore, extend = words(options.select), (), ()
    extend += words(options.extend_select or "")
    ignore += words(options.ignore or "")
    return selected((*select, *extend), (*ignore, *(settings.ignored_in(file) if file else ())))


@dataclass
class _Recordings:
    """The recordings below a folder, each read once; found: what is wrong with them."""

    fixtures: Path | None
    found: list[Diagnostic] = field(default_factory=list)
    known: dict[str, list[Recording]] = field(default_factory=dict)

    def evidence(self, item: LoadedDefinition) -> Evidence:
        """What they show of a definition; nothing where there are none of it."""
        name = item.definition.name
        if name not in self.known:
            self.known[name] = self._loaded(name)
        if not self.known[name]:
            from kartatest.definition.evidence import Evidence

            return Evidence()
        from kartatest import replay

        return replay.evidence(item.definition, self.known[name])

    def _loaded(self, name: str) -> list[Recording]:
        from kartatest.lint import suppress
        from kartatest.lint.files import recording_files
        from kartatest.lint.rules import comments, loading

        recordings: list[Recording] = []
        for file in recording_files(self.fixtures, name) if self.fixtures else ():
            from kartatest.recording.load import load
            from kartatest.source import Source
            from kartatest.yamlpos import read

            source = read(file, name=_shown(file))
            if isinstance(source, Source):
                loaded = load(source)
                recordings += loaded.recordings
                self.found += suppress.apply(source, loaded.diagnostics, (*loading.RULES, *comments.RULES))
            else:
                self.found.append(source)
        return recordings


def _report(options: Options, results: Sequence[Checked], found: Sequence[Diagnostic]) -> None:
    from kartatest.lint.rules import RULES
    from kartatest.report import REPORTERS, statistics

    to_stderr = options.fix and any(result.file is None for result in results)  # stdout carries the repaired text
    stream = sys.stderr if to_stderr else sys.stdout
    color = not options.output and stream.isatty() and not os.environ.get("NO_COLOR")
    names = [result.before.name for result in results]
    if options.statistics:
        text = statistics(found, as_json=options.format == "json")
    elif options.quiet and not found and options.format == "text":
        text = ""
    else:
        checked = () if options.quiet else names
        text = REPORTERS[options.format](found, rules=RULES, checked=checked, color=color)
    if options.output:
        _write(options.output, text)
    else:
        click.echo(text, nl=False, file=stream, color=color or None)


def _difference(result: Checked) -> str:
    from difflib import unified_diff

    name = result.before.name
    before, after = (s.text.splitlines(keepends=True) for s in (result.before, result.after))
    lines = unified_diff(before, after, name, name)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _write(file: Path, text: str) -> None:
    """Replace the file's content in one step, keeping its permissions; a link stays a link."""
    import tempfile

    from kartatest.errors import FileError

    target = file.resolve()
    try:
        mode = target.stat().st_mode & 0o777 if target.exists() else None
        with tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as new:
            new.write(text.encode("utf-8"))
        path = Path(new.name)
        path.chmod(0o666 & ~_umask() if mode is None else mode)
        path.replace(target)
    except OSError as error:
        raise FileError(f"cannot write {file}: {(error.strerror or str(error)).lower()}") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
