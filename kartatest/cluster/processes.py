"""Processes that belong to a cluster: started so that they are never lost, stopped for certain."""

from __future__ import annotations

import contextlib
import os
import random
import re
import shlex
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from kartatest.cluster import state as states
from kartatest.cluster.state import Recorded, State
from kartatest.errors import ClusterError

_children: dict[int, subprocess.Popen[bytes]] = {}
"""Children of this process, by number, so that their ends are noticed."""


def start(
    state: State,
    name: str,
    argv: Sequence[str | Path],
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    timeout_seconds: float = 10,
) -> Recorded:
    """A process in a session of its own, recorded, its output in logs/<name>.log. env: all of it; None: this one's.

    name is unique within the cluster. Raises ClusterError when it cannot be started.
    """
    record = state.processes / f"{_file_name(name)}.pid"
    record.unlink(missing_ok=True)
    script = f'record=$1; shift\n{states.RECORD}\nexec "$@"'
    with log(state, name).open("ab") as output:
        child = subprocess.Popen(
            ["/bin/sh", "-c", script, "karta", str(record), *[str(word) for word in argv]],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=None if env is None else dict(env),
            cwd=cwd,
            start_new_session=True,
        )
    _children[child.pid] = child
    until = time.monotonic() + timeout_seconds
    while time.monotonic() < until:
        for found in states.recorded(state):
            if found.pid == child.pid:
                return found
        if child.poll() is not None:
            break
        time.sleep(0.002)
    child.kill()
    child.wait()
    raise ClusterError(f"cannot start {name}: {tail(state, name) or 'it gave no reason'}")


def wrapper(state: State, name: str, binary: Path, *, env: Mapping[str, str] | None = None) -> Path:
    """A script to be started in place of a binary by a program of somebody else: it records itself and becomes it.

    env: variables that are set for it beside those it is started with.
    """
    script = state.folder / "bin" / name
    script.parent.mkdir(exist_ok=True)
    given = "".join(f"export {key}={shlex.quote(held)}\n" for key, held in (env or {}).items())
    record = shlex.quote(str(state.processes / f"{_file_name(name)}-"))
    script.write_text(
        "#!/bin/sh\n"
        f'[ "$1" != --version ] || exec {shlex.quote(str(binary))} "$@"\n'  # over at once, and asked of each
        f'record={record}$$.pid\n{states.RECORD}\n{given}exec {shlex.quote(str(binary))} "$@"\n',
        "utf-8",
    )
    script.chmod(0o700)
    return script


def _file_name(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]", "-", name)


def log(state: State, name: str) -> Path:
    """Where a process's output goes."""
    return state.logs / f"{_file_name(name)}.log"


def tail(state: State, name: str, *, lines: int = 5) -> str:
    """The last lines that a process wrote; "" when it wrote none."""
    try:
        with log(state, name).open("rb") as text:
            text.seek(max(0, text.seek(0, os.SEEK_END) - 8192))
            written = text.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return ""
    return "\n".join(written[-lines:])


def is_running(process: Recorded) -> bool:
    """Whether it still runs; a child of this process does until its exit code is known."""
    child = _children.get(process.pid)
    return states.is_running(process) if child is None else child.poll() is None


def exit_code(process: Recorded) -> int | None:
    """How a child of this process ended, negative for a signal; None while it runs, and for one of others."""
    child = _children.get(process.pid)
    return None if child is None else child.poll()


def stop(process: Recorded, *, timeout_seconds: float = 5) -> None:
    """Asks a process and its group to end, and kills them when they have not after so long."""
    until = time.monotonic() + timeout_seconds
    states.kill(process, signal.SIGTERM)
    while is_running(process):
        if time.monotonic() > until:
            states.kill(process)
            until = time.monotonic() + timeout_seconds
        time.sleep(0.02)
    _children.pop(process.pid, None)


# Below the ports that systems hand out by themselves (Linux from 32768, others from 49152): there, any connection of
# anybody may take a port between the look and the use.
_PORTS = range(20000, 32768)
_CLAIM_SECONDS = 300


def free_ports(count: int) -> tuple[int, ...]:
    """Ports of 127.0.0.1 on which nobody listens now, all different, and given to nobody else for five minutes.

    That is as long as a program may take to listen on its own. Raises ClusterError when there are none.
    """
    found: list[int] = []
    with ExitStack() as held:
        for port in random.sample(_PORTS, len(_PORTS)):
            if len(found) == count:
                break
            listener = held.enter_context(socket.socket(socket.AF_INET, socket.SOCK_STREAM))
            try:
                listener.bind(("127.0.0.1", port))
            except OSError:
                continue
            if _claimed(port):
                found.append(port)
    if len(found) < count:
        raise ClusterError(f"no {count} free ports of 127.0.0.1 between {_PORTS[0]} and {_PORTS[-1]}")
    return tuple(found)


def _claimed(port: int) -> bool:
    """Whether the port is now ours. All processes of a user see the same claims, wherever their folders are."""
    folder = Path(tempfile.gettempdir()) / f"karta-ports-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        if folder.lstat().st_uid != os.getuid() or folder.is_symlink():
            return True  # somebody else's: there is nothing to be claimed in
        claim = folder / str(port)
        with contextlib.suppress(FileNotFoundError):
            if time.time() - claim.stat().st_mtime < _CLAIM_SECONDS:
                return False
            claim.unlink()
        os.close(os.open(claim, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return False
    except OSError:
        return True
    return True
