"""What the steps of a scenario do to a cluster."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from kartatest.cluster.capture import POD, Watch
from kartatest.cluster.model import Cluster
from kartatest.cluster.scenario import Reference, Step
from kartatest.cluster.waits import until
from kartatest.definition.model import Gvk
from kartatest.errors import ClusterError
from kartatest.resolve.pods import is_deleting, is_finished
from kartatest.source import Json, JsonObject

Become: TypeAlias = Callable[[Cluster, JsonObject, str, str, int | None], None]
"""Makes a pod become something: the cluster, the pod, what, the reason ("" for the usual one), the exit code."""

NAMESPACE = Gvk("", "v1", "Namespace")
_GONE_SECONDS = 60.0


class Act:
    """One step on its way. `tried` does what can be done now and says whether all is done."""

    def __init__(self, cluster: Cluster, watch: Watch, step: Step, become: Become) -> None:
        self.cluster = cluster
        self.watch = watch
        self.step = step
        self.become = become
        self.target = watch.target
        self.waits_for = ""

    def tried(self) -> bool:
        """Do it, or as much as can be done now; whether it is done. Raises ApiError for what the server refuses."""
        return _ACTIONS[self.step.action](self)

    def reference(self, said: JsonObject) -> Reference:
        """The object that is meant: what is not said is that of the recorded one."""
        metadata: JsonObject = said.get("metadata") or {}
        gvk = self.target.gvk
        if "apiVersion" in said or "kind" in said:
            gvk = Gvk.of({"apiVersion": gvk.api_version, "kind": gvk.kind} | {k: said[k] for k in _KIND if k in said})
        name = metadata.get("name") or said.get("name") or self.target.name
        namespace = metadata.get("namespace") or said.get("namespace") or self.target.namespace
        return Reference(gvk, name, namespace)

    def found(self, reference: Reference) -> JsonObject | None:
        """The object as it is now."""
        return self.cluster.get(reference.gvk, reference.name, reference.namespace)


_KIND = ("apiVersion", "kind")


def _apply(act: Act) -> bool:
    for obj in act.step.objects:
        metadata = {"namespace": act.target.namespace, **obj["metadata"]}
        if not act.cluster.resource(Gvk.of(obj)).namespaced:
            metadata.pop("namespace")
        act.cluster.apply({**obj, "metadata": metadata}, force=True)
    return True


def _patch(act: Act) -> bool:
    resource: JsonObject = act.step.given["resource"]
    meant = act.reference(resource)
    patch = {key: part for key, part in resource.items() if key not in (*_KIND, "metadata")}
    metadata = {k: part for k, part in (resource.get("metadata") or {}).items() if k not in ("name", "namespace")}
    act.cluster.patch(meant.gvk, meant.name, meant.namespace, patch | ({"metadata": metadata} if metadata else {}))
    return True


def _delete(act: Act) -> bool:
    meant = act.reference(act.step.given.get("ref") or {})
    if not act.cluster.delete(meant.gvk, meant.name, meant.namespace):
        raise ClusterError(f"there is no {meant} to delete")
    return True


def _assert(act: Act) -> bool:
    resource: JsonObject = act.step.given["resource"]
    meant = act.reference(resource)
    found = act.found(meant)
    wanted = {key: part for key, part in resource.items() if key not in _KIND}
    differing = None if found is None else _differing(wanted, found, "")
    act.waits_for = f"{meant} does not exist" if found is None else differing or ""
    return found is not None and differing is None


def _differing(wanted: Json, found: Json, path: str) -> str | None:
    """Where the first field that is not as wanted stands, and what it is; None when all are. There may be more."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        told = (_differing(part, found.get(key), f"{path}.{key}") for key, part in wanted.items())
        return next(filter(None, told), None)
    if isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        told = (_differing(a, b, f"{path}[{i}]") for i, (a, b) in enumerate(zip(wanted, found, strict=True)))
        return next(filter(None, told), None)
    return None if wanted == found and type(wanted) is type(found) else f"{path or '.'} is {found!r}, not {wanted!r}"


def _wait(act: Act) -> bool:
    awaited: JsonObject = act.step.given.get("for") or {}
    if not awaited:
        return True
    meant = act.reference({key: part for key, part in act.step.given.items() if key != "for"})
    found = act.found(meant)
    if "deletion" in awaited:
        act.waits_for = f"{meant} is still there"
        return found is None
    name, value = awaited["condition"]["name"], awaited["condition"].get("value", "True")
    conditions = ((found or {}).get("status") or {}).get("conditions") or []
    status = next((c.get("status") for c in conditions if c.get("type") == name), None)
    act.waits_for = f"condition {name} of {meant} is {status or 'absent'}, not {value}"
    return str(status).lower() == str(value).lower()


def _pods(act: Act) -> bool:
    given = act.step.given
    labels: Mapping[str, str] = given.get("select") or {}
    live = [p for p in act.watch.own_pods(given.get("of") or "") if not is_finished(p) and not is_deleting(p)]
    meant = sorted(
        (p for p in live if all((p["metadata"].get("labels") or {}).get(k) == v for k, v in labels.items())),
        key=lambda pod: str(pod["metadata"]["name"]),
    )
    count = given.get("count")
    if len(meant) < (count or 1):
        act.waits_for = f"there are {len(meant)} such pods" if meant else "there is no such pod"
        return False
    for pod in meant[:count]:
        if given["become"] == "deleted":
            act.cluster.delete(POD, pod["metadata"]["name"], pod["metadata"]["namespace"])
        else:
            act.become(act.cluster, pod, given["become"], given.get("reason") or "", given.get("exitCode"))
    return True


def _scale(act: Act) -> bool:
    path: str = act.step.given.get("path") or ".spec.replicas"
    keys = [key or index for key, index in re.findall(r"\.(\w+)|\[(\d+)\]", path)]
    operation: Json = [{"op": "add", "path": "/" + "/".join(keys), "value": act.step.given["replicas"]}]
    if keys[-1].isdigit():
        operation[0]["op"] = "replace"  # "add" would insert into a list
    act.cluster.patch(act.target.gvk, act.target.name, act.target.namespace, operation, kind="json")
    return True


_ACTIONS: Mapping[str, Callable[[Act], bool]] = {
    "apply": _apply,
    "patch": _patch,
    "delete": _delete,
    "assert": _assert,
    "wait": _wait,
    "pods": _pods,
    "scale": _scale,
}


def no_become(_cluster: Cluster, _pod: JsonObject, what: str, _reason: str, _exit_code: int | None) -> None:
    """For clusters whose pods are real."""
    raise ClusterError(f"pods of this cluster cannot be made {what}: only those of the lab are played")


def cleared(cluster: Cluster, namespace: str) -> None:
    """Make the namespace. One that is on its way out, as after an earlier run, is waited for; any other is an error:
    what is in it would not be new.
    """

    def is_gone() -> bool:
        found = cluster.get(NAMESPACE, namespace)
        if found is not None and not found["metadata"].get("deletionTimestamp"):
            raise ClusterError(f"namespace {namespace} exists already; delete it, or name another in the scenario")
        return found is None

    until(is_gone, waiting_for=f"that an earlier namespace {namespace} is gone", timeout_seconds=_GONE_SECONDS)
    cluster.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}})
