"""Fetching by lock: from a folder, from a server that works, and from one that does not."""

from __future__ import annotations

import fcntl
import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from kartatest.schema.lock import Locked
from kartatest.schema.sync import Fetched, Outcome, sync
from tests.schema.server import Server, serving

DATA = b"apiVersion: v1\n" + bytes(range(256)) * 600
ENTRY = Locked(
    "things.example.com", "v1.0.0", "owner/name", "crd.yaml", "0" * 40, hashlib.sha256(DATA).hexdigest(), len(DATA)
)
PATH = "/things.example.com/v1.0.0.yaml"


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as started:
        started.files[PATH] = DATA
        yield started


def fetch(into: Path, mirror: str, *, attempts: int = 4) -> tuple[Fetched, list[int]]:
    seen: list[int] = []
    found = sync(
        ENTRY, into, mirror=mirror, attempts=attempts, pause_seconds=0.001, timeout_seconds=5, progress=seen.append
    )
    left = [f.name for f in into.rglob("*") if f.is_file()]
    if found.outcome is not Outcome.FAILED:
        assert found.file.read_bytes() == DATA
        assert left == ["v1.0.0.yaml"]
        assert seen[-1] == len(DATA)
    else:
        assert not found.file.exists()
        assert found.reason
    return found, seen


def test_from_a_server(server: Server, tmp_path: Path) -> None:
    found, seen = fetch(tmp_path, server.url)
    assert found.outcome is Outcome.FETCHED
    assert seen == sorted(seen)
    assert server.asked == [(PATH, "")]
    again, _ = fetch(tmp_path, server.url + "/")
    assert again.outcome is Outcome.PRESENT
    assert len(server.asked) == 1


def test_from_a_folder(tmp_path: Path) -> None:
    mirror = tmp_path / "mirror"
    (mirror / ENTRY.crd).mkdir(parents=True)
    (mirror / ENTRY.file).write_bytes(DATA)
    assert fetch(tmp_path / "into", str(mirror))[0].outcome is Outcome.FETCHED
    (mirror / ENTRY.file).write_bytes(DATA + b"x")
    assert "sha256 differs" in fetch(tmp_path / "other", str(mirror))[0].reason
    (mirror / ENTRY.file).unlink()
    assert "no such file" in fetch(tmp_path / "other", str(mirror))[0].reason


def test_a_broken_download_goes_on(server: Server, tmp_path: Path) -> None:
    server.cut_after = [70_000, 30_000]
    assert fetch(tmp_path, server.url)[0].outcome is Outcome.FETCHED
    ranges = [r for _, r in server.asked]
    assert ranges[0] == ""
    assert all(r.startswith("bytes=") for r in ranges[1:])
    assert len(ranges) == 3


def test_a_later_run_goes_on_as_well(server: Server, tmp_path: Path) -> None:
    server.cut_after = [70_000]
    first, _ = fetch(tmp_path, server.url, attempts=1)
    assert first.outcome is Outcome.FAILED
    assert "ended after" in first.reason
    assert (tmp_path / f"{ENTRY.file}.part").stat().st_size > 0
    assert fetch(tmp_path, server.url)[0].outcome is Outcome.FETCHED
    assert server.asked[1][1].startswith("bytes=")


@pytest.mark.parametrize("how", ["no ranges", "another range"])
def test_a_server_that_starts_over(server: Server, tmp_path: Path, how: str) -> None:
    server.cut_after = [70_000]
    server.ranges = how != "no ranges"
    server.wrong_range = how == "another range"
    assert fetch(tmp_path, server.url)[0].outcome is Outcome.FETCHED
    assert [bool(r) for _, r in server.asked] == ([False, True] if how == "no ranges" else [False, True, False])


def test_a_piece_of_another_file_is_thrown_away(server: Server, tmp_path: Path) -> None:
    part = tmp_path / f"{ENTRY.file}.part"
    part.parent.mkdir()
    part.write_bytes(b"something else")
    assert fetch(tmp_path, server.url)[0].outcome is Outcome.FETCHED
    assert [r for _, r in server.asked] == ["bytes=14-", ""]


def test_a_piece_that_is_too_long_is_thrown_away(server: Server, tmp_path: Path) -> None:
    part = tmp_path / f"{ENTRY.file}.part"
    part.parent.mkdir()
    part.write_bytes(DATA + b"more")
    assert fetch(tmp_path, server.url)[0].outcome is Outcome.FETCHED
    assert [r for _, r in server.asked] == [""]


def test_wrong_content_is_never_kept(server: Server, tmp_path: Path) -> None:
    server.files[PATH] = DATA[:-1] + b"?"
    found, _ = fetch(tmp_path, server.url)
    assert "sha256 differs" in found.reason
    assert len(server.asked) == 1, "a whole wrong file is not asked for again"
    assert (tmp_path / f"{ENTRY.file}.part").stat().st_size == 0


def test_more_than_the_lock_says_is_not_read(server: Server, tmp_path: Path) -> None:
    server.files[PATH] = DATA + b"x" * 10_000_000
    found, seen = fetch(tmp_path, server.url)
    assert "longer than" in found.reason
    assert max(seen) <= len(DATA)


def test_a_busy_server_is_asked_again(server: Server, tmp_path: Path) -> None:
    server.statuses = [503, 429]
    assert fetch(tmp_path, server.url)[0].outcome is Outcome.FETCHED
    assert len(server.asked) == 3


def test_it_gives_up(server: Server, tmp_path: Path) -> None:
    server.statuses = [500] * 9
    found, _ = fetch(tmp_path, server.url)
    assert found.reason.endswith("answers 500 Internal Server Error (after 4 attempts)")
    assert len(server.asked) == 4


def test_what_is_not_there_is_asked_for_once(server: Server, tmp_path: Path) -> None:
    server.files.clear()
    found, _ = fetch(tmp_path, server.url)
    assert "answers 404" in found.reason
    assert len(server.asked) == 1


def test_nobody_listens(tmp_path: Path) -> None:
    found, _ = fetch(tmp_path, "http://127.0.0.1:1", attempts=2)
    assert "refused" in found.reason


@pytest.mark.parametrize("mirror", ["ftp://127.0.0.1/x", "file:///etc", "http://[bad"])
def test_only_web_addresses(tmp_path: Path, mirror: str) -> None:
    assert mirror in fetch(tmp_path, mirror)[0].reason


def test_two_at_once(server: Server, tmp_path: Path) -> None:
    part = tmp_path / f"{ENTRY.file}.part"
    part.parent.mkdir()
    with part.open("ab") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        found, _ = fetch(tmp_path, server.url)
    assert "another karta" in found.reason
    assert not server.asked


def test_a_folder_that_cannot_be_written(server: Server, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    found = sync(ENTRY, tmp_path / "file", mirror=server.url)
    assert found.outcome is Outcome.FAILED
    assert "not a directory" in found.reason
