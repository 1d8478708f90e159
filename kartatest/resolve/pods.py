"""What one live pod says of itself: its phase, whether it counts, its node, and why it is not ready."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.source import Json, JsonObject

PHASES = ("Pending", "Running", "Succeeded", "Failed", "Unknown")
"""What a pod may say of itself, in the order of its life."""

_STARTING = ("ContainerCreating", "PodInitializing")
"""What a container says that only waits for its turn."""


def name(pod: Json) -> str:
    """The pod's name, "" where it has none."""
    return _text(_object(pod, "metadata").get("name"))


def node(pod: JsonObject) -> str:
    """The node that the pod is bound to, "" before it is."""
    return _text(_object(pod, "spec").get("nodeName"))


def phase(pod: JsonObject) -> str:
    """The pod's phase; a pod without one has only just been made and is Pending, any other word is "Unknown"."""
    found = _status(pod).get("phase")
    return found if found in PHASES else "Unknown" if found else "Pending"


def is_ready(pod: JsonObject) -> bool:
    """Whether the pod's Ready condition is True."""
    conditions = _status(pod).get("conditions")
    return isinstance(conditions, list) and any(
        isinstance(c, dict) and c.get("type") == "Ready" and c.get("status") == "True" for c in conditions
    )


def is_finished(pod: JsonObject) -> bool:
    """Whether the pod has ended, so that it holds no resources any more."""
    return _status(pod).get("phase") in ("Succeeded", "Failed")


def is_deleting(pod: JsonObject) -> bool:
    """Whether somebody has asked for the pod to go."""
    return bool(_object(pod, "metadata").get("deletionTimestamp"))


def is_current(pod: JsonObject) -> bool:
    """Whether the pod is one of those that the workload has now: Pending or Running, and not being deleted.

    A failed pod stays beside its replacement, and one that is being deleted beside its successor; neither counts.
    """
    return phase(pod) in ("Pending", "Running") and not is_deleting(pod)


def reason(pod: JsonObject) -> str:
    """Why a pod is not ready, in Kubernetes' words; "" where it is, has succeeded, or nobody says.

    The most telling word counts: "Deleting"; why it is not scheduled; the status's own reason, as of an eviction; what
    a container waits for, or how it ended; the reason of a False Ready condition.
    """
    if is_deleting(pod):
        return "Deleting"
    if is_ready(pod) or _status(pod).get("phase") == "Succeeded":
        return ""
    return (
        _false_reason(pod, "PodScheduled")
        or _text(_status(pod).get("reason"))
        or _of_containers(pod)
        or _false_reason(pod, "Ready")
    )


def _of_containers(pod: JsonObject) -> str:
    """What a container waits for, but for its mere turn; else how one ended badly; else that it waits for its turn."""
    waiting, ended = [], []
    for container in _containers(pod):
        state = _object(container, "state")
        waiting.append(_text(_object(state, "waiting").get("reason")))
        end = _object(state, "terminated")
        if end.get("exitCode") != 0:
            ended.append(_text(end.get("reason")))
    stuck = [word for word in waiting if word and word not in _STARTING]
    return next(iter([*stuck, *filter(None, ended), *filter(None, waiting)]), "")


def _containers(pod: JsonObject) -> Iterator[Json]:
    for key in ("initContainerStatuses", "containerStatuses"):
        found = _status(pod).get(key)
        yield from found if isinstance(found, list) else ()


def _false_reason(pod: JsonObject, kind: str) -> str:
    conditions = _status(pod).get("conditions")
    for condition in conditions if isinstance(conditions, list) else ():
        if isinstance(condition, dict) and condition.get("type") == kind and condition.get("status") == "False":
            return _text(condition.get("reason"))
    return ""


def _status(pod: JsonObject) -> JsonObject:
    return _object(pod, "status")


def _object(value: Json, key: str) -> JsonObject:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""
