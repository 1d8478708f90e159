"""What every edit asks first: does the definition fit the object, which component is meant, which instances it has."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from kartatest.definition.model import ComponentDef, Definition, Gvk
from kartatest.edit.places import Refused, compiled, shown
from kartatest.errors import EditError
from kartatest.jq.errors import JqError
from kartatest.source import Json, JsonObject, not_json

_MOST_LEVELS = 300
"""More than any file may have; deeper ones would only be found by running out of stack."""


def fitting(definition: Definition, obj: Json) -> tuple[str, ...]:
    """Notes about a definition for another version of the object's kind.

    Raises EditError for another kind (Q46), and for what is no JSON: it could not be written back as it is.
    """
    if not isinstance(obj, dict):
        raise EditError(["what is to be edited is no object"])
    if _too_deep(obj):
        raise EditError([f"what is to be edited has more than {_MOST_LEVELS} levels"])
    if odd := list(islice(not_json(obj), 8)):
        raise EditError([f"{shown(at)} of what is to be edited {what}" for at, what in odd])
    kind, found = definition.root.kind, Gvk.of(obj)
    if kind is None or kind == found:
        return ()
    if (kind.group, kind.kind) != (found.group, found.kind):
        raise EditError([f"the definition {definition.name!r} is for {kind}, and the object is {found}"])
    return (f"the definition {definition.name!r} is for {kind}, and the object is {found}",)


def _too_deep(obj: JsonObject) -> bool:
    level: list[Json] = [obj]
    for _ in range(_MOST_LEVELS):
        level = [x for v in level for x in (v.values() if isinstance(v, dict) else v) if isinstance(x, (dict, list))]
        if not level:
            return False
    return True


def component(definition: Definition, name: str) -> ComponentDef:
    """The component of that name. Raises EditError with the names there are."""
    found = definition.component(name)
    if found is None:
        known = ", ".join(repr(c.name) for c in definition.components)
        raise EditError([f"there is no component {name!r}, only {known}"])
    return found


def instance_ids(definition: ComponentDef, obj: JsonObject) -> list[str]:
    """The ids of a component's instances, in the order of the object; [""] without instanceIdPath.

    Raises Refused where they cannot be told apart (Q20).
    """
    expr = definition.instance_ids
    if expr is None:
        return [""]
    try:
        ids = compiled(expr.text).run(obj)
    except JqError as error:
        raise Refused(f"the instances cannot be read: {error.message}") from None
    if not all(isinstance(i, str) and i for i in ids):
        raise Refused("an instance has no id")
    twice = sorted({i for i in ids if ids.count(i) > 1}) if len(set(ids)) != len(ids) else []
    if twice:
        raise Refused(f"several instances have the id {', '.join(map(repr, twice))}")
    return ids


def listed(words: Sequence[str]) -> str:
    """Names in quotes, at most eight of them."""
    return ", ".join(map(repr, words[:8])) + (", ..." if len(words) > 8 else "")
