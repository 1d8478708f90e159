"""Recordings through a definition: a tree per frame, what was expected of it, and what every expression gave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from kartatest.catalog import fitting
from kartatest.definition.evidence import ComponentEvidence, Evidence, FrameEvidence, MinimumEvidence, Outcome
from kartatest.definition.model import Definition, Expr, Gvk, Matcher, Root, Status
from kartatest.definition.walk import cycles
from kartatest.recording.model import Frame, Recording
from kartatest.resolve.evaluate import Evaluator, Unreadable, evaluated_by, program
from kartatest.resolve.model import Component, Instance, PodShape, Problem, StatusResult, Tree
from kartatest.resolve.status import holds
from kartatest.resolve.tree import resolve
from kartatest.source import DocPath, Json

if TYPE_CHECKING:
    from kartatest.jq.worker import Worker

_FAILS = "fails"


@dataclass(frozen=True, slots=True)
class FrameResult:
    """What the definition read in one frame.

    expected: words of the statuses that should hold, for the last frame at least the recording's `want`; None where
    nobody said.
    """

    frame: Frame
    tree: Tree
    expected: tuple[str, ...] | None
    read: Evaluator | None = field(default=None, compare=False, repr=False)
    """What ran the definition's expressions on the frame's object."""

    @property
    def statuses(self) -> tuple[str, ...]:
        """Words of the statuses that hold, in the fixed order; () when none are mapped or reading them failed."""
        return tuple(status.value for status in self.tree.statuses)

    @property
    def ok(self) -> bool | None:
        """Whether exactly the expected statuses hold, order aside; None where nobody said."""
        if self.expected is None:
            return None
        return not self.tree.status.problems and set(self.statuses) == set(self.expected)

    @property
    def overlaps(self) -> bool:
        """Whether several statuses hold at once."""
        return len(self.statuses) > 1

    @property
    def undefined(self) -> bool:
        """Whether no mapped status holds although some are mapped."""
        return self.statuses == (Status.UNDEFINED.value,)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All that could not be read: the statuses first, then component by component."""
        return (*self.tree.status.problems, *(p for c in self.tree.walk() for p in c.problems))


@dataclass(frozen=True, slots=True)
class Replay:
    """One recording through one definition."""

    definition: Definition
    recording: Recording
    frames: tuple[FrameResult, ...]


def replay(definition: Definition, recording: Recording) -> Replay:
    """Resolve every frame. Never raises on an object; the definition may be for another kind."""
    return Replay(definition, recording, tuple(_results(definition, recording)))


def _results(definition: Definition, recording: Recording) -> Iterator[FrameResult]:
    last = len(recording.frames) - 1
    read: Evaluator | None = None
    for i, frame in enumerate(recording.frames):
        read = read.at(frame.obj) if read is not None else Evaluator(frame.obj, keeping=True)
        tree = resolve(definition, frame.obj, pods=frame.pods, owners=frame.owners, evaluator=read)
        expected = frame.expected
        if expected is None and recording.want and i == last:
            expected = (recording.want,)
        yield FrameResult(frame, tree, expected, read)


def choose(recording: Recording, definitions: Iterable[Definition]) -> Definition | None:
    """The definition that a recording is for: the one it names, else as `catalog.fitting` does for its object's kind.

    None when nothing fits, also for a recording without a name and frames.
    """
    gvk = Gvk.of(recording.frames[0].obj) if recording.frames else Gvk("", "", "")
    return fitting(gvk, definitions, name=recording.definition)


def evidence(definition: Definition, recordings: Iterable[Recording]) -> Evidence:
    """What the recordings show of the definition, frame by frame in the order given."""
    from kartatest.definition.walk import expressions

    by_root: dict[Root, list[Expr]] = {root: [] for root in Root}
    for expr in expressions(definition):
        by_root[expr.root].append(expr)
    gathering = _Gathering(definition, by_root[Root.WORKLOAD], by_root[Root.POD])
    return Evidence(
        tuple(
            gathering.frame(recording, result)
            for recording in recordings
            for result in replay(definition, recording).frames
        )
    )


