"""What happens to a pod of the lab, written to its status: kwok starts pods and leaves alone what is written later."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256

from kartatest.cluster.model import Cluster
from kartatest.cluster.waits import until
from kartatest.definition.model import Gvk
from kartatest.errors import ClusterError
from kartatest.source import Json, JsonObject

POD = Gvk("", "v1", "Pod")
HOLD = "lab.karta/hold"
"""Annotation of pods that are not to start, with the value "true"."""

_START_SECONDS = 10.0
_PRESSURE = "The node was low on resource: memory."
_PODS_OWN = ("PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady")


def become(cluster: Cluster, pod: JsonObject, what: str, reason: str = "", exit_code: int | None = None) -> None:
    """Make a pod running, ready, unready, crashing, succeeded, failed, out-of-memory, evicted or unschedulable.

    reason and exit_code are those of its containers ("" and None: the usual ones); evicted and unschedulable have
    reasons of their own. A pod that is about to start is waited for. Raises ClusterError for another word, a pod that
    is gone, or one that has not started after ten seconds and is not held.
    """
    if what not in _PHASES:
        raise ClusterError(f"a pod cannot become {what!r}; it can become {', '.join(_PHASES)}")
    name, namespace = pod["metadata"]["name"], pod["metadata"]["namespace"]

    def settled() -> JsonObject | None:
        now = cluster.get(POD, name, namespace)
        if now is None:
            raise ClusterError(f"pod {name} is gone and cannot become {what}")
        return None if _is_starting(now) and what != "unschedulable" else now

    found = until(settled, waiting_for=f"that pod {name} starts", timeout_seconds=_START_SECONDS, every_seconds=0.1)
    patch = {"status": status(found, what, reason, exit_code, _now())}
    cluster.patch(POD, name, namespace, patch, subresource="status")


def _is_starting(pod: JsonObject) -> bool:
    """Whether kwok will start it in a moment: it has a node, waits, and nobody holds it."""
    held = (pod["metadata"].get("annotations") or {}).get(HOLD) == "true"
    said: Mapping[str, Json] = pod.get("status") or {}
    refused = any(c["type"] == "PodScheduled" and c["status"] == "False" for c in said.get("conditions") or ())
    waits = said.get("phase", "Pending") == "Pending" and not said.get("podIP")
    return waits and bool(pod["spec"].get("nodeName")) and not held and not refused


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


_PHASES: Mapping[str, str] = {
    "running": "Running",
    "ready": "Running",
    "unready": "Running",
    "crashing": "Running",
    "succeeded": "Succeeded",
    "failed": "Failed",
    "out-of-memory": "Failed",
    "evicted": "Failed",
    "unschedulable": "Pending",
}


def status(pod: JsonObject, what: str, reason: str, exit_code: int | None, now: str) -> dict[str, Json]:
    """A merge patch of the pod's status, as a kubelet of 1.34 would have it; what stays is not in it."""
    phase = _PHASES[what]
    patch: dict[str, Json] = {"phase": phase, "conditions": _conditions(pod, what, now)}
    if what == "unschedulable":
        return {**patch, "containerStatuses": None, "initContainerStatuses": None}
    said: Mapping[str, Json] = pod.get("status") or {}
    if not said.get("startTime"):
        patch["startTime"] = now
    if phase == "Running" and not said.get("podIP"):
        address = _address(pod)
        patch |= {"podIP": address, "podIPs": [{"ip": address}]}
    if what == "evicted":
        patch |= {"reason": "Evicted", "message": _PRESSURE}
    patch["containerStatuses"] = [
        _container(pod, "containerStatuses", container, what, reason, exit_code, now)
        for container in pod["spec"]["containers"]
    ]
    if init := pod["spec"].get("initContainers"):
        patch["initContainerStatuses"] = [_init(pod, container, what, now) for container in init]
    return patch


def _address(pod: JsonObject) -> str:
    """An address for a pod that was held: a pod that runs has one, and Services lead to it. Nothing listens there."""
    high, low = sha256("/".join(pod["metadata"][key] for key in ("namespace", "name")).encode()).digest()[:2]
    return f"10.64.{high}.{max(low, 1)}"


