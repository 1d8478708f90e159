"""Fetching what a lock names: from its repositories or from a mirror, each file checked before it counts.

A file appears under its name only when it is whole and has the right sha256. What came of a broken download is kept
beside it (.part) and continued by the next attempt.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from io import BufferedRandom
from pathlib import Path

from kartatest.errors import KartaError
from kartatest.schema.lock import Locked

TIMEOUT_SECONDS = 30.0
ATTEMPTS = 4
_CHUNK = 64 * 1024
_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})

Progress = Callable[[int], None]
"""Told how many bytes of the file are there by now; also called with fewer when a download starts over."""


class Outcome(Enum):
    """What came of one file. The value is the word for people."""

    FETCHED = "fetched"
    PRESENT = "present"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Fetched:
    """One entry of the lock, the place of its file, and why it is not there when it failed."""

    entry: Locked
    outcome: Outcome
    file: Path
    reason: str = ""


class FetchError(KartaError):
    """A file that could not be fetched. The text says why."""


class _BrokenError(Exception):
    """A download that may go better another time."""


def sync(
    entry: Locked,
    into: Path,
    *,
    mirror: str | None = None,
    progress: Progress = lambda _: None,
    attempts: int = ATTEMPTS,
    pause_seconds: float = 1.0,
    timeout_seconds: float = TIMEOUT_SECONDS,
) -> Fetched:
    """Have one file of the lock below `into`, as <crd>/<tag>.yaml. Never raises for what goes wrong on the way.

    mirror is a folder or a URL that holds files under the same names; without one the lock's repository is asked.
    Nothing is fetched when the file is there and right. Broken downloads are continued after a pause that doubles.
    """
    file = into / entry.file
    try:
        if file.is_file() and _sha256(file) == entry.sha256:
            progress(entry.bytes)
            return Fetched(entry, Outcome.PRESENT, file)
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_name(f"{file.name}.part")
        with _alone(part) as stream:
            if mirror is not None and "://" not in mirror:
                _copy(Path(mirror) / entry.file, stream, entry, progress)
            elif mirror is not None and not mirror.startswith(("http://", "https://")):
                raise FetchError(f"{mirror} is neither a folder nor an http(s) address")
            else:
                url = entry.url if mirror is None else f"{mirror.rstrip('/')}/{entry.file}"
                _download(url, stream, entry, progress, attempts, pause_seconds, timeout_seconds)
            stream.flush()
            os.fsync(stream.fileno())
            part.replace(file)
    except FetchError as error:
        return Fetched(entry, Outcome.FAILED, file, str(error))
    except OSError as error:
        return Fetched(
            entry, Outcome.FAILED, file, f"{error.filename or file}: {(error.strerror or str(error)).lower()}"
        )
    return Fetched(entry, Outcome.FETCHED, file)


@contextmanager
def _alone(part: Path) -> Iterator[BufferedRandom]:
    """The part file, open for appending, while no other process has it."""
    import fcntl

    with part.open("a+b") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise FetchError("another karta is fetching it right now") from None
        yield stream
        # A whole file has been renamed by now, so what is left under this name is a piece to go on from.


def _copy(source: Path, stream: BufferedRandom, entry: Locked, progress: Progress) -> None:
    stream.truncate(0)
    try:
        data = source.read_bytes()
    except OSError as error:
        raise FetchError(f"cannot read {source}: {(error.strerror or str(error)).lower()}") from None
    if hashlib.sha256(data).hexdigest() != entry.sha256:
        raise FetchError(f"{source} is not the file of the lock: its sha256 differs")
    stream.write(data)
    progress(len(data))


def _download(
    url: str,
    stream: BufferedRandom,
    entry: Locked,
    progress: Progress,
    attempts: int,
    pause_seconds: float,
    timeout_seconds: float,
) -> None:
    reason = ""
    for attempt in range(attempts):
        if attempt:
            time.sleep(pause_seconds * 2 ** (attempt - 1))
        stream.seek(0, os.SEEK_END)
        resumed = 0 < stream.tell() < entry.bytes
        if not resumed:
            stream.truncate(0)
        try:
            _receive(url, stream, entry, progress, timeout_seconds)
        except _BrokenError as error:
            reason = str(error)
            continue
        if _digest(stream) == entry.sha256:
            return
        stream.truncate(0)
        reason = f"{url} is not the file of the lock: its sha256 differs"
        if not resumed:
            # A whole download that is wrong will be wrong the next time.
            raise FetchError(reason)
    raise FetchError(f"{reason} (after {attempts} attempts)" if attempts > 1 else reason)


def _receive(url: str, stream: BufferedRandom, entry: Locked, progress: Progress, timeout_seconds: float) -> None:
    """Append to the stream what it lacks of the file. Raises _BrokenError, or FetchError when that is final."""
    import http.client
    import socket
    from urllib.error import HTTPError, URLError
    from urllib.request import Request, urlopen

    have = stream.seek(0, os.SEEK_END)
    headers = {"User-Agent": "karta", "Accept-Encoding": "identity"}
    if have:
        headers["Range"] = f"bytes={have}-"
    try:
        with urlopen(Request(url, headers=headers), timeout=timeout_seconds) as response:
            if have and not _continues(response, have):
                stream.truncate(0)
                have = 0
                if response.status == 206:
                    raise _BrokenError(f"{url} answers with another part than was asked for")
            progress(have)
            while chunk := response.read(_CHUNK):
                have += len(chunk)
                if have > entry.bytes:
                    stream.truncate(0)
                    raise FetchError(f"{url} is not the file of the lock: it is longer than {entry.bytes:,} bytes")
                stream.write(chunk)
                progress(have)
    except HTTPError as error:
        if error.code == 416:
            stream.truncate(0)
        elif error.code not in _AGAIN:
            raise FetchError(f"{url} answers {error.code} {error.reason}".rstrip()) from None
        raise _BrokenError(f"{url} answers {error.code} {error.reason}".rstrip()) from None
    except (URLError, http.client.HTTPException, TimeoutError, ConnectionError) as error:
        reason = getattr(error, "reason", None)
        if isinstance(reason, socket.gaierror) and reason.errno == socket.EAI_NONAME:
            raise FetchError(f"{url}: there is no such host, or no network") from None
        raise _BrokenError(f"{url}: {_words(error)}") from None
    except ValueError as error:
        raise FetchError(f"{url}: {error}") from None
    if have < entry.bytes:
        raise _BrokenError(f"{url} ended after {have:,} of {entry.bytes:,} bytes")


def _continues(response: object, have: int) -> bool:
    """Whether an answer goes on where we stopped."""
    status, headers = getattr(response, "status", 0), getattr(response, "headers", {})
    return status == 206 and str(headers.get("Content-Range", "")).startswith(f"bytes {have}-")


def _words(error: Exception) -> str:
    reason = getattr(error, "reason", None)
    found = reason if isinstance(reason, Exception) else error
    return str(found) or type(found).__name__


def _digest(stream: BufferedRandom) -> str:
    stream.flush()
    stream.seek(0)
    return hashlib.file_digest(stream, "sha256").hexdigest()


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
