"""Processes that belong to a cluster: started so that they are never lost, stopped for certain."""

from __future__ import annotations

import os
import re
import shlex
import signal
import socket
import subprocess
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


def free_ports(count: int) -> tuple[int, ...]:
    """Ports of 127.0.0.1 on which nobody listens now, all different."""
    with ExitStack() as held:
        found = []
        for _ in range(count):
            listener = held.enter_context(socket.socket(socket.AF_INET, socket.SOCK_STREAM))
            listener.bind(("127.0.0.1", 0))
            found.append(int(listener.getsockname()[1]))
        return tuple(found)
