"""What is wrong with the shape of a scenario, found with its schema and said in our words."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from kartatest.definition.scenarios import ACTIONS, scenario_schema
from kartatest.recording import codes
from kartatest.recording.codes import Part, kind_of, near
from kartatest.source import DocPath, Json

if TYPE_CHECKING:
    from jsonschema import ValidationError

_TYPES = {
    "object": "a mapping",
    "array": "a list",
    "string": "text",
    "integer": "a whole number",
    "boolean": "true or false",
}


def is_object(value: Json) -> bool:
    """Whether a value can be applied: it has apiVersion, kind and a name."""
    metadata = value.get("metadata") if isinstance(value, dict) else None
    texts = [value.get("apiVersion"), value.get("kind"), metadata.get("name")] if isinstance(metadata, dict) else [None]
    return all(isinstance(text, str) and text for text in texts)


def faults(part: Part) -> bool:
    """Note in part what is wrong with its document's shape; whether anything is."""
    for error in sorted(_validator().iter_errors(part.document.value), key=lambda e: list(map(str, e.absolute_path))):
        _note(part, error)
    return bool(part.found)


@cache
def _validator() -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(scenario_schema())


def _note(part: Part, error: ValidationError) -> None:
    at: DocPath = tuple(error.absolute_path)
    name = repr(at[-1]) if at and isinstance(at[-1], str) else "this" if at else "a scenario"
    value: Any = error.instance
    rule: Any = error.validator_value
    match error.validator:
        case "additionalProperties":
            known = sorted((error.schema.get("properties") or {}) if isinstance(error.schema, dict) else ())
            for key in value:
                if key not in known:
                    text = near(key, known) or "known keys: " + ", ".join(known)
                    part.add(codes.SCENARIO_SHAPE, (*at, key), f"unknown key {key!r}", text, on_key=True)
        case "required":
            missing = next(key for key in rule if error.message.startswith(repr(key)))  # one error for each
            part.add(codes.SCENARIO_SHAPE, at, f"{name} lacks {missing!r}", on_key=True)
        case "type":
            words = " or ".join(_TYPES[t] for t in ([rule] if isinstance(rule, str) else rule))
            part.add(codes.SCENARIO_SHAPE, at, f"{name} must be {words}, not {kind_of(value)}")
        case "enum":
            text = near(str(value), map(str, rule)) or "one of " + ", ".join(map(str, rule))
            part.add(codes.SCENARIO_SHAPE, at, f"{value!r} is none of the words that can stand here", text)
        case "oneOf":
            if not isinstance(value, dict):
                return  # its type is told already
            done = [action for action in ACTIONS if action in value]
            message = f"a step does several things: {', '.join(done)}" if done else "a step does nothing"
            text = "make a step of each" if done else "give it one of " + ", ".join(ACTIONS)
            part.add(codes.SCENARIO_SHAPE, at, message, text)
        case "pattern":
            text = str(error.schema.get("description", "")) if isinstance(error.schema, dict) else ""
            part.add(codes.SCENARIO_SHAPE, at, f"{value!r} cannot be read", text.removesuffix("."))
        case "minItems" | "minLength" | "minProperties":
            part.add(codes.SCENARIO_SHAPE, at, f"{name} is empty")
        case _:
            part.add(codes.SCENARIO_SHAPE, at, f"{name}: {error.message}")
