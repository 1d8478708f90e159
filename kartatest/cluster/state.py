"""Where clusters leave their traces on this machine, and how what a killed run left behind is found and ended.

A cluster has a folder `clusters/<id>/` with owner.json, kubeconfig, logs/ and processes/: one file per process, which
the process itself writes before it becomes what was asked for, so that no moment exists in which it runs and is not
recorded. A process is known by its number and the moment it began, never by its name.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path

from kartatest.errors import ClusterError
from kartatest.value import value

RECORD = """
if [ -r "/proc/$$/stat" ] && [ -r /proc/sys/kernel/random/boot_id ]; then
  read -r boot < /proc/sys/kernel/random/boot_id; read -r began < "/proc/$$/stat"
else
  boot=; began=$(LC_ALL=C ps -o lstart= -p "$$")
fi
{ printf '%s\\n' "$$" "$boot" "$began" > "$record.$$"; } 2>/dev/null || exit 125
mv "$record.$$" "$record" 2>/dev/null || exit 125
"""
"""Shell text: the shell writes down its own number and beginning in the file "$record", or gives up (125)."""


@value
class Folders:
    """cache: binaries and modules, worth keeping. clusters: one folder for each cluster that is or was up."""

    cache: Path
    clusters: Path


@value
class State:
    """The folder of one cluster. id: the folder's name, "kwok-1f2e3d4c"."""

    folder: Path

    @property
    def id(self) -> str:
        """Unique on this machine, fit for a name of a cluster or a context."""
        return self.folder.name

    @property
    def kubeconfig(self) -> Path:
        """The file that reaches the cluster; it is there once the cluster answers."""
        return self.folder / "kubeconfig"

    @property
    def logs(self) -> Path:
        """One file per process."""
        return self.folder / "logs"

    @property
    def processes(self) -> Path:
        """One file per process: its number, the boot, when it began."""
        return self.folder / "processes"


@value
class Recorded:
    """A process as it was written down. began: what `beginning(pid)` said of it then."""

    name: str
    pid: int
    began: str


@value
class Owner:
    """Whose cluster this is. kept: it outlives the process that made it, until it is taken down by name.

    undo: commands that take away what is not a process (a container), each a list of words.
    notes: what the provider wants to know later (operators, a namespace).
    """

    provider: str
    pid: int
    began: str
    kept: bool = False
    undo: tuple[tuple[str, ...], ...] = ()
    notes: Mapping[str, object] = field(default_factory=dict)


def folders(env: Mapping[str, str] | None = None) -> Folders:
    """The user's folders as the XDG base directories say: XDG_CACHE_HOME/karta, XDG_STATE_HOME/karta/clusters."""
    env = os.environ if env is None else env
    home = Path(env["HOME"]) if env.get("HOME") else Path.home()
    cache = env.get("XDG_CACHE_HOME", "")
    state = env.get("XDG_STATE_HOME", "")
    return Folders(
        cache=(Path(cache) if os.path.isabs(cache) else home / ".cache") / "karta",  # noqa: PTH117
        clusters=(Path(state) if os.path.isabs(state) else home / ".local" / "state") / "karta" / "clusters",  # noqa: PTH117
    )


def create(provider: str, *, where: Folders | None = None) -> State:
    """A new folder, owned by this process. It shows up under its name only once it says who owns it."""
    clusters = (where or folders()).clusters
    name = f"{provider}-{secrets.token_hex(4)}"
    making = clusters / f".{name}"
    try:
        clusters.mkdir(parents=True, exist_ok=True, mode=0o700)
        (making / "processes").mkdir(parents=True)
        (making / "logs").mkdir()
        making.chmod(0o700)
        _write_owner(making, Owner(provider, os.getpid(), beginning(os.getpid())))
        making.rename(clusters / name)
    except OSError as error:
        raise ClusterError(f"cannot keep a cluster's state in {clusters}: {error.strerror or error}") from error
    return State(clusters / name)