class _Gathering:
    """Makes evidence of frames; what an object or a pod gave is looked at once, however many frames have it."""

    def __init__(self, definition: Definition, workload: Sequence[Expr], pod: Sequence[Expr]) -> None:
        self._definition = definition
        self._workload = workload
        self._pod = pod
        self._last: tuple[Evaluator, dict[DocPath, Outcome]] | None = None
        self._pods: dict[int, tuple[Json, dict[DocPath, Outcome]]] = {}

    def frame(self, recording: Recording, result: FrameResult) -> FrameEvidence:
        """What one frame shows."""
        frame, status = result.frame, result.tree.status
        workload = result.read or Evaluator(frame.obj)
        return FrameEvidence(
            recording=recording.name,
            frame=frame.index,
            statuses=result.statuses,
            expected=result.expected,
            phase=status.phase,
            conditions=tuple((c.type, c.status, c.reason) for c in status.conditions),
            outcomes=self._of_object(workload),
            pod_outcomes=self._of_pods(frame.pods),
            components=tuple(_component_evidence(c) for c in result.tree.walk()),
            minima=_minima(self._definition, result.tree, workload),
        )

    def _of_object(self, workload: Evaluator) -> dict[DocPath, Outcome]:
        if self._last is None or self._last[0] is not workload:
            every = {expr.at: workload.made(expr.at, partial(_outcome, expr, workload)) for expr in self._workload}
            self._last = workload, every
        return self._last[1]

    def _of_pods(self, pods: Sequence[Json]) -> dict[DocPath, tuple[Outcome, ...]]:
        if not pods or not self._pod:
            return {}
        by_pod = [self._of_pod(pod) for pod in pods]
        return {expr.at: tuple([found[expr.at] for found in by_pod]) for expr in self._pod}

    def _of_pod(self, pod: Json) -> dict[DocPath, Outcome]:
        known = self._pods.get(id(pod))
        if known is None:  # the pod is kept, so that its id stays its own
            known = self._pods[id(pod)] = pod, _outcomes(self._pod, Evaluator(pod))
        return known[1]


def _minima(definition: Definition, tree: Tree, workload: Evaluator) -> tuple[MinimumEvidence, ...]:
    if definition.gang is None or any(cycles(definition)):
        return ()
    from kartatest.gang.seen import minima

    return minima(definition, tree, workload)


def _outcomes(expressions: Iterable[Expr], evaluator: Evaluator) -> dict[DocPath, Outcome]:
    return {expr.at: _outcome(expr, evaluator) for expr in expressions}


def _outcome(expr: Expr, evaluator: Evaluator) -> Outcome:
    try:
        return Outcome(tuple(evaluator.outputs(expr)))
    except Unreadable as error:
        return Outcome(error=error.problem.message)


def _component_evidence(component: Component) -> ComponentEvidence:
    return ComponentEvidence(
        name=component.name,
        ids=tuple(instance.id for instance in component.instances),
        results=dict(component.results or {}),
        containers=tuple(_containers(instance) for instance in component.instances),
        problems=tuple(problem.message for problem in component.problems),
    )


def _containers(instance: Instance) -> int | None:
    """How many containers the instance's pod has; None where there is no pod spec, or fragments that name none."""
    pod = instance.pod
    if pod is None or pod.missed:
        return None
    in_fragments = pod.template is None and pod.spec is None
    return sum(1 for _ in containers(instance)) or (None if in_fragments and _leaves_containers(pod) else 0)


def _leaves_containers(pod: PodShape) -> bool:
    """Whether the fragments say nothing of containers, so that the operator makes them."""
    fragments = pod.fragments or {}
    return fragments.get("containersPath") is None and fragments.get("containerPath") is None


def containers(instance: Instance) -> Iterator[Json]:
    """The containers of the instance's pod as written, init containers left out; in fragments, the single one last."""
    pod = instance.pod
    if pod is None:
        return
    spec = pod.template.get("spec") if pod.template is not None else pod.spec
    fragments = pod.fragments or {}
    listed = spec.get("containers") if isinstance(spec, dict) else fragments.get("containersPath")
    if isinstance(listed, list):
        yield from listed
    if not isinstance(spec, dict) and fragments.get("containerPath") is not None:
        yield fragments["containerPath"]


