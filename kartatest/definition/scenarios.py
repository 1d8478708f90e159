"""The schema of scenarios: what is done to a real operator, and the status that a person expects of each step.

One source: the file in schemas/ is made from it, and what is wrong with a scenario's shape is found with it.
"""

from __future__ import annotations

from typing import Final

from kartatest.definition.model import Status
from kartatest.source import Json

ACTIONS: Final = ("apply", "patch", "delete", "assert", "wait", "pods", "scale")
"""What a step can do: those of Kyverno Chainsaw under its names, and two of ours."""

BECOME: Final = (
    "running",
    "succeeded",
    "failed",
    "unready",
    "ready",
    "crashing",
    "out-of-memory",
    "evicted",
    "unschedulable",
    "deleted",
)
"""What a step can make of pods."""

_STATUSES: Final[list[Json]] = [status.value for status in Status if status is not Status.UNDEFINED]
_TEXT: Final[dict[str, Json]] = {"type": "string", "minLength": 1}
_DURATION: Final[dict[str, Json]] = {
    "type": "string",
    "pattern": "^[0-9]+(ms|s|m)$",
    "description": "How long, as in 30s, 500ms or 2m.",
}
_OBJECT: Final[dict[str, Json]] = {
    "type": "object",
    "required": ["apiVersion", "kind", "metadata"],
    "properties": {
        "apiVersion": _TEXT,
        "kind": _TEXT,
        "metadata": {"type": "object", "required": ["name"], "properties": {"name": _TEXT, "namespace": _TEXT}},
    },
}


def gang_schema() -> dict[str, Json]:
    """The schema of what a person says of pod groups, in a frame or at the end of a step; null says nothing."""
    minima = {"type": "object", "additionalProperties": {"type": "integer"}}
    said = {
        "type": "object",
        "properties": {
            "groups": {"type": "object", "additionalProperties": {"anyOf": [{"type": "integer"}, minima]}},
            "pods": {"type": "object", "additionalProperties": {"type": "string"}},
        },
        "additionalProperties": False,
    }
    return {
        "type": ["object", "null"],
        "additionalProperties": said,
        "description": "Pod groups that a person says there are, by `definition` or a scheduler@version.",
    }


def _closed(properties: dict[str, Json], doc: str, required: tuple[str, ...] = ()) -> dict[str, Json]:
    found = {"type": "object", "description": doc, "properties": properties, "additionalProperties": False}
    return found | ({"required": list(required)} if required else {})


def _reference(doc: str) -> dict[str, Json]:
    """An object by name; what is left out is that of the recorded object."""
    return _closed({"apiVersion": _TEXT, "kind": _TEXT, "name": _TEXT, "namespace": _TEXT}, doc)


def _expectation(doc: str, *, must: bool) -> dict[str, Json]:
    properties: dict[str, Json] = {
        "status": {"enum": _STATUSES},
        "when": {**_TEXT, "description": "jq over the object: the status holds when this gives true."},
    }
    if must:
        properties["must"] = {"type": "boolean", "description": "It has to be seen before the step can be over."}
    return {
        "type": ["string", "object"],
        "description": doc,
        "if": {"type": "string"},
        "then": {"enum": _STATUSES},
        "else": {"properties": properties, "required": ["status"], "additionalProperties": False},
    }


