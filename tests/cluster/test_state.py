"""What is started is recorded, and what a killed owner left is ended: exactly that, by number and beginning."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from kartatest.cluster import processes, state
from kartatest.cluster.state import Folders, Recorded
from kartatest.errors import ClusterError

OWNER = """
import sys, time
from pathlib import Path
from kartatest.cluster import processes, state
held = state.create("test", where=state.Folders(Path(sys.argv[1]), Path(sys.argv[2])))
print(held.id, flush=True)
for n in range(20):
    processes.start(held, f"sleeper-{n}", ["sleep", "600"])
print("up", flush=True)
time.sleep(600)
"""


@pytest.fixture
def where(tmp_path: Path) -> Folders:
    return Folders(tmp_path / "cache", tmp_path / "clusters")


def is_gone(pid: int) -> bool:
    return state.beginning(pid) == ""


def test_folders_follow_xdg(tmp_path: Path) -> None:
    assert state.folders({"HOME": "/h"}) == Folders(Path("/h/.cache/karta"), Path("/h/.local/state/karta/clusters"))
    given = {"HOME": "/h", "XDG_CACHE_HOME": "/c", "XDG_STATE_HOME": "relative"}
    assert state.folders(given) == Folders(Path("/c/karta"), Path("/h/.local/state/karta/clusters"))


def test_a_started_process_is_recorded_and_stopped(where: Folders) -> None:
    held = state.create("test", where=where)
    process = processes.start(held, "a sleeper", ["sh", "-c", "echo said; sleep 600"])
    assert state.recorded(held) == (process,)
    assert processes.is_running(process)
    assert os.getpgid(process.pid) == process.pid
    while not processes.tail(held, "a sleeper"):
        time.sleep(0.01)
    assert processes.tail(held, "a sleeper") == "said"
    processes.stop(process)
    assert not processes.is_running(process)
    state.end(held)
    assert not held.folder.exists()
    state.end(held)


def test_a_process_that_ignores_the_request_is_killed_with_its_children(where: Folders) -> None:
    held = state.create("test", where=where)
    process = processes.start(held, "stubborn", ["sh", "-c", "trap '' TERM; sleep 600 & echo $!; wait; sleep 600"])
    while not processes.tail(held, "stubborn"):
        time.sleep(0.01)
    child = int(processes.tail(held, "stubborn"))
    processes.stop(process, timeout_seconds=0.2)
    assert is_gone(process.pid)
    assert is_gone(child)
    state.end(held)


def test_what_cannot_be_started_says_so(where: Folders) -> None:
    held = state.create("test", where=where)
    process = processes.start(held, "absent", ["/nonexistent/program"])
    while processes.is_running(process):
        time.sleep(0.01)
    assert processes.exit_code(process) == 127
    assert "nonexistent" in processes.tail(held, "absent")
    state.end(held)


def test_a_wrapper_records_what_somebody_else_starts(where: Folders, tmp_path: Path) -> None:
    held = state.create("test", where=where)
    script = processes.wrapper(held, "component", Path("/bin/sh"), env={"WORD": "it's"})
    child = subprocess.Popen([script, "-c", "echo $WORD $1; sleep 600", "x", "arg"], stdout=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stdout.readline() == b"it's arg\n"
    (process,) = state.recorded(held)
    assert (process.pid, state.is_running(process)) == (child.pid, True)
    state.end(held)
    assert child.wait(5) == -signal.SIGKILL


def test_what_only_kwokctl_wrote_down_is_ended(where: Folders) -> None:
    held = state.create("test", where=where)
    pids = held.folder / "kwok" / "clusters" / "x" / "pids"
    pids.mkdir(parents=True)
    mine = subprocess.Popen(["sh", "-c", "sleep 600; true", str(held.folder)], start_new_session=True)
    other = subprocess.Popen(["sleep", "600"])
    (pids / "etcd.pid").write_text(str(mine.pid))
    (pids / "kube-apiserver.pid").write_text(str(other.pid))
    state.end(held)
    assert mine.wait(5) == -signal.SIGKILL
    assert other.poll() is None
    other.kill()
    other.wait()


def test_nothing_starts_once_a_cluster_is_ended(where: Folders) -> None:
    held = state.create("test", where=where)
    script = processes.wrapper(held, "late", Path("/bin/true"))
    kept = script.read_text("utf-8")
    state.end(held)
    assert subprocess.run(["/bin/sh", "-c", kept], capture_output=True).returncode == 125


def test_a_number_that_was_given_to_another_is_left_alone(where: Folders) -> None:
    held = state.create("test", where=where)
    bystander = subprocess.Popen(["sleep", "600"])
    began = state.beginning(bystander.pid)
    boot, _, ticks = began.rpartition(" ")
    (held.processes / "old.pid").write_text(f"{bystander.pid}\n{boot}\n{bystander.pid} (sh) S {'0 ' * 18}{ticks}1\n")
    (process,) = state.recorded(held)
    assert process == Recorded("old", bystander.pid, f"{began}1")
    state.end(held)
    assert bystander.poll() is None
    bystander.kill()
    bystander.wait()


@pytest.mark.parametrize("moment", [0.0, 0.02, 0.05, 0.1, None])
def test_what_a_killed_owner_left_is_ended(where: Folders, moment: float | None) -> None:
    run = [sys.executable, "-c", OWNER, str(where.cache), str(where.clusters)]
    owner = subprocess.Popen(run, stdout=subprocess.PIPE, text=True)
    assert owner.stdout is not None
    name = owner.stdout.readline().strip()
    if moment is None:
        assert owner.stdout.readline() == "up\n"
    else:
        time.sleep(moment)
    assert state.leftovers(where) == ()
    owner.send_signal(signal.SIGKILL)
    owner.wait()
    time.sleep(0.05)
    (left,) = state.leftovers(where)
    started = state.recorded(left)
    assert left.id == name
    assert len(started) == 20 if moment is None else len(started) <= 20
    assert state.sweep(where) == (name,)
    assert all(is_gone(process.pid) for process in started)
    assert list(where.clusters.iterdir()) == []


def test_a_kept_cluster_is_no_leftover(where: Folders) -> None:
    held = state.create("test", where=where)
    process = processes.start(held, "sleeper", ["sleep", "600"])
    state.change(held, kept=True, notes={"operators": ["jobset"]})
    found = state.change(held, notes={"port": 1})
    assert (found.kept, found.notes) == (True, {"operators": ["jobset"], "port": 1})
    text = (held.folder / "owner.json").read_text("utf-8")
    (held.folder / "owner.json").write_text(text.replace(f'"pid": {os.getpid()}', '"pid": 1'), "utf-8")
    assert state.leftovers(where) == ()
    state.change(held, kept=False)
    assert state.leftovers(where) == (held,)
    assert state.is_running(process)
    state.adopt(held)
    assert state.leftovers(where) == ()
    state.end(held)
    assert not processes.is_running(process)


def test_what_is_no_process_is_undone(where: Folders, tmp_path: Path) -> None:
    held = state.create("test", where=where)
    trace = tmp_path / "container"
    trace.touch()
    state.change(held, undo=(("rm", str(trace)),))
    state.end(held)
    assert not trace.exists()


def test_a_folder_that_was_being_made_goes_too(where: Folders) -> None:
    making = where.clusters / ".test-0"
    (making / "processes").mkdir(parents=True)
    assert state.sweep(where) == ()
    assert making.exists()  # who makes it may be about to say so
    os.utime(making, (0, 0))
    assert state.sweep(where) == ()
    assert not making.exists()


def test_free_ports_differ_also_between_calls_that_do_not_use_them_yet() -> None:
    found = [port for _ in range(10) for port in processes.free_ports(20)]
    assert len(set(found)) == 200
    assert max(found) < 32768, "from there on any connection may take a port"


def test_a_claim_ends(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(processes, "_PORTS", processes.free_ports(2))
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    assert len(processes.free_ports(2)) == 2
    with pytest.raises(ClusterError, match="no 1 free ports"):
        processes.free_ports(1)
    monkeypatch.setattr(processes, "_CLAIM_SECONDS", 0)
    assert len(processes.free_ports(2)) == 2
