"""Made-up gangs: definitions of tests.rigs with type selectors, nesting and gang instructions, and pods for them."""

from __future__ import annotations

import random
from typing import Any

from tests import rigs

Obj = dict[str, Any]

_KEYS = (
    ".metadata.labels.part",
    ".metadata.labels.group",
    ".metadata.labels.role",
    ".spec.priority",
    ".spec.priority | tostring",
    ".spec.priority * 4",
    '"fixed"',
    ".metadata.labels",
    ".spec.containers[].name",
    ".metadata.name",
    ".spec.hostNetwork",
    ".metadata.labels.missing",
)
_FILTERS = (
    '.metadata.labels.part == "single"',
    ".metadata.labels.group != null",
    ".metadata.labels.missing",
    ".spec.priority > 10",
    '.metadata.annotations | has("x")',
    '.spec.containers[].name == "main"',
    "1",
    "true",
)
_TYPES: tuple[Obj, ...] = (
    {"keyPath": ".metadata.labels.part"},
    {"keyPath": ".metadata.labels.part // .metadata.labels.role", "value": "worker"},
    {"keyPath": ".metadata.labels.part # which", "value": "head"},
    {"keyPath": '.metadata.labels.group == "red" and .metadata.labels.part', "value": "groups"},
    {"keyPath": '.metadata.labels.part == "head"', "value": "true"},
    {"keyPath": ".metadata.annotations | keys[]", "value": "x"},
    {"keyPath": ".spec.priority", "value": "5"},
    {"keyPath": ".spec.hostNetwork"},
)


def _select(rng: random.Random, component: Obj) -> None:
    """A type selector by the label part for most, an odd one or none for some."""
    chance = rng.random()
    selector = component.setdefault("podSelector", {})
    if chance < 0.65:
        selector["componentTypeSelector"] = {"keyPath": ".metadata.labels.part", "value": component["name"]}
    elif chance < 0.85:
        selector["componentTypeSelector"] = rng.choice(_TYPES)
    else:
        selector.pop("componentTypeSelector", None)
    if not selector:
        del component["podSelector"]


def _nest(rng: random.Random, children: list[Obj]) -> None:
    """Moves some components below others."""
    for i, child in enumerate(children):
        if i and rng.random() < 0.4:
            above = rng.choice(children[:i])
            chain, here = {child["name"]}, above["name"]
            owners = {c["name"]: c["ownerRef"] for c in children}
            while here in owners and here not in chain:
                here = owners[here]
            if here not in chain:
                child["ownerRef"] = above["name"]


def _members(rng: random.Random, names: list[str]) -> list[Obj]:
    members = []
    for name in rng.sample(names, rng.randint(1, len(names))):
        member: Obj = {"componentName": name}
        if rng.random() < 0.6:
            member["groupByKeyPaths"] = rng.sample(_KEYS, rng.randint(1, 2))
        if rng.random() < 0.4:
            member["filters"] = rng.sample(_FILTERS, rng.randint(1, 2))
        members.append(member)
    return members


def definition(seed: int) -> Obj:
    """One definition of TrainRig with gang instructions in both shapes; it passes the Go validator."""
    rng = random.Random(f"gang {seed}")
    made = rigs.definition(seed)
    structure = made["spec"]["structureDefinition"]
    children = structure["childComponents"]
    root = structure["rootComponent"]
    for child in children:
        _select(rng, child)
        if rng.random() < 0.15:
            child.pop("scaleDefinition", None)
        elif "scaleDefinition" not in child and "instanceIdPath" not in child and rng.random() < 0.6:
            child["scaleDefinition"] = {
                "replicasPath": rng.choice([".spec.replicas", "3", "70000", ".spec.head.count"])
            }
    if rng.random() < 0.2:
        for component in (root, *children):
            component.pop("scaleDefinition", None)
    _nest(rng, children)
    names = [root["name"], *(child["name"] for child in children)]
    groups = [{"name": f"g{i}", "members": _members(rng, names)} for i in range(rng.randint(1, 2))]
    made["spec"]["optimizationInstructions"] = {"gangScheduling": {"podGroups": groups}}
    made["metadata"]["labels"] = {
        "run.ai/karta-group": "demo.io",
        "run.ai/karta-version": "v1",
        "run.ai/karta-kind": "TrainRig",
    }
    return made


def pods(seed: int, count: int = 6) -> list[Obj]:
    """Pods of any component, some with a label missing, with large priorities or two containers."""
    rng = random.Random(f"pods {seed}")
    made = []
    for i in range(count):
        labels: Obj = {}
        if rng.random() < 0.85:
            labels["part"] = rng.choice(["single", "groups", "roles", "head", "frag", "team", "rig", "Odd"])
        if rng.random() < 0.7:
            labels["group"] = rng.choice(["red", "blue", "green", "pink", ""])
        if rng.random() < 0.7:
            labels["role"] = rng.choice(["worker", "launcher", "Driver", "nobody"])
        metadata: Obj = {"name": f"p{i}", "namespace": "lab", "labels": labels}
        if rng.random() < 0.3:
            metadata["annotations"] = {"x": "1"}
        names = ["main", "side"][: rng.randint(1, 2)]
        spec: Obj = {"containers": [{"name": name, "image": "i"} for name in names]}
        if rng.random() < 0.7:
            spec["priority"] = rng.choice([5, 0, 1_000_000, 250_000, 12_345_678])
        if rng.random() < 0.3:
            spec["hostNetwork"] = True
        made.append({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec})
    return made
