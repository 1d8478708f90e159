"""`karta lab`: a real API server with real operators and played pods, as processes of this machine."""

from __future__ import annotations

import contextlib
import fcntl
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import field
from pathlib import Path

from kartatest.cluster import build, kwok, operators, running, state
from kartatest.cluster.model import Cluster
from kartatest.cluster.operators.model import Chosen, Operator
from kartatest.cluster.state import State
from kartatest.errors import ClusterError, UsageError
from kartatest.value import value

STAGES = Path(__file__).with_name("stages.yaml")
NODES = 4
NAME = "lab"
_NOTE = "lab"
_NAMES = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?")

Say = Callable[[str], None]


@value
class Lab:
    """A lab that is up. stand_ins: what parts are played by programs of ours, in words; a recording has to say so."""

    name: str
    cluster: Cluster
    state: State
    operators: tuple[Chosen, ...]

    @property
    def stand_ins(self) -> tuple[str, ...]:
        """Of all its operators, () when everything is the real thing but kubelets."""
        return tuple([told for chosen in self.operators for told in chosen.operator.stand_ins])


@value
class Shown:
    """What is known of a lab from outside. phase: up, starting, broken (some of its processes ended) or ended."""

    name: str
    phase: str
    state: State
    operators: tuple[str, ...] = ()
    since: float = 0
    ended: tuple[str, ...] = field(default=())


def known(files: Sequence[Operator] = ()) -> Mapping[str, Operator]:
    """The operators by name: those of karta, and those of the user's files, which go before."""
    return {**operators.built_in(), **{operator.name: operator for operator in files}}


@contextmanager
def up(
    words: Sequence[str] = (),
    *,
    name: str = "",
    files: Sequence[Operator] = (),
    nodes: int = NODES,
    say: Say = lambda _: None,
    timeout_seconds: float = 180,
) -> Iterator[Lab]:
    """A lab with these operators ("jobset", "lws@v0.7.0"), ended with the context, also when this process is killed:
    then by the next `state.sweep`, which a later lab or `karta lab down` does.

    Raises UsageError for an operator that is not known, ClusterError for what is missing or does not start.
    """
    chosen = operators.ordered(words, known(files))
    for one in chosen:
        running.binary(one)
    state.sweep()
    held = _claimed(name)
    try:
        yield _started(held, name or held.id, chosen, nodes, say, timeout_seconds)
    finally:
        state.end(held)


def start(
    words: Sequence[str] = (),
    *,
    name: str = NAME,
    files: Sequence[Operator] = (),
    nodes: int = NODES,
    say: Say = lambda _: None,
    timeout_seconds: float = 180,
) -> Lab:
    """A lab as `up` makes it, but one that stays until `down`. What fails on the way leaves nothing."""
    chosen = operators.ordered(words, known(files))
    for one in chosen:
        running.binary(one)
    state.sweep()
    held = _claimed(name or NAME)
    try:
        lab = _started(held, name or NAME, chosen, nodes, say, timeout_seconds)
        state.change(held, kept=True)
    except BaseException:
        state.end(held)
        raise
    return lab


def _claimed(name: str) -> State:
    """A folder for a lab. Raises UsageError when one of that name is there; two that come at once see each other."""
    if name and not _NAMES.fullmatch(name):
        raise UsageError(f"{name!r} cannot be the name of a lab: give letters and digits, between them also - _ and .")
    clusters = state.folders().clusters
    try:
        clusters.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = (clusters.parent / "labs.lock").open("w")
    except OSError as error:
        raise ClusterError(f"cannot keep a lab's state in {clusters}: {error.strerror or error}") from None
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if name and find(name):
            raise UsageError(f"a lab called {name!r} is there; `karta lab down {name}` ends it, --name gives another")
        held = state.create("lab")
        state.change(held, notes={_NOTE: name or held.id, "since": time.time()})
        return held


def _started(held: State, name: str, chosen: Sequence[Chosen], nodes: int, say: Say, timeout_seconds: float) -> Lab:
    end = time.monotonic() + timeout_seconds
    state.change(held, notes={"operators": [str(one) for one in chosen]})
    say("API server, controllers, scheduler, kubelets")
    wanted = kwok.Wanted(controllers=True, scheduler=True, kubelets=(STAGES,), nodes=nodes)
    with ThreadPoolExecutor(1) as meanwhile:
        reading = [meanwhile.submit(running.read_crds, one) for one in chosen]
        cluster = kwok.create(held, wanted, timeout_seconds=timeout_seconds)
        crds = [read.result() for read in reading]
    pki = held.folder / "kwok" / "clusters" / held.id / "pki"
    all_running = [running.Running(one, cluster, held, pki) for one in chosen]
    kinds = []
    for one, read in zip(all_running, crds, strict=True):
        if read:
            say(f"CRDs of {one.chosen}")
            kinds += one.crds(read)
    running.served(cluster, kinds, timeout_seconds=max(10.0, end - time.monotonic()))
    for one in all_running:
        say(f"{one.chosen}")
        one.objects()
        one.start()
    for one in all_running:
        one.wait(max(10.0, end - time.monotonic()))
        one.after()
    return Lab(name, cluster, held, tuple(chosen))


def labs() -> tuple[Shown, ...]:
    """The labs of this user that are there, in any state, by name."""
    found = [shown for held in state.states() if (shown := _shown(held))]
    return tuple(sorted(found, key=lambda shown: shown.name))


def find(name: str) -> Shown | None:
    """The lab of that name; None when there is none."""
    return next((shown for shown in labs() if shown.name == name), None)


def _shown(held: State) -> Shown | None:
    owner = state.owner(held)
    if owner is None or _NOTE not in owner.notes:
        return None
    ended = tuple([p.name for p in state.recorded(held) if p.name != "kwokctl" and not state.is_running(p)])
    phase = "up" if owner.kept else "starting"
    if ended:
        phase = "broken"
    if state.is_left(held) or (not any(state.is_running(p) for p in state.recorded(held)) and owner.kept):
        phase = "ended"
    names = owner.notes.get("operators")
    words = tuple([str(word) for word in names]) if isinstance(names, list) else ()
    since = owner.notes.get("since")
    return Shown(
        str(owner.notes[_NOTE]), phase, held, words, float(since) if isinstance(since, (int, float)) else 0, ended
    )


def attach(name: str = NAME, files: Sequence[Operator] = ()) -> Lab:
    """A lab that `start` made. Raises ClusterError when there is none, or it is not up."""
    shown = find(name)
    if shown is None:
        raise ClusterError(f"there is no lab {name!r}; `karta lab up --name {name}` starts one")
    if shown.phase == "starting":
        raise ClusterError(f"the lab {name!r} is not up yet; try again in a moment")
    if shown.phase == "ended":
        raise ClusterError(f"the lab {name!r} has ended; `karta lab down {name}` takes away what is left of it")
    chosen = tuple([operators.choose(word, known(files)) for word in shown.operators])
    return Lab(name, kwok.attach(shown.state), shown.state, chosen)


def down(names: Sequence[str]) -> tuple[str, ...]:
    """Ends labs, and what killed runs left; names of all that was ended, () when there was nothing."""
    ended = []
    for name in names:
        shown = find(name)
        if shown is not None:
            state.end(shown.state)
            ended.append(name)
    return (*ended, *state.sweep())


def programs(chosen: Sequence[Chosen]) -> Iterator[build.Program]:
    """What has to be built for these operators, and for every lab."""
    yield from build.CORE
    for one in chosen:
        with contextlib.suppress(StopIteration):
            if one.program is not None:
                yield one.program
