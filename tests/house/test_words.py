"""The project speaks only of itself, and its generated and golden files have owners."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def tracked() -> list[Path]:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


# /home/mpiuser is where the trainer's controller mounts keys into the pods of an MPI job.
FORBIDDEN = re.compile(r"(?<![\w.])/(?:work|root|home(?!/mpiuser/))/\w|[Ss]ub-?agent|\bpypi\.org\b|proxy\.golang\.org")


def test_no_absolute_paths_or_hosts() -> None:
    here = Path(__file__)
    hits = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}"
        for path in tracked()
        if path != here and path.suffix in {".py", ".md", ".yaml", ".toml", ".go", ".yml", ".json", ""}
        for number, line in enumerate(path.read_text("utf-8", errors="replace").splitlines(), 1)
        if FORBIDDEN.search(line)
    ]
    assert not hits


def test_no_golden_without_a_recording() -> None:
    orphans = [p for p in (ROOT / "fixtures").rglob("*.golden") if not p.with_suffix(".yaml").is_file()]
    assert not orphans


def test_every_change_note_has_a_kind() -> None:
    kinds = {"rule", "framework", "provider", "feature", "fix", "internal"}
    wrong = [
        p.name for p in (ROOT / "changes").glob("*.md") if p.name != "README.md" and p.stem.split(".")[-1] not in kinds
    ]
    assert not wrong
