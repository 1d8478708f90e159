"""Run something again whenever files change."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import click

from kartatest.errors import KartaError

_SETTINGS = ("karta.toml", "pyproject.toml")


def repeat(
    run: Callable[[], int], paths: Iterable[Path], fixtures: Path | None = None, *, pause_seconds: float = 0.5
) -> int:
    """Call run, wait for a change below paths or fixtures, and again, until interrupted.

    Faults of the call are told and waited out: the next change may mend them.
    """
    from kartatest.lint import config
    from kartatest.lint.files import fixtures_folder

    roots = list(paths)
    below = fixtures or fixtures_folder(roots[0] if roots[0].is_dir() else roots[0].parent)
    while True:
        before = _state([*roots, *([below] if below else [])])
        if sys.stdout.isatty():
            click.clear()
        config.find.cache_clear()
        try:
            run()
        except KartaError as error:
            click.echo(f"karta: {error}", err=True)
        click.echo("waiting for changes; stop with Ctrl-C", err=True)
        while _state([*roots, *([below] if below else [])]) == before:
            time.sleep(pause_seconds)


def _state(roots: Iterable[Path]) -> dict[Path, tuple[int, int]]:
    """Every file below roots, and settings above them, with the time of its last change and its size."""
    files: set[Path] = set()
    for root in roots:
        files |= {f for f in root.rglob("*") if f.suffix in (".yaml", ".yml", ".json")} if root.is_dir() else {root}
        files |= {folder / name for folder in (root.resolve(), *root.resolve().parents) for name in _SETTINGS}
    state = {}
    for file in files:
        try:
            stat = file.stat()
        except OSError:
            continue
        state[file] = (stat.st_mtime_ns, stat.st_size)
    return state
