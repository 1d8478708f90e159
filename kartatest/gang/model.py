"""Pod groups that a scheduler makes of a workload's pods, and where each pod ends up."""

from __future__ import annotations

from typing import Literal

from kartatest.resolve.minimum import Refusal as Refusal
from kartatest.value import value

Outcome = Literal["grouped", "default", "refused", "crash", "ignored"]
"""grouped: in a group that the definition asks for. default: alone, or in a group that knows nothing of the definition.
refused: the scheduler says no, and why. crash: its pod grouper panics. ignored: not its pod, it looks no further."""

UID = "<uid>"
"""Stands in names for the uid of an object that has none yet."""

NO_PODS = "without pods there are no groups: pods tell the group keys"


@value
class TopologyConstraint:
    """Where the pods of a group have to be close to each other; a level that is not asked for is ""."""

    name: str
    preferred: str = ""
    required: str = ""


@value
class SubGroup:
    """A part of a pod group: at least min_member of its pods are placed together."""

    name: str
    min_member: int
    topology: TopologyConstraint | None = None


@value
class PodGroup:
    """One pod group. With subgroups min_sub_group is their number and min_member None, otherwise the other way round.

    queue is None where the scheduler's queues are not asked about.
    """

    name: str
    min_member: int | None = None
    min_sub_group: int | None = None
    sub_groups: tuple[SubGroup, ...] = ()
    topology: TopologyConstraint | None = None
    queue: str | None = None


@value
class Place:
    """Where one pod ends up. pod is its name; text says why, in a sentence without full stop, "" when it goes well.

    reason is a stable word for the kind of refusal or crash ("zero-scale", "group-key"), "" when there is none.
    """

    pod: str
    outcome: Outcome
    group: str | None = None
    sub_group: str | None = None
    text: str = ""
    reason: str = ""


@value
class Gangs:
    """groups in the order of their first pods; pods in the order given.

    notes are sentences for people: numbers on which scheduler and definition differ, and what else surprises.
    blocked: without pods, why every pod will be refused, or the scheduler crash on it; "" when it will not.
    """

    groups: tuple[PodGroup, ...] = ()
    pods: tuple[Place, ...] = ()
    notes: tuple[str, ...] = ()
    blocked: str = ""

    def group(self, name: str | None) -> PodGroup | None:
        """The group of that name."""
        return next((g for g in self.groups if g.name == name), None)

    @property
    def held(self) -> tuple[Place, ...]:
        """Pods that no scheduler starts: refused ones, and those on which it crashes."""
        return tuple(p for p in self.pods if p.outcome in ("refused", "crash"))
