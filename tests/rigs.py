"""Made-up definitions and objects, seeded: a kind TrainRig of demo.io/v1 with every shape a component can have.

`valid(n)` gives definitions that the Go validator takes, `invalid(n)` ones it refuses (with the name of what was
broken), `objects(n)` whole objects, from healthy to odd: fields missing, null, of another type, counts as text.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

Obj = dict[str, Any]

POD_FIELDS = ("cpu", "memory", "nvidia.com/gpu")


def _maybe(rng: random.Random, chance: float = 0.5) -> bool:
    return rng.random() < chance


# --- objects -------------------------------------------------------------------------------------------------------


def _resources(rng: random.Random) -> Obj:
    amounts = {"cpu": ["100m", "1", "2500m", 2], "memory": ["64Mi", "1Gi", "1G"], "nvidia.com/gpu": ["1", 4, "8"]}
    picked = {name: rng.choice(amounts[name]) for name in POD_FIELDS if _maybe(rng)}
    return {rng.choice(["requests", "limits"]): picked} if picked else {}


def _container(rng: random.Random, name: str) -> Obj:
    return {"name": name, "image": f"img/{name}:{rng.randrange(3)}", "resources": _resources(rng)}


def _pod_spec(rng: random.Random) -> Obj:
    spec: Obj = {"containers": [_container(rng, n) for n in ("main", "side")[: rng.randint(1, 2)]]}
    if _maybe(rng, 0.3):
        spec["initContainers"] = [_container(rng, "warm")]
    if _maybe(rng, 0.3):
        spec["nodeSelector"] = {"zone": rng.choice("ab")}
    if _maybe(rng, 0.3):
        spec["priorityClassName"] = "high"
    return spec


def _template(rng: random.Random) -> Any:
    if _maybe(rng, 0.05):
        return rng.choice([None, "text", 5, []])
    template: Obj = {"spec": _pod_spec(rng)}
    if _maybe(rng):
        template["metadata"] = {"labels": {"team": rng.choice("xyz")}}
    return template


def _count(rng: random.Random) -> Any:
    return rng.choice([0, 1, 2, 3, 7, None, "2", "+3", "-1", " 2", "2.0", "", 2.0, 2.5, 2**31, True, [1]])


def _small_count(rng: random.Random) -> Any:
    return rng.choice([0, 1, 2, 3, 7]) if _maybe(rng, 0.85) else _count(rng)


def _group(rng: random.Random, name: Any) -> Obj:
    group: Obj = {"name": name, "template": _template(rng)}
    for key in ("replicas", "min", "max"):
        if _maybe(rng, 0.7):
            group[key] = _small_count(rng)
    if _maybe(rng, 0.6):
        group["pod"] = _pod_spec(rng)
    return group


def _condition(rng: random.Random) -> Any:
    if _maybe(rng, 0.06):
        return rng.choice([None, "text", 3, {}])
    condition: Obj = {"type": rng.choice(["Ready", "Done", "Failed", "Suspended", "Created"])}
    if _maybe(rng, 0.9):
        condition["status"] = rng.choice(["True", "False", "Unknown", True])
    if _maybe(rng):
        condition["reason"] = rng.choice(["Evicted", "Ok", "Waiting"])
    if _maybe(rng, 0.3):
        condition["message"] = "so it is"
    return condition


def _status(rng: random.Random) -> Any:
    status: Obj = {}
    if _maybe(rng, 0.7):
        status["phase"] = rng.choice(["Running", "Pending", "Done", "Broken", "", None, 4])
    if _maybe(rng, 0.8):
        status["conditions"] = [_condition(rng) for _ in range(rng.randrange(4))]
    if _maybe(rng):
        status["items"] = [{"ready": rng.randrange(3)} for _ in range(rng.randrange(3))]
    for key in ("ready", "failed"):
        if _maybe(rng):
            status[key] = rng.randrange(4)
    return status


def obj(seed: int) -> Obj:
    """One TrainRig; the same seed gives the same object."""
    rng = random.Random(f"object {seed}")
    spec: Obj = {}
    if _maybe(rng, 0.8):
        spec["template"] = _template(rng)
    if _maybe(rng, 0.8):
        spec["replicas"] = _small_count(rng)
    if _maybe(rng, 0.8):
        names: list[Any] = ["red", "blue", "green"][: rng.randrange(4)]
        if names and _maybe(rng, 0.15):
            names[-1] = rng.choice([None, "", names[0], 7, "a b"])
        spec["groups"] = [_group(rng, name) for name in names]
    if _maybe(rng, 0.8):
        roles = ["worker", "launcher", "Driver", "α"][: rng.randrange(5)]
        rng.shuffle(roles)
        spec["roles"] = {r: {"template": _template(rng), "count": _small_count(rng)} for r in roles}
    if _maybe(rng, 0.8):
        spec["head"] = {"pod": _pod_spec(rng), "meta": {"labels": {"part": "head"}, "annotations": {"a": "1"}}}
    if _maybe(rng, 0.8):
        frag: Obj = {"containers": [_container(rng, "frag")], "resources": _resources(rng), "image": "img/frag:1"}
        frag |= {"scheduler": "bin", "labels": {"l": "1"}, "priority": "low", "one": _container(rng, "one")}
        spec["frag"] = {key: value for key, value in frag.items() if _maybe(rng, 0.7)}
    if _maybe(rng):
        spec["suspend"] = rng.choice([True, False, None])
    whole: Obj = {
        "apiVersion": "demo.io/v1",
        "kind": "TrainRig",
        "metadata": {"name": f"rig-{seed}", "namespace": "lab", "generation": rng.randrange(1, 4)},
        "spec": spec,
    }
    if _maybe(rng, 0.9):
        whole["status"] = _status(rng)
    return whole


def objects(count: int, start: int = 0) -> list[Obj]:
    """So many objects, from this seed on."""
    return [obj(start + i) for i in range(count)]


# --- valid definitions ---------------------------------------------------------------------------------------------


def _child(name: str, owner: str, **parts: Any) -> Obj:
    return {"name": name, "ownerRef": owner, **parts}


def _scale(rng: random.Random, **paths: list[str]) -> Obj:
    scale = {f"{key}Path": rng.choice(texts) for key, texts in paths.items() if _maybe(rng, 0.7)}
    return {"scaleDefinition": scale} if scale or _maybe(rng, 0.1) else {}


def _instance_selector(label: str) -> Obj:
    return {
        "componentTypeSelector": {"keyPath": f".metadata.labels.{label}"},
        "componentInstanceSelector": {"idPath": f".metadata.labels.{label}"},
    }


def _single(rng: random.Random, owner: str) -> Obj:
    path = rng.choice(
        [".spec.template", ".spec.template", ".spec.tmpl", ".spec.groups[].template", ".spec.groups[0]?.template"]
    )
    scale = _scale(
        rng, replicas=[".spec.replicas", ".spec.replicas // 1", "3", ".spec.replicas?"], minReplicas=["1", ".spec.min"]
    )
    return _child("single", owner, specDefinition={"podTemplateSpecPath": path}, **scale)


def _groups(rng: random.Random, owner: str) -> Obj:
    spec = rng.choice(
        [
            {
                "podTemplateSpecPath": rng.choice(
                    [".spec.groups[].template", ".spec.groups[]?.template", "(.spec.groups // [])[] | .template"]
                )
            },
            {"podSpecPath": rng.choice([".spec.groups[]?.pod", ".spec.groups[]? | .pod"])},
        ]
    )
    scale = _scale(
        rng,
        replicas=[".spec.groups[]?.replicas", ".spec.groups[]? | (.replicas // 1)", ".spec.groups[]?.replicas // 1"],
        minReplicas=[".spec.groups[]?.min", ".spec.groups[]? | .min // 0"],
        maxReplicas=[".spec.groups[]?.max"],
    )
    ids = rng.choice([".spec.groups[]?.name", ".spec.groups[].name", ".spec.groups // [] | map(.name)[]"])
    return _child(
        "groups", owner, instanceIdPath=ids, specDefinition=spec, podSelector=_instance_selector("group"), **scale
    )


def _roles(rng: random.Random, owner: str) -> Obj:
    ids = rng.choice([".spec.roles // {} | keys[]", ".spec.roles // {} | to_entries[] | .key", ".spec.roles | keys[]"])
    spec = {
        "podTemplateSpecPath": rng.choice(
            [".spec.roles[]?.template", ".spec.roles // {} | to_entries[] | .value.template"]
        )
    }
    scale = _scale(rng, replicas=[".spec.roles[]?.count", ".spec.roles // {} | .[] | .count"])
    return _child(
        "roles", owner, instanceIdPath=ids, specDefinition=spec, podSelector=_instance_selector("role"), **scale
    )


def _head(rng: random.Random, owner: str) -> Obj:
    spec: Obj = {"podSpecPath": rng.choice([".spec.head.pod", ".spec.head | .pod", ".spec.head.pods"])}
    if _maybe(rng):
        spec["metadataPath"] = ".spec.head.meta"
    return _child("head", owner, specDefinition=spec)


def _fragmented(rng: random.Random, owner: str) -> Obj:
    paths = {
        "containersPath": ".spec.frag.containers",
        "containerPath": ".spec.frag.one",
        "resourcesPath": ".spec.frag.resources",
        "imagePath": ".spec.frag.image",
        "schedulerNamePath": ".spec.frag.scheduler",
        "labelsPath": ".spec.frag.labels",
        "priorityClassNamePath": rng.choice([".spec.frag.priority", '.spec.frag.priority // "none"']),
    }
    picked = {key: path for key, path in paths.items() if _maybe(rng, 0.6)}
    return _child("frag", owner, specDefinition={"fragmentedPodSpecDefinition": picked})


def _team(rng: random.Random, owner: str) -> Obj:
    return _child("team", owner, **_scale(rng, replicas=[".spec.replicas", "2"]))


_MATCHERS: tuple[Callable[[random.Random], Obj], ...] = (
    lambda rng: {"byPhase": rng.choice(["Running", "Done", "Broken", "Pending"])},
    lambda rng: {
        "byConditions": [{"type": rng.choice(["Ready", "Done", "Failed"]), "status": rng.choice(["True", "False"])}]
    },
    lambda rng: {"byConditions": [{"type": "Failed", "reason": "Evicted"}, {"type": "Created"}]},
    lambda rng: {"byConditions": [{"type": "Suspended"}], "byPhase": "Pending"},
    lambda rng: {"byExpression": {"expression": rng.choice(_EXPRESSIONS), "expectedResult": rng.choice(_RESULTS)}},
)
_EXPRESSIONS = (
    ".status.ready == 1",
    ".status.ready",
    ".spec.suspend",
    ".status.failed // 0",
    ".status.items[] | .ready",
    ".status.items[]?.ready > 0",
    "[.status.items[]?.ready] | add",
    ".status.missing",
    "(.status.ready // 0) >= (.spec.replicas // 0)",
    ".metadata.generation",
    '[.status.conditions[]? | select(.type == "Ready")] | length',
    ".status | tojson",
    "empty",
    ".spec.roles // {} | keys",
    ".spec.replicas * 2",
)
_RESULTS = ("true", "false", "1", "0", "null", "2", "3", "[]", "4")
_STATUSES = ("initializing", "running", "completed", "failed", "degraded", "suspended", "suspending", "resuming")


def _status_definition(rng: random.Random) -> Obj:
    names = ["typeFieldName", "statusFieldName", "messageFieldName", "reasonFieldName"]
    fields = dict(zip(names, ["type", "status", "message", "reason"], strict=True))
    mappings = {}
    for status in rng.sample(_STATUSES, rng.randint(1, 5)):
        mappings[status] = [rng.choice(_MATCHERS)(rng) for _ in range(rng.randint(1, 2))]
    return {
        "phaseDefinition": {"path": rng.choice([".status.phase", ".status.phase // empty", ".status.items[]?.ready"])},
        "conditionsDefinition": {
            "path": rng.choice([".status.conditions", ".status.conditions", ".status.conditions[]?"]),
            **fields,
        },
        "statusMappings": mappings,
    }


def definition(seed: int) -> Obj:
    """One definition of TrainRig that passes the Go validator."""
    rng = random.Random(f"definition {seed}")
    root: Obj = {
        "name": "rig",
        "kind": {"group": "demo.io", "version": "v1", "kind": "TrainRig"},
        "statusDefinition": _status_definition(rng),
    }
    if _maybe(rng, 0.2):
        root["specDefinition"] = {"podTemplateSpecPath": ".spec.template"}
    if _maybe(rng, 0.4):
        root["suspendDefinition"] = {
            "suspendActions": [{"path": ".spec.suspend", "value": "true"}],
            "resumeActions": [{"path": ".spec.suspend", "value": "false"}],
        }
    makers = [m for m in (_single, _groups, _roles, _head, _fragmented) if _maybe(rng, 0.6)] or [_single]
    children = []
    owner = "rig"
    if _maybe(rng, 0.3):
        children.append(_team(rng, "rig"))
        owner = "team"
    children += [maker(rng, rng.choice(["rig", owner])) for maker in makers]
    rng.shuffle(children)
    return {
        "apiVersion": "run.ai/v1alpha1",
        "kind": "Karta",
        "metadata": {"name": f"demo-io-trainrig-v1-{seed}"},
        "spec": {"structureDefinition": {"rootComponent": root, "childComponents": children}},
    }


def valid(count: int, start: int = 0) -> list[Obj]:
    """So many definitions that the Go validator takes."""
    return [definition(start + i) for i in range(count)]


# --- broken definitions --------------------------------------------------------------------------------------------


def _structure(d: Obj) -> Obj:
    found: Obj = d["spec"]["structureDefinition"]
    return found


def _root(d: Obj) -> Obj:
    found: Obj = _structure(d)["rootComponent"]
    return found


def _first(d: Obj) -> Obj:
    found: Obj = _structure(d)["childComponents"][0]
    return found


def _set_expression(d: Obj, text: str) -> None:
    _root(d)["statusDefinition"]["statusMappings"]["running"] = [
        {"byExpression": {"expression": text, "expectedResult": "true"}}
    ]


def _members(d: Obj, name: str) -> None:
    d["spec"]["optimizationInstructions"] = {
        "gangScheduling": {"podGroups": [{"name": "g", "members": [{"componentName": name}]}]}
    }


BREAKS: dict[str, Callable[[Obj], Any]] = {
    "no root kind": lambda d: _root(d).pop("kind"),
    "no root version": lambda d: _root(d)["kind"].update(version=""),
    "no root kind word": lambda d: _root(d)["kind"].update(kind=""),
    "no root group": lambda d: _root(d)["kind"].update(group=""),
    "root owned": lambda d: _root(d).update(ownerRef="team"),
    "root owned by nothing": lambda d: _root(d).update(ownerRef=""),
    "no root status": lambda d: _root(d).pop("statusDefinition"),
    "child without owner": lambda d: _first(d).pop("ownerRef"),
    "child with empty owner": lambda d: _first(d).update(ownerRef=""),
    "unknown owner": lambda d: _first(d).update(ownerRef="rigg"),
    "self owned": lambda d: _first(d).update(ownerRef=_first(d)["name"]),
    "name twice": lambda d: _structure(d)["childComponents"].append(copy.deepcopy(_first(d))),
    "name of the root": lambda d: _first(d).update(name="rig"),
    "empty name": lambda d: _first(d).update(name=""),
    "two pod specs": lambda d: _first(d).update(
        specDefinition={"podSpecPath": ".spec.a", "podTemplateSpecPath": ".spec.template"}
    ),
    "ids without selector": lambda d: (
        _first(d).update(instanceIdPath=".spec.x[]?.name"),
        _first(d).pop("podSelector", None),
    ),
    "selector without ids": lambda d: (
        _first(d).update(podSelector=_instance_selector("x")),
        _first(d).pop("instanceIdPath", None),
    ),
    "jq syntax": lambda d: _set_expression(d, ".status.["),
    "jq two comparisons": lambda d: _set_expression(d, ".a == .b == 1"),
    "jq del": lambda d: _set_expression(d, "del(.status)"),
    "jq assignment": lambda d: _set_expression(d, ".status.ready |= 1"),
    "jq recursion": lambda d: _set_expression(d, "[..] | length > 3"),
    "jq range": lambda d: _set_expression(d, "[range(3)] | length == 3"),
    "jq paths": lambda d: _set_expression(d, "[paths] | length == 3"),
    "jq walk": lambda d: _set_expression(d, "walk(.) == ."),
    "jq repeat": lambda d: _set_expression(d, "first(repeat(1)) == 1"),
    "unknown member": lambda d: _members(d, "nobody"),
}


def invalid(count: int, start: int = 0) -> list[tuple[str, Obj]]:
    """So many broken definitions, each with what was broken; every kind of break comes up in turn."""
    names = list(BREAKS)
    broken = []
    for i in range(count):
        name = names[i % len(names)]
        d = definition(start + i)
        BREAKS[name](d)
        broken.append((name, d))
    return broken