def _actions() -> dict[str, Json]:
    partial = {"type": "object", "description": "Fields, of the recorded object where it is not named."}
    condition = _closed({"name": _TEXT, "value": _TEXT}, "A condition of the object.", ("name",))
    awaited = _closed({"condition": condition, "deletion": {"type": "object"}}, "What is waited for.")
    awaited["minProperties"] = awaited["maxProperties"] = 1
    apply = _closed(
        {"resource": _OBJECT, "file": {**_TEXT, "description": "A manifest, by its path from the scenario."}},
        "Server-side apply of one object, or of those in a file.",
    )
    apply["minProperties"] = apply["maxProperties"] = 1
    return {
        "apply": apply,
        "patch": _closed({"resource": partial}, "A JSON merge patch.", ("resource",)),
        "delete": _closed({"ref": _reference("What is deleted.")}, "Asks for the end of an object."),
        "assert": _closed({"resource": partial}, "Waits until an object has these fields.", ("resource",)),
        "wait": {
            **_reference("Does nothing but wait: for what is expected, and for a condition or a deletion if named."),
            "properties": {"apiVersion": _TEXT, "kind": _TEXT, "name": _TEXT, "namespace": _TEXT, "for": awaited},
        },
        "pods": _closed(
            {
                "select": {
                    "type": "object",
                    "additionalProperties": {"type": "string"},
                    "description": "Labels of the pods; all of them when absent.",
                },
                "of": {**_TEXT, "description": "Name of another object of the recorded kind, whose pods are meant."},
                "count": {"type": "integer", "minimum": 1, "description": "So many of them, the first by name."},
                "become": {"enum": list(BECOME), "description": "What they turn into."},
                "reason": {**_TEXT, "description": "The reason that their status gives."},
                "exitCode": {"type": "integer", "minimum": 0, "maximum": 255, "description": "Of their containers."},
            },
            "Plays what happens to pods; those that have ended or are going are passed over.",
            ("become",),
        ),
        "scale": _closed(
            {
                "replicas": {"type": "integer", "minimum": 0},
                "path": {
                    **_TEXT,
                    "pattern": r"^(\.[A-Za-z_]\w*|\[[0-9]+\])+$",
                    "description": "Keys and indices, as in .spec.groups[0].replicas; by default .spec.replicas.",
                },
            },
            "Sets a number of replicas of the recorded object.",
            ("replicas",),
        ),
    }


def scenario_schema() -> dict[str, Json]:
    """JSON Schema (draft 2020-12) of a scenario."""
    step = {
        "type": "object",
        "properties": {
            **_actions(),
            "name": {**_TEXT, "description": "What happens, for people."},
            "through": {
                "type": "array",
                "items": _expectation("A status that may show on the way.", must=True),
                "description": "Statuses that may show on the way; of those that hold, the first counts.",
            },
            "expect": _expectation("The status that is reached in the end.", must=False),
            "gang": gang_schema(),
            "timeout": _DURATION,
        },
        "oneOf": [{"required": [action]} for action in ACTIONS],
        "additionalProperties": False,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:kartatest:scenario.schema.json",
        "title": "Scenario: what is done to a real operator, and what is expected of its workload",
        "type": "object",
        "properties": {
            "definition": {**_TEXT, "description": "Name of the definition that reads it: <group-kind-version>."},
            "operator": {**_TEXT, "description": "The operator, by its name in the lab; kubernetes for its own."},
            "versions": {
                "type": "array",
                "items": _TEXT,
                "minItems": 1,
                "uniqueItems": True,
                "description": "The operator's versions that it is run with, one recording for each.",
            },
            "flow": {**_TEXT, "description": "What happens, in a word; by default the file's name."},
            "note": {**_TEXT, "description": "What there is to see."},
            "namespace": {**_TEXT, "description": "Where it is run; by default made of definition and flow."},
            "object": _reference(
                "The object that is recorded; by default the first of the definition's kind that is applied."
            ),
            "pods": {
                "enum": ["own", "all", "none"],
                "description": "Which pods are recorded: the object's own (the default), all of the namespace, none.",
            },
            "when": {
                "type": "object",
                "propertyNames": {"enum": _STATUSES},
                "additionalProperties": {**_TEXT, "description": "jq over the object."},
                "description": "What each status is seen from, for steps that give but its name.",
            },
            "steps": {"type": "array", "items": step, "minItems": 1},
        },
        "required": ["definition", "operator", "versions", "steps"],
        "additionalProperties": False,
    }
