"""Whether what an expression gives fits what it feeds (semantics 3.4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from kartatest.definition.model import Use

if TYPE_CHECKING:
    from kartatest.infer import Value
    from kartatest.schema import Type

Wrong = tuple[str, str]
"""What it gives, and what is taken instead."""


def wrong(use: Use, value: Value) -> Wrong | None:
    """What is wrong with every result that is not null; None when some fit, or it cannot be told."""
    from kartatest.infer import words
    from kartatest.infer.lattice import NULL

    results = value.without(NULL)
    if results.never or use not in _TAKES:
        return None
    taken, fits = _TAKES[use]
    return None if fits(results) else (_indefinite(words(results)), taken)


def _indefinite(text: str) -> str:
    if text.startswith(('"', "anything")):
        return text
    return f"{'an' if text[:1] in 'aeio' else 'a'} {text}"


def _object_with(fields: Mapping[str, int]) -> Callable[[Value], bool]:
    """Objects that may have one of the fields, with a value of those kinds under it."""

    def fits(value: Value) -> bool:
        from kartatest.infer.lattice import OBJECT, Kind, field_of

        if not value.may(OBJECT):
            return False
        found = ((field_of(value.only(OBJECT), name), Kind(kinds)) for name, kinds in fields.items())
        return any(one.known and one.value.may(kinds) for one, kinds in found)

    return fits


def _template(value: Value) -> bool:
    from kartatest.infer.lattice import OBJECT, Record, field_of

    if not value.may(OBJECT):
        return False
    spec = field_of(value.only(OBJECT), "spec")
    if spec.known:
        return _pod_spec(spec.value)
    return any(isinstance(shape, Record) for shape in value.objects) and field_of(value, "metadata").known


def _containers(value: Value) -> bool:
    from kartatest.infer.lattice import ARRAY, NOTHING, item_of

    if not value.may(ARRAY):
        return False
    item = item_of(value.only(ARRAY), 0)
    return item.kinds == NOTHING or _container(item)


def _conditions(value: Value) -> bool:
    from kartatest.infer.lattice import ARRAY, NOTHING, OBJECT, item_of

    if not value.may(ARRAY):
        return False
    item = item_of(value.only(ARRAY), 0)
    return item.kinds == NOTHING or bool(item.kinds & OBJECT)


def _text(value: Value) -> bool:
    from kartatest.infer.lattice import STRING

    return value.may(STRING)


def _texts(value: Value) -> bool:
    """Maps of texts: labels and annotations. An object of fields of which one is no text is none."""
    from kartatest.infer.lattice import OBJECT, STRING, Record, field_of, fields_of

    if not value.may(OBJECT):
        return False
    for shape in value.objects:
        only = replace(value.only(OBJECT), objects=(shape,))
        held = fields_of(only)
        texts = isinstance(shape, Record) or all(field_of(only, name).value.may(STRING) for name in shape.fields)
        if held.never or (texts and held.may(STRING)):
            return True
    return False


def _claims(value: Value) -> bool:
    from kartatest.infer.lattice import ARRAY, NOTHING, item_of

    if not value.may(ARRAY):
        return False
    item = item_of(value.only(ARRAY), 0)
    return item.kinds == NOTHING or _claim(item)


def _count(value: Value) -> bool:
    """Whole numbers, and texts of them (semantics 3.4, replicas); no field that may hold any text."""
    from kartatest.infer.lattice import NUMBER, STRING
    from kartatest.schema.model import Base

    if value.may(NUMBER):
        mixed = value.may(STRING) and value.type is not None and value.type.base is Base.INT_OR_STRING
        return not mixed and not (value.kinds == NUMBER and _fractional(value.type))
    return value.may(STRING) and value.type is None


def _fractional(type_: Type | None) -> bool:
    return type_ is not None and type_.base.value == "number"


_STRING, _ARRAY, _OBJECT = 16, 32, 64
"""Kinds of the lattice, whose module is not loaded before a type is looked at."""
_pod_spec = _object_with({"containers": _ARRAY})
_container = _object_with({"image": _STRING, "resources": _OBJECT})
_claim = _object_with({"resourceClaimName": _STRING, "resourceClaimTemplateName": _STRING, "source": _OBJECT})
_pod_affinity = _object_with({"requiredDuringSchedulingIgnoredDuringExecution": _ARRAY})
_node_affinity = _object_with({"requiredDuringSchedulingIgnoredDuringExecution": _OBJECT})
_metadata = _object_with({"labels": _OBJECT, "annotations": _OBJECT})
_resources = _object_with({"requests": _OBJECT, "limits": _OBJECT, "claims": _ARRAY})

_TAKES: Final[Mapping[Use, tuple[str, Callable[[Value], bool]]]] = {
    Use.POD_TEMPLATE_SPEC: ("a pod template, an object with metadata and spec.containers", _template),
    Use.POD_SPEC: ("a pod spec, an object with containers", _pod_spec),
    Use.METADATA: ("metadata, an object with labels and annotations", _metadata),
    Use.SCHEDULER_NAME: ("text", _text),
    Use.PRIORITY_CLASS_NAME: ("text", _text),
    Use.IMAGE: ("text", _text),
    Use.LABELS: ("a map of texts", _texts),
    Use.ANNOTATIONS: ("a map of texts", _texts),
    Use.RESOURCES: ("resources, an object with requests and limits", _resources),
    Use.RESOURCE_CLAIMS: ("a list of resource claims, which name a claim or its template", _claims),
    Use.POD_AFFINITY: ("an affinity between pods, with lists of terms", _pod_affinity),
    Use.NODE_AFFINITY: ("an affinity to nodes, with nodeSelectorTerms", _node_affinity),
    Use.CONTAINERS: ("a list of containers", _containers),
    Use.CONTAINER: ("one container, an object with name and image", _container),
    Use.REPLICAS: ("a whole number", _count),
    Use.MIN_REPLICAS: ("a whole number", _count),
    Use.MAX_REPLICAS: ("a whole number", _count),
    Use.INSTANCE_ID: ("text", _text),
    Use.PHASE: ("text", _text),
    Use.CONDITIONS: ("a list of conditions", _conditions),
}