def owner(state: State) -> Owner | None:
    """Whose cluster it is; None when the folder says nothing that can be read."""
    try:
        held = json.loads((state.folder / "owner.json").read_text("utf-8"))
        return Owner(
            provider=str(held["provider"]),
            pid=int(held["pid"]),
            began=str(held["began"]),
            kept=bool(held["kept"]),
            undo=tuple([tuple([str(word) for word in command]) for command in held["undo"]]),
            notes=dict(held["notes"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def change(
    state: State,
    *,
    kept: bool | None = None,
    undo: tuple[tuple[str, ...], ...] | None = None,
    notes: Mapping[str, object] | None = None,
) -> Owner:
    """Writes down what is new of the owner; notes are added to those that are there. Gives what then holds."""
    held = owner(state)
    if held is None:
        raise ClusterError(f"{state.folder} is no cluster's folder")
    new = Owner(
        provider=held.provider,
        pid=held.pid,
        began=held.began,
        kept=held.kept if kept is None else kept,
        undo=held.undo if undo is None else undo,
        notes={**held.notes, **(notes or {})},
    )
    _write_owner(state.folder, new)
    return new


def adopt(state: State) -> None:
    """From now on this process owns the cluster: its end makes the cluster a leftover, unless it is kept."""
    held = owner(state)
    if held is not None:
        mine = Owner(held.provider, os.getpid(), beginning(os.getpid()), held.kept, held.undo, held.notes)
        _write_owner(state.folder, mine)


def _write_owner(folder: Path, held: Owner) -> None:
    text = json.dumps(
        {
            "provider": held.provider,
            "pid": held.pid,
            "began": held.began,
            "kept": held.kept,
            "undo": [list(command) for command in held.undo],
            "notes": dict(held.notes),
        },
        indent=1,
    )
    new = folder / f"owner.json.{os.getpid()}"
    new.write_text(text + "\n", "utf-8")
    new.replace(folder / "owner.json")


def beginning(pid: int) -> str:
    """What tells a process from any other that ever had its number; "" when it does not run (a zombie does not)."""
    boot = Path("/proc/sys/kernel/random/boot_id")
    stat = Path(f"/proc/{pid}/stat")
    if boot.exists():
        try:
            return _beginning(boot.read_text("ascii"), stat.read_text("utf-8", "replace"))
        except OSError:
            return ""
    shown = subprocess.run(
        ["ps", "-o", "stat=,lstart=", "-p", str(pid)], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}
    ).stdout.split(None, 1)
    return "" if len(shown) < 2 or shown[0].startswith("Z") else " ".join(shown[1].split())


def _beginning(boot: str, began: str) -> str:
    """From the lines that a process wrote: on Linux the start in ticks since that boot, elsewhere ps's words."""
    if not boot.strip():
        return " ".join(began.split())
    fields = began.rpartition(")")[2].split()  # the name in parentheses may hold anything, also spaces
    if len(fields) < 20 or fields[0] in "ZXx":
        return ""
    return f"{boot.strip()} {fields[19]}"  # proc(5): starttime is field 22, state is 3


def recorded(state: State) -> tuple[Recorded, ...]:
    """The processes that were started for a cluster, running or not, in the order of their records' names."""
    return _recorded(state.processes)


def _recorded(folder: Path) -> tuple[Recorded, ...]:
    found = []
    for file in sorted(folder.glob("*.pid")):
        with contextlib.suppress(OSError, ValueError):
            pid, boot, began = [*file.read_text("utf-8", "replace").split("\n"), "", ""][:3]
            found.append(Recorded(file.name.removesuffix(".pid"), int(pid), _beginning(boot, began)))
    return tuple(found)


def is_running(process: Recorded) -> bool:
    """Whether it is this very process that runs under its number now."""
    return process.began != "" and beginning(process.pid) == process.began


def kill(process: Recorded, sign: int = signal.SIGKILL) -> None:
    """A signal to the process, and to its group where it leads one; nothing when it no longer runs."""
    if not is_running(process):
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if os.getpgid(process.pid) == process.pid:
            os.killpg(process.pid, sign)
        else:
            os.kill(process.pid, sign)


def states(where: Folders | None = None) -> tuple[State, ...]:
    """Every cluster that has a folder, by name."""
    return tuple([State(folder) for folder in _folders((where or folders()).clusters) if folder.name[0] != "."])


def _folders(clusters: Path) -> Iterator[Path]:
    if clusters.is_dir():
        yield from sorted(path for path in clusters.iterdir() if path.is_dir())


def is_left(state: State) -> bool:
    """Whether its owner is gone and nobody said that it is to stay."""
    held = owner(state)
    return held is None or not (held.kept or beginning(held.pid) == held.began)


def leftovers(where: Folders | None = None) -> tuple[State, ...]:
    """Clusters whose owner is gone and that are not kept."""
    return tuple([state for state in states(where) if is_left(state)])


@contextlib.contextmanager
def of_a_run(kind: str) -> Iterator[State]:
    """A cluster's folder for as long as the context lasts; what killed runs left is ended first.

    It ends with the context, unless it was marked as kept by then (see `keep`).
    """
    sweep()
    held = create(kind)
    try:
        yield held
    finally:
        made = owner(held)
        if made is None or not made.kept:
            end(held)


def keep(held: State) -> None:
    """Marks a cluster as one that stays when its run is over; `karta lab` knows it by its name."""
    change(held, kept=True, notes={"lab": held.id})


def end(state: State, *, timeout_seconds: float = 30) -> None:
    """Kills what was recorded, runs what undoes the rest, removes the folder. A second call does nothing.

    Raises ClusterError when a process does not die or an undoing command fails; the folder then stays.
    """
    ended = state.folder / "ended"
    held = owner(state)
    _write_down_others(state)
    _kill_all(state.processes, timeout_seconds)
    _write_down_others(state)  # what the program that was killed last had just started
    with contextlib.suppress(OSError):
        state.processes.rename(ended)  # from here on a process that is being started cannot record itself and gives up
    _kill_all(ended, timeout_seconds)
    for command in held.undo if held else ():
        _undo(state, command, timeout_seconds)
    _remove(state.folder)


def _write_down_others(state: State) -> None:
    """Records what kwokctl started without a wrapper, as it must with programs that it downloaded itself.

    It keeps their numbers in files; that a number is still theirs shows in its arguments, which name this folder.
    """
    for file in state.folder.glob("kwok/clusters/*/pids/*.pid"):
        with contextlib.suppress(OSError, ValueError):
            pid = int(file.read_text("ascii"))
            shown = subprocess.run(["ps", "-ww", "-o", "args=", "-p", str(pid)], capture_output=True, text=True).stdout
            if str(state.folder) in shown:
                _write_down(state.processes / f"{file.stem}-{pid}.pid", pid)


def _write_down(record: Path, pid: int) -> None:
    """A record of a process as it would have written it itself."""
    boot, stat = Path("/proc/sys/kernel/random/boot_id"), Path(f"/proc/{pid}/stat")
    if boot.exists():
        record.write_text(f"{pid}\n{boot.read_text('ascii').strip()}\n{stat.read_text('utf-8', 'replace')}", "utf-8")
    else:
        record.write_text(f"{pid}\n\n{beginning(pid)}\n", "utf-8")


def _kill_all(records: Path, timeout_seconds: float) -> None:
    until = time.monotonic() + timeout_seconds
    while running := [process for process in _recorded(records) if is_running(process)]:
        for process in running:
            kill(process)
        if time.monotonic() > until:
            told = ", ".join(f"{process.name} ({process.pid})" for process in running)
            raise ClusterError(f"still running although they were killed: {told}")
        time.sleep(0.02)


def _undo(state: State, command: tuple[str, ...], timeout_seconds: float) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=max(timeout_seconds, 60))
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ClusterError(f"cannot end {state.id}: {' '.join(command)}: {error}") from error
    if done.returncode:
        raise ClusterError(f"cannot end {state.id}: {' '.join(command)}: {done.stderr.strip()[-300:]}")


def _remove(folder: Path) -> None:
    for _ in range(50):  # what was killed a moment ago may still have been writing
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.02)
    raise ClusterError(f"cannot remove {folder}")


def sweep(where: Folders | None = None) -> tuple[str, ...]:
    """Ends every leftover; names of those that were ended. One that cannot be ended stays for the next time."""
    ended = []
    for state in leftovers(where):
        with contextlib.suppress(ClusterError):
            end(state)
            ended.append(state.id)
    for folder in _folders((where or folders()).clusters):
        if folder.name.startswith(".") and _is_abandoned(folder):
            with contextlib.suppress(ClusterError):
                _remove(folder)
    return tuple(ended)


def _is_abandoned(making: Path) -> bool:
    """Whether a folder that has no name yet will never get one: its maker is gone, or was before it said who it is."""
    held = owner(State(making))
    if held is not None:
        return beginning(held.pid) != held.began
    try:
        return time.time() - making.stat().st_mtime > 60
    except OSError:
        return False