@dataclass(frozen=True, slots=True)
class Reach:
    """How much of a definition the recordings exercise. missed: places of what they never reach.

    missed has expressions in the order of the file, then matchers in that of their statuses.
    """

    reached: int
    total: int
    missed: tuple[DocPath, ...]

    @property
    def percent(self) -> float:
        """0 to 100; 100 for a definition with nothing to reach."""
        return 100.0 * self.reached / self.total if self.total else 100.0


def reach(definition: Definition, recordings: Iterable[Recording]) -> Reach:
    """Expressions that gave a value other than null in some frame, and matchers that held in some frame.

    A matcher's expression counts as a part of its matcher. Pod expressions count as well: where no frame has pods they
    are missed.
    """
    from kartatest.definition.walk import expressions

    status = definition.root.status
    matchers = [m for mapping in (status.mappings if status else ()) for m in mapping.matchers]
    inside = {m.expression.at for m in matchers if m.expression is not None}
    wanted = [e for e in expressions(definition) if e.at not in inside]
    found: set[DocPath] = set()
    for recording in recordings:
        for result in replay(definition, recording).frames:
            evaluator = result.read or Evaluator(result.frame.obj)
            pods = [Evaluator(pod) for pod in result.frame.pods]
            for expr in wanted:
                if any(_gives(expr, e) for e in (pods if expr.root is Root.POD else [evaluator])):
                    found.add(expr.at)
            found |= {m.at for m in matchers if m.at not in found and _held(m, result.tree.status, evaluator)}
    places = [*(e.at for e in wanted), *(m.at for m in matchers)]
    missed = tuple(at for at in places if at not in found)
    return Reach(len(places) - len(missed), len(places), missed)


def _gives(expr: Expr, evaluator: Evaluator) -> bool:
    return any(value is not None for value in _outcome(expr, evaluator).outputs)


def _held(matcher: Matcher, status: StatusResult, evaluator: Evaluator) -> bool:
    try:
        return holds(matcher, status.phase, {c.type: c for c in status.conditions}, evaluator)
    except Unreadable:
        return False


def disagreements(definition: Definition, recordings: Iterable[Recording]) -> tuple[str, ...]:
    """Where libjq gives something else than our engine for an expression, one line each; () when they agree everywhere.

    Two failures agree whatever their words. What our engine refuses or stops is not run by libjq, which has no bounds.
    """
    from kartatest.definition.walk import expressions

    texts = dict.fromkeys((e.root, e.text) for e in expressions(definition))
    found: list[str] = []
    for recording in recordings:
        for frame in recording.frames:
            where = f"frame {frame.index} of {recording.name}"
            found += differing([text for root, text in texts if root is Root.WORKLOAD], frame.obj, where)
            for index, pod in enumerate(frame.pods):
                found += differing([text for root, text in texts if root is Root.POD], pod, f"{where}, pod {index}")
    return tuple(found)


@contextmanager
def by_libjq(definition: Definition, worker: Worker) -> Iterator[None]:
    """Within, the definition's expressions are run by libjq in the worker's bounds, and our engine is not asked."""
    from kartatest.definition.walk import expressions
    from kartatest.jq.reference import Reference

    with evaluated_by(Reference((e.text for e in expressions(definition)), worker).run):
        yield


def differing(texts: Sequence[str], obj: Json, where: str) -> Iterator[str]:
    """As `disagreements`, for texts on one object."""
    from kartatest.jq import libjq
    from kartatest.jq.errors import JqBudgetError, JqError

    ours: dict[str, str] = {}
    for text in texts:
        compiled = program(text)
        if isinstance(compiled, JqError):
            continue
        try:
            ours[text] = _shown(compiled.run(obj))
        except JqBudgetError:
            continue
        except JqError:
            ours[text] = _FAILS
    for text, result in zip(ours, libjq.evaluate(tuple(ours), obj), strict=True):
        theirs = _FAILS if result.error is not None else _shown(result.outputs)
        if ours[text] != theirs:
            yield f"{where}: {' '.join(text.split())} {ours[text]}, and {theirs} with libjq"


def _shown(outputs: Sequence[Json]) -> str:
    """ "gives 1, 2": equal outputs look equal, whatever the order of keys and the form of numbers."""
    import json

    from kartatest.jq.libjq import normalise

    return "gives " + (", ".join(json.dumps(normalise(v), ensure_ascii=False) for v in outputs) or "nothing")
