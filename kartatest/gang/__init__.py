"""Pod groups: what a definition asks for, and what a scheduler makes of it.

    groups(definition, obj, pods, owners=, consumer=, others=) -> Gangs

Without a consumer counts mean what they say (group, minimum); consumer="kai" predicts KAI Scheduler (kai, arithmetic).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kartatest.errors import UsageError

if TYPE_CHECKING:
    from kartatest.definition.model import Definition
    from kartatest.gang.model import Gangs
    from kartatest.source import JsonObject

__all__ = ["CONSUMERS", "Gangs", "groups"]

CONSUMERS = ("kai",)
"""Schedulers whose behaviour can be predicted."""


def groups(
    definition: Definition,
    obj: JsonObject,
    pods: Sequence[JsonObject] = (),
    *,
    owners: Sequence[JsonObject] = (),
    consumer: str | None = None,
    others: Sequence[Definition] = (),
) -> Gangs:
    """The pod groups of one workload, and the place of each pod.

    owners: objects between and above pods and workload. others: further definitions that the scheduler finds, for
    this kind or for an owner's. Anything wrong with definition or object ends in a pod's outcome; the only error
    raised is UsageError, for a consumer that is not known.
    """
    if consumer is None:
        from kartatest.gang.group import grouped

        return grouped(definition, obj, pods, owners)
    if consumer == "kai":
        from kartatest.gang.kai import predicted

        return predicted((definition, *others), obj, pods, owners)
    raise UsageError(f"the consumer {consumer!r} is not known, only {', '.join(map(repr, CONSUMERS))}")


def __getattr__(name: str) -> Any:
    if name != "Gangs":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from kartatest.gang.model import Gangs

    return Gangs
