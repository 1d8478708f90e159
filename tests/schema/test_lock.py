"""The lock file: what is in it, and what is refused with its line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kartatest.errors import FileError
from kartatest.schema import lock

HEADER = "crd\ttag\trepository\tpath\tcommit\tsha256\tbytes\n"
GOOD = ["things.example.com", "v1.0.0", "owner/name", "config/crd.yaml", "a" * 40, "b" * 64, "12"]


def line(**changed: str) -> str:
    cells = dict(zip(lock.COLUMNS, GOOD, strict=True)) | changed
    return "\t".join(cells.values()) + "\n"


def test_ours_is_sorted_and_says_all() -> None:
    text = lock.default_file().read_text("utf-8")
    entries = lock.parse(text)
    assert lock.text(entries) == text
    assert len({entry.crd for entry in entries}) == 27


def test_an_entry() -> None:
    (entry,) = lock.parse("# a comment\n\n" + HEADER + line(path="a b/c.yaml"))
    assert str(entry) == "things.example.com v1.0.0"
    assert entry.file == "things.example.com/v1.0.0.yaml"
    assert entry.url.endswith(f"/owner/name/{'a' * 40}/a%20b/c.yaml")
    assert entry.bytes == 12


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tb\n", "x.lock:1: the first line must name the columns"),
        (HEADER + "a\tb\n", "x.lock:2: 2 fields instead of 7"),
        (HEADER + line(crd="../up"), "x.lock:2: '../up' is no name of a CRD"),
        (HEADER + line(tag="a/b"), "x.lock:2: 'a/b' is no release"),
        (HEADER + line(repository="name"), "x.lock:2: 'name' is no repository"),
        (HEADER + line(path="a/../../b"), "is no path inside a repository"),
        (HEADER + line(path="/etc/x"), "is no path inside a repository"),
        (HEADER + line(commit="main"), "'main' is no commit of 40 digits"),
        (HEADER + line(sha256="x"), "'x' is no sha256 of 64 digits"),
        (HEADER + line(bytes="-1"), "'-1' is no number of bytes"),
        (HEADER + line() + line(), "x.lock:3: things.example.com v1.0.0 is there twice"),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    with pytest.raises(FileError, match=re.escape(message)):
        lock.parse(text, "x.lock")


def test_a_lock_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot read"):
        lock.load(tmp_path / "none")
