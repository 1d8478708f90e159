"""Valid definitions written from nothing but a CRD's types: pod templates, lists and maps of them, counts, phases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kartatest.jq.shape import Path, path_text
from kartatest.schema import Schema, Type
from kartatest.schema.model import Base

DEPTH = 7


@dataclass(frozen=True)
class Found:
    """A pod template or pod spec in a schema: its path (None for each entry), and the objects that it lies in."""

    path: Path
    type: Type
    holders: tuple[Type, ...]
    template: bool


def pods(root: Type) -> Iterator[Found]:
    """The pod templates and bare pod specs below spec that are in no other one, and under at most one list or map."""
    spec = root.fields.get("spec")
    if spec is not None:
        yield from _pods(spec, ("spec",), (root, spec))


def _is_spec(type_: Type) -> bool:
    return {"containers", "nodeSelector", "volumes"} <= type_.fields.keys()


def _pods(type_: Type, path: Path, holders: tuple[Type, ...]) -> Iterator[Found]:
    if len(path) > DEPTH or path.count(None) > 1:
        return
    spec = type_.fields.get("spec")
    if spec is not None and _is_spec(spec):
        yield Found(path, type_, holders[:-1], template=True)
        return
    if _is_spec(type_) and len(path) > 1:
        yield Found(path, type_, holders[:-1], template=False)
        return
    for name, kid in type_.fields.items():
        yield from _pods(kid, (*path, name), (*holders, kid))
    for entry in (type_.items, type_.additional):
        if entry is not None:
            yield from _pods(entry, (*path, None), (*holders, entry))


def guarded(path: Path) -> str:
    """A path as jq text with `[]?` for each entry."""
    return path_text(path).replace("[]", "[]?")


def definitions(schema: Schema) -> Iterator[dict[str, Any]]:
    """One definition for each pod template of a kind, and one for its status alone."""
    for number, found in enumerate(pods(schema.root)):
        yield _definition(schema, found, number)


def _definition(schema: Schema, found: Found, number: int) -> dict[str, Any]:
    group = schema.group.replace(".", "-") or "core"
    gvk = {"group": schema.group, "version": schema.version, "kind": schema.kind}
    root: dict[str, Any] = {"name": "root", "kind": gvk, "statusDefinition": _status(schema)}
    suspend = schema.at(("spec", "suspend"))
    if suspend is not None and suspend.base is Base.BOOLEAN:
        root["suspendDefinition"] = {
            "suspendActions": [{"path": ".spec.suspend", "value": "true"}],
            "resumeActions": [{"path": ".spec.suspend", "value": "false"}],
        }
    child = {"name": "part", "ownerRef": "root", "kind": {"group": "", "version": "v1", "kind": "Pod"}}
    child |= _spec(found)
    return {
        "apiVersion": "run.ai/v1alpha1",
        "kind": "Karta",
        "metadata": {"name": f"{group}-{schema.kind.lower()}-{schema.version}"},
        "spec": {"structureDefinition": {"rootComponent": root, "childComponents": [child]}},
    }


def _status(schema: Schema) -> dict[str, Any]:
    conditions = schema.at(("status", "conditions"))
    if conditions is not None and conditions.items is not None:
        asks = '([.status.conditions[]? | select(.type == "Ready")] | first).status == "True"'
        if {"type", "status"} <= conditions.items.fields.keys():
            return {
                "statusMappings": {
                    "running": [{"byExpression": {"expression": asks, "expectedResult": "true"}}],
                }
            }
    for name in ("state", "phase"):
        phase = schema.at(("status", name))
        if phase is not None and phase.base is Base.STRING:
            words = [w for w in phase.enum if w] or ["Running"]
            return {
                "phaseDefinition": {"path": f".status.{name}"},
                "statusMappings": {"running": [{"byPhase": w} for w in words]},
            }
    return {
        "statusMappings": {
            "running": [{"byExpression": {"expression": "(.status // {}) != {}", "expectedResult": "true"}}],
        }
    }


def _spec(found: Found) -> dict[str, Any]:
    path = found.path
    made: dict[str, Any] = {
        "specDefinition": {"podTemplateSpecPath" if found.template else "podSpecPath": guarded(path)},
        "podSelector": {"componentTypeSelector": {"keyPath": '.metadata.labels["example.io/role"]', "value": "part"}},
    }
    if None not in path:
        count = _count(found.holders[-1], path[:-1])
        if count:
            made["scaleDefinition"] = {"replicasPath": count}
        return made
    at = path.index(None)
    entry = found.holders[at + 1] if at + 1 < len(found.holders) else found.type
    holder = found.holders[at]
    listed = guarded(path[: at + 1])
    if holder.additional is not None:
        over = path_text(path[:at])
        made["instanceIdPath"] = f"{over} // {{}} | keys[]"
    else:
        name = next((n for n in ("name", "groupName") if n in entry.required), None)
        if name is None:
            made["instanceIdPath"] = f"{path_text(path[:at])} // [] | to_entries[] | .key | tostring"
        else:
            made["instanceIdPath"] = f"{listed}.{name}"
    count = _count(entry, ())
    if count:
        made["scaleDefinition"] = {"replicasPath": f"{listed} | {count}" if "//" in count else f"{listed}{count}"}
    made["podSelector"]["componentInstanceSelector"] = {"idPath": '.metadata.labels["example.io/part"]'}
    return made


def _count(type_: Type, path: Path) -> str:
    """The count beside a template, with the schema's own default; "" when there is none."""
    for name in ("replicas", "parallelism", "size"):
        kid = type_.fields.get(name)
        if kid is not None and kid.base is Base.INTEGER:
            here = path_text((*path, name))
            default = kid.default[0] if kid.default else 1
            return f"({here} // {default})"
    return ""
