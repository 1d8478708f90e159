"""Recordings leave out what says nothing: times, messages, all of an owner but its name. A server asks for some of it.

What is left out is put there for the server alone and taken out again of what it gives back. Only that: a field that
tells something about the workload is never made up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Final

from kartatest.source import DocPath, Json, JsonObject

_TIME: Final = "2001-01-01T00:00:00Z"
_TIMES: Final = frozenset(
    {
        "completionTime",
        "creationTime",
        "endTime",
        "finishedAt",
        "lastHeartbeatTime",
        "lastProbeTime",
        "lastTransitionTime",
        "lastUpdateTime",
        "startTime",
        "startedAt",
    }
)
_WORDS: Final[Mapping[str, str]] = {"message": "", "reason": "LeftOut"}
"""Of conditions alone."""

_CONTAINERS: Final = [{"name": "left-out", "image": "left-out"}]
_LABELS: Final = {"left-out": "true"}
_TEMPLATE: Final = {"metadata": {"labels": _LABELS}, "spec": {"containers": _CONTAINERS}}
_SELECTED: Final = {"selector": {"matchLabels": _LABELS}, "template": _TEMPLATE}
_JOB: Final = {"template": {"spec": {"containers": _CONTAINERS, "restartPolicy": "Never"}}}
_STUBS: Final[Mapping[tuple[str, str], Json]] = {
    ("v1", "Pod"): {"containers": _CONTAINERS},
    ("v1", "ReplicationController"): {"selector": _LABELS, "template": _TEMPLATE},
    ("apps/v1", "Deployment"): _SELECTED,
    ("apps/v1", "ReplicaSet"): _SELECTED,
    ("apps/v1", "DaemonSet"): _SELECTED,
    ("apps/v1", "StatefulSet"): {**_SELECTED, "serviceName": "left-out"},
    ("batch/v1", "Job"): _JOB,
    ("batch/v1", "CronJob"): {"schedule": "@yearly", "jobTemplate": {"spec": _JOB}},
}


def whole(obj: JsonObject) -> tuple[dict[str, Json], tuple[DocPath, ...]]:
    """The object with what every server asks for, and the places of what was added.

    That is the spec of an owner or a pod that has none, the selector of a kind that selects by one, uids of owners.
    """
    found, added = _with_owner_uids(obj)
    made, more = _with_spec(found)
    return made, (*added, *more)


def _with_owner_uids(obj: JsonObject) -> tuple[JsonObject, tuple[DocPath, ...]]:
    references = (obj.get("metadata") or {}).get("ownerReferences")
    if not isinstance(references, list) or all(reference.get("uid") for reference in references):
        return obj, ()
    lacking = [i for i, reference in enumerate(references) if not reference.get("uid")]
    named = [{**reference, "uid": reference.get("uid") or "left-out"} for reference in references]
    changed = {**obj, "metadata": {**obj["metadata"], "ownerReferences": named}}
    return changed, tuple([("metadata", "ownerReferences", i, "uid") for i in lacking])


def _with_spec(obj: JsonObject) -> tuple[dict[str, Json], tuple[DocPath, ...]]:
    stub = _STUBS.get((str(obj.get("apiVersion")), str(obj.get("kind"))))
    if stub is None:
        return dict(obj), ()
    if "spec" not in obj:
        return {**obj, "spec": deepcopy(stub)}, (("spec",),)
    spec = obj["spec"]
    if not isinstance(spec, dict) or "selector" not in stub or spec.get("selector"):
        return dict(obj), ()
    return _selected(obj, spec)


def _selected(obj: JsonObject, spec: JsonObject) -> tuple[dict[str, Json], tuple[DocPath, ...]]:
    """With the selector of the template's labels, and labels where it has none."""
    template = spec.get("template")
    template = template if isinstance(template, dict) else {}
    metadata = template.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    labels = metadata.get("labels") or _LABELS
    whole_template = {**template, "metadata": {**metadata, "labels": labels}}
    selector = labels if obj.get("apiVersion") == "v1" else {"matchLabels": labels}
    made = {**obj, "spec": {**spec, "selector": selector, "template": whole_template}}
    added: list[DocPath] = [("spec", "selector")]
    if not metadata.get("labels"):
        added.append(("spec", "template", "metadata", "labels"))
    return made, tuple(added)


def left_out(causes: Iterable[tuple[str, str]]) -> dict[DocPath, Json]:
    """What to put at the places that a server says are required; {} when it names anything else than such places."""
    found: dict[DocPath, Json] = {}
    for field, message in causes:
        at = place(field)
        if not at:
            continue  # "<nil>": some rules were not looked at because of the others
        if not message.startswith("Required value") or not isinstance(at[-1], str):
            return {}
        if at[-1] in _TIMES:
            found[at] = _TIME
        elif at[-1] in _WORDS and len(at) > 2 and str(at[-3]).lower().endswith("conditions"):
            found[at] = _WORDS[at[-1]]
        else:
            return {}
    return found


def place(field: str) -> DocPath:
    """A server's words for a place as a path: "status.conditions[0].type", "metadata.labels[a.b/c]". "<nil>" is ()."""
    if field == "<nil>":
        return ()
    steps: list[str | int] = []
    for name, bracketed in re.findall(r"([^.\[\]]+)|\[([^\]]*)\]", field):
        steps.append(name or (int(bracketed) if bracketed.isdecimal() else bracketed))
    return tuple(steps)


def put(obj: JsonObject, added: Mapping[DocPath, Json]) -> dict[str, Json]:
    """A copy with a value at each place; places that are not there are left out."""
    changed: dict[str, Json] = deepcopy(dict(obj))
    for at, found in added.items():
        holder = _holder(changed, at)
        if isinstance(holder, dict) and isinstance(at[-1], str):
            holder.setdefault(at[-1], found)
    return changed


def without(obj: JsonObject, added: Iterable[DocPath]) -> dict[str, Json]:
    """A copy without what stands at these places."""
    changed: dict[str, Json] = deepcopy(dict(obj))
    for at in added:
        holder = _holder(changed, at)
        if isinstance(holder, dict):
            holder.pop(str(at[-1]), None)
    return changed


def _holder(found: Json, at: DocPath) -> Json:
    for step in at[:-1]:
        if isinstance(step, int):
            found = found[step] if isinstance(found, list) and step < len(found) else None
        else:
            found = found.get(step) if isinstance(found, dict) else None
    return found
