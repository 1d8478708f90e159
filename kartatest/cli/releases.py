"""The options --crds and --crd-version: whether what they name is there, before anything is checked against it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kartatest.errors import UsageError


def check(folders: Sequence[Path], release: str | None) -> None:
    """Raises UsageError when a folder has no CRD, or no kind that is known has the release.

    Kinds that lack the release are left alone: several operators have releases of their own.
    """
    from kartatest.schema.index import built_in, fetched, in_folder

    entries = []
    for folder in folders:
        found = in_folder(folder)
        if not found:
            raise UsageError(f"--crds {folder}: there is no CRD and no type index below it")
        entries += found
    if release is None:
        return
    known = sorted({entry.tag for entry in (*entries, *built_in(), *fetched()) if entry.tag})
    if release not in known:
        from kartatest.lint.rule import closest

        near = closest(release, known)
        hint = f"did you mean {near}?" if near else "karta crds list shows the releases"
        raise UsageError(f"--crd-version {release}: no kind is known in that release; {hint}")
