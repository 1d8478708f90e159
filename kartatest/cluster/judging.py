"""What a scenario says of each moment: decided by its own predicates, never by the definition that is tested."""

from __future__ import annotations

from dataclasses import dataclass, field

from kartatest.cluster.scenario import Expected, Step
from kartatest.jq.errors import JqError
from kartatest.source import JsonObject


@dataclass
class Judge:
    """Follows an object through the steps of a scenario.

    status: what the last moment reads; None before the first of which something was said. faults: what was wrong.
    """

    status: str | None = None
    step: Step | None = None
    faults: list[str] = field(default_factory=list)
    _seen: set[str] = field(default_factory=set)
    _moments: int = 0

    def begin(self, step: Step) -> None:
        """From now on moments belong to this step."""
        self.step = step
        self._seen = set()
        self._moments = 0

    def read(self, obj: JsonObject) -> str | None:
        """The status that a person reads in an object at this moment.

        Of those that the step names, `expect` first, then `through` in its order, the first whose predicate holds;
        when none does, that of the moment before. None when nothing was ever said.
        """
        self._moments += 1
        for expected in self._named():
            if self._holds(expected, obj):
                self.status = expected.status
                break
        if self.status is not None:
            self._seen.add(self.status)
        return self.status

    def _named(self) -> tuple[Expected, ...]:
        if self.step is None:
            return ()
        return (*((self.step.expect,) if self.step.expect else ()), *self.step.through)

    def _holds(self, expected: Expected, obj: JsonObject) -> bool:
        from kartatest.resolve.evaluate import program

        if not expected.when:
            return True
        compiled = program(expected.when)
        try:
            if isinstance(compiled, JqError):
                raise compiled
            return compiled.run(obj) == [True]
        except JqError as error:
            message = f"what tells {expected.status} apart fails: {error.message}"
            if message not in self.faults:
                self.faults.append(message)
            return False

    @property
    def reached(self) -> bool:
        """Whether the step's status holds now, after at least one moment of its own, and what had to be seen was."""
        if self.step is None:
            return True
        needs_a_moment = self.step.action not in ("wait", "assert") and self.step.expect is not None
        if needs_a_moment and not self._moments:
            return False
        return (self.step.expect is None or self.status == self.step.expect.status) and not self.missing

    @property
    def missing(self) -> tuple[str, ...]:
        """Statuses of the step that have to be seen on the way and were not."""
        if self.step is None:
            return ()
        return tuple(e.status for e in self.step.through if e.must and e.status not in self._seen)