def _conditions(pod: JsonObject, what: str, now: str) -> list[Json]:
    """All conditions of the pod: those that change, and the others as they were."""
    wanted: dict[str, tuple[str, str, str]] = {}
    match what:
        case "unschedulable":
            wanted["PodScheduled"] = ("False", "Unschedulable", "0 of the nodes have room for this pod.")
        case "running" | "ready":
            wanted |= dict.fromkeys(("PodScheduled", *_PODS_OWN), ("True", "", ""))
        case "unready" | "crashing":
            names = " ".join(container["name"] for container in pod["spec"]["containers"])
            told = ("False", "ContainersNotReady", f"containers with unready status: [{names}]")
            wanted |= dict.fromkeys(_PODS_OWN[:2], ("True", "", "")) | dict.fromkeys(_PODS_OWN[2:], told)
        case "succeeded":
            wanted["Initialized"] = ("True", "PodCompleted", "")
            wanted |= dict.fromkeys(_PODS_OWN[2:], ("False", "PodCompleted", ""))
        case _:
            wanted |= dict.fromkeys(_PODS_OWN[2:], ("False", "PodFailed", ""))
    if what == "evicted":
        wanted["DisruptionTarget"] = ("True", "TerminationByKubelet", _PRESSURE)
    before = {c["type"]: c for c in (pod.get("status") or {}).get("conditions") or ()}
    if what == "unschedulable":
        before = {}
    return [*(c for kind, c in before.items() if kind not in wanted), *_changed(before, wanted, now)]


def _changed(before: Mapping[str, Json], wanted: Mapping[str, tuple[str, str, str]], now: str) -> list[Json]:
    found = []
    for kind, (value, reason, message) in wanted.items():
        same = before.get(kind, {}).get("status") == value
        since = before[kind].get("lastTransitionTime", now) if same else now
        texts = {"reason": reason, "message": message}
        found.append(
            {"type": kind, "status": value, "lastTransitionTime": since} | {k: v for k, v in texts.items() if v}
        )
    return found


def _container(
    pod: JsonObject, where: str, container: JsonObject, what: str, reason: str, exit_code: int | None, now: str
) -> dict[str, Json]:
    said: Mapping[str, Json] = next(
        (c for c in (pod.get("status") or {}).get(where) or () if c["name"] == container["name"]), {}
    )
    restarts = int(said.get("restartCount", 0))
    since = ((said.get("state") or {}).get("running") or {}).get("startedAt") or now
    running = {"running": {"startedAt": since}}
    found: dict[str, Json] = {
        "name": container["name"],
        "image": container.get("image", ""),
        "imageID": said.get("imageID", ""),
        "restartCount": restarts,
        "ready": what in ("running", "ready"),
        "started": what in ("running", "ready", "unready"),
        "state": running,
    }
    if what == "crashing":
        ended = _ended(exit_code if exit_code is not None else 1, reason or "Error", since, now)
        told = f"back-off 10s restarting failed container={container['name']}"
        found |= {"restartCount": restarts + 1, "lastState": ended}
        found["state"] = {"waiting": {"reason": "CrashLoopBackOff", "message": told}}
    elif what not in ("running", "ready", "unready"):
        usual = {"succeeded": (0, "Completed"), "out-of-memory": (137, "OOMKilled"), "evicted": (137, "Error")}
        code, word = usual.get(what, (1, "Error"))
        found["state"] = _ended(code if exit_code is None else exit_code, reason or word, since, now)
    return found


def _init(pod: JsonObject, container: JsonObject, what: str, now: str) -> dict[str, Json]:
    """An init container has run; one that is a sidecar does as the others do, and ends well."""
    if container.get("restartPolicy") == "Always":
        alike = {"failed": "succeeded", "out-of-memory": "succeeded", "crashing": "running", "unready": "running"}
        return _container(pod, "initContainerStatuses", container, alike.get(what, what), "", None, now)
    found = _container(pod, "initContainerStatuses", container, "succeeded", "", 0, now)
    said = (pod.get("status") or {}).get("initContainerStatuses") or ()
    before = next((c.get("state") for c in said if c["name"] == container["name"]), None) or {}
    return {**found, "ready": True, "state": before if "terminated" in before else found["state"]}


def _ended(code: int, reason: str, since: str, now: str) -> dict[str, Json]:
    return {"terminated": {"exitCode": code, "reason": reason, "startedAt": since, "finishedAt": now}}
