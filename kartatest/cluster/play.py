"""Runs a scenario in a cluster and makes a recording of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from kartatest.cluster.capture import Moment, Told, Watch, recording, watching
from kartatest.cluster.judging import Judge
from kartatest.cluster.model import Cluster
from kartatest.cluster.scenario import Scenario, Step
from kartatest.cluster.steps import NAMESPACE, Act, Become, cleared, no_become
from kartatest.errors import ClusterError
from kartatest.recording.model import Recording
from kartatest.value import value

QUIET_SECONDS = 0.6
_TURN_SECONDS = 0.1


@value
class Played:
    """What came of a scenario. faults: in the order of the steps, what was not as expected; () when all was.

    recording is None when nothing was seen. seconds: how long it took.
    """

    recording: Recording | None
    faults: tuple[str, ...]
    seconds: float


@dataclass
class _Run:
    """A scenario on its way through a cluster."""

    cluster: Cluster
    scenario: Scenario
    watch: Watch
    become: Become
    told: Callable[[str], None]
    judge: Judge = field(default_factory=Judge)
    moments: list[Told] = field(default_factory=list)

    def step(self, index: int, step: Step) -> str | None:
        """Make a step; what was not as expected, None when all was."""
        where = f"step {index + 1} ({step.title})"
        self.told(f"{where}{f': expecting {step.expect.status}' if step.expect else ''}")
        act = Act(self.cluster, self.watch, step, self.become)
        self.judge.begin(step)
        note = step.name
        end = time.monotonic() + step.timeout_seconds
        done, quiet_since = False, time.monotonic()
        while True:
            try:
                done = done or act.tried()
            except ClusterError as error:
                return f"{where}: {error}"
            moment = self.watch.next(_TURN_SECONDS)
            now = time.monotonic()
            if moment is not None:
                note = self._keep(moment, note)
                quiet_since = now
            elif done and self._is_over(step) and now - quiet_since >= QUIET_SECONDS:
                if step.gang and self.moments:
                    self.moments[-1] = replace(self.moments[-1], gang=step.gang)
                return None
            if self.watch.lost:
                return f"{where}: {self.watch.lost}"
            if now > end:
                return f"{where}: {self._late(act, step, done=done)}"

    def _is_over(self, step: Step) -> bool:
        return self.watch.gone if _ends(step, self.scenario) else self.judge.reached

    def _keep(self, moment: Moment, note: str) -> str:
        """Keep a moment with what it should read; the note that is left for the next one."""
        status = self.judge.read(moment.obj)
        self.moments.append(Told(moment, status, note))
        pods = f"{len(moment.pods)} pod{'' if len(moment.pods) == 1 else 's'}"
        self.told(f"  frame {len(self.moments) - 1}: {status or 'nobody says'}, {pods}")
        return ""

    def _reads(self) -> str:
        return f"it is {self.judge.status}" if self.judge.status else "and no predicate gave true"

    def _late(self, act: Act, step: Step, *, done: bool) -> str:
        within = f"within {step.timeout_seconds:g} s"
        if not done:
            return f"not done {within}: {act.waits_for or 'it never came to it'}"
        if step.expect is not None and self.judge.status != step.expect.status:
            return f"{step.expect.status} was not reached {within}, {self._reads()}"
        if step.expect is not None and not self.judge.holds:
            return f"it reads {step.expect.status}, but {step.expect.when!r} did not come to hold {within}"
        if self.judge.missing:
            return f"{', '.join(self.judge.missing)} was never seen on the way"
        return f"it did not come to rest {within}"


def _ends(step: Step, scenario: Scenario) -> bool:
    """Whether a step deletes the object that is recorded, after which there is no status to wait for."""
    said = step.given.get("ref") or {}
    kind = {"apiVersion": scenario.target.gvk.api_version, "kind": scenario.target.gvk.kind}
    meant = {**kind, "name": scenario.target.name}
    return step.action == "delete" and all(said.get(key) in (None, part) for key, part in meant.items())


def play(
    cluster: Cluster,
    scenario: Scenario,
    *,
    version: str,
    become: Become = no_become,
    unmarked: Sequence[str] = (),
    source: str = "",
    told: Callable[[str], None] = lambda _line: None,
) -> Played:
    """Run the steps in order, up to the first that does not end as expected, in a namespace made for it.

    The namespace is deleted afterwards, without waiting for its end. told gets a line for each step and frame.
    unmarked: annotations of pods that are not recorded. Raises ClusterError when nothing could be begun.
    """
    began = time.monotonic()
    namespace = scenario.target.namespace
    cleared(cluster, namespace)
    faults: list[str] = []
    try:
        with watching(cluster, scenario.target, pods=scenario.pods, unmarked=unmarked) as watch:
            run = _Run(cluster, scenario, watch, become, told)
            for index, step in enumerate(scenario.steps):
                fault = run.step(index, step)
                if fault is not None:
                    faults.append(fault)
                    break
    finally:
        cluster.delete(NAMESPACE, namespace)
    untold = [str(index) for index, told in enumerate(run.moments) if told.status is None]
    if untold:
        faults.append(f"nothing says what frames {', '.join(untold)} read")
    of = Recording(
        f"{version}-{scenario.flow}.yaml",
        scenario.definition,
        scenario.operator,
        version,
        scenario.flow,
        (),
        None,
        source or None,
    )
    made = recording(run.moments, of) if run.moments else None
    return Played(made, (*faults, *run.judge.faults), time.monotonic() - began)
