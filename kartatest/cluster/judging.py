"""What a scenario says of each moment: decided by its own predicates, never by the definition that is tested."""

from __future__ import annotations

from dataclasses import dataclass, field

from kartatest.cluster.scenario import Expected, Step
from kartatest.definition.model import Expr, Use
from kartatest.source import JsonObject


@dataclass
class Judge:
    """Follows an object through the steps of a scenario.

    status: what the last moment reads; None before the first of which something was said. holds: whether it is what
    the step expects in the end. faults: what was wrong.
    """

    status: str | None = None
    step: Step | None = None
    faults: list[str] = field(default_factory=list)
    holds: bool = False
    _obj: JsonObject | None = None
    _seen: set[str] = field(default_factory=set)

    def begin(self, step: Step) -> None:
        """From now on moments belong to this step."""
        self.step = step
        self._seen = set()
        self.holds = step.expect is None
        if step.expect is not None and self._obj is not None and step.action in ("wait", "assert"):
            self.holds = step.expect.status == self.status and self._holds(step.expect, self._obj)

    def read(self, obj: JsonObject) -> str | None:
        """The status that a person reads in an object at this moment.

        Of those that the step names, `expect` first, then `through` in its order, the first whose predicate holds;
        when none does, that of the moment before. None when nothing was ever said.
        """
        self._obj = obj
        for expected in self._named():
            if self._holds(expected, obj):
                self.status = expected.status
                self.holds = self.step is not None and expected is self.step.expect
                break
        if self.status is not None:
            self._seen.add(self.status)
        return self.status

    def _named(self) -> tuple[Expected, ...]:
        if self.step is None:
            return ()
        return (*((self.step.expect,) if self.step.expect else ()), *self.step.through)

    def _holds(self, expected: Expected, obj: JsonObject) -> bool:
        from kartatest.resolve.evaluate import Evaluator, Unreadable

        if not expected.when:
            return True
        try:
            return Evaluator(obj).outputs(Expr((), expected.when, Use.MATCHER)) == [True]
        except Unreadable as error:
            message = f"what tells {expected.status} apart fails: {error.problem.message}"
            if message not in self.faults:
                self.faults.append(message)
            return False

    @property
    def reached(self) -> bool:
        """Whether what is expected holds since a moment of the step's own, and what had to be seen was.

        A step that only waits needs no moment of its own where all is as expected already.
        """
        return self.holds and not self.missing

    @property
    def missing(self) -> tuple[str, ...]:
        """Statuses of the step that have to be seen on the way and were not."""
        if self.step is None:
            return ()
        return tuple(e.status for e in self.step.through if e.must and e.status not in self._seen)
