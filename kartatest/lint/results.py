"""Whether what an expression gives fits what it feeds (semantics 3.4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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


def _object_with(*names: str) -> Callable[[Value], bool]:
    """Objects that may have one of the fields."""

    def fits(value: Value) -> bool:
        from kartatest.infer.lattice import OBJECT, field_of

        return bool(value.kinds & OBJECT) and any(field_of(value.only(OBJECT), name).known for name in names)

    return fits


def _template(value: Value) -> bool:
    from kartatest.infer.lattice import OBJECT, Record, field_of

    if not value.may(OBJECT):
        return False
    spec = field_of(value.only(OBJECT), "spec")
    if spec.known:
        return _object_with("containers")(spec.value)
    return any(isinstance(shape, Record) for shape in value.objects) and field_of(value, "metadata").known


def _containers(value: Value) -> bool:
    from kartatest.infer.lattice import ARRAY, NOTHING, item_of

    if not value.may(ARRAY):
        return False
    item = item_of(value.only(ARRAY), 0)
    return item.kinds == NOTHING or _object_with("image", "name")(item)


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
    """Maps of texts: labels and annotations."""
    from kartatest.infer.lattice import OBJECT, STRING, fields_of

    if not value.may(OBJECT):
        return False
    held = fields_of(value.only(OBJECT))
    return held.never or held.may(STRING)


def _array(value: Value) -> bool:
    from kartatest.infer.lattice import ARRAY

    return value.may(ARRAY)


def _count(value: Value) -> bool:
    """Whole numbers, and texts of them (semantics 3.4, replicas)."""
    from kartatest.infer.lattice import NUMBER, STRING

    if value.may(NUMBER):
        return not (value.kinds == NUMBER and _fractional(value.type))
    return value.may(STRING) and value.type is None


def _fractional(type_: Type | None) -> bool:
    return type_ is not None and type_.base.value == "number"


_TAKES: Final[Mapping[Use, tuple[str, Callable[[Value], bool]]]] = {
    Use.POD_TEMPLATE_SPEC: ("a pod template, an object with metadata and spec.containers", _template),
    Use.POD_SPEC: ("a pod spec, an object with containers", _object_with("containers")),
    Use.METADATA: ("metadata, an object with labels and annotations", _object_with("labels", "annotations")),
    Use.SCHEDULER_NAME: ("text", _text),
    Use.PRIORITY_CLASS_NAME: ("text", _text),
    Use.IMAGE: ("text", _text),
    Use.LABELS: ("a map of texts", _texts),
    Use.ANNOTATIONS: ("a map of texts", _texts),
    Use.RESOURCES: ("resources, an object with requests and limits", _object_with("requests", "limits")),
    Use.RESOURCE_CLAIMS: ("a list of resource claims", _array),
    Use.POD_AFFINITY: ("an affinity, an object", _object_with("requiredDuringSchedulingIgnoredDuringExecution")),
    Use.NODE_AFFINITY: ("an affinity, an object", _object_with("requiredDuringSchedulingIgnoredDuringExecution")),
    Use.CONTAINERS: ("a list of containers", _containers),
    Use.CONTAINER: ("one container, an object with name and image", _object_with("image", "name")),
    Use.REPLICAS: ("a whole number", _count),
    Use.MIN_REPLICAS: ("a whole number", _count),
    Use.MAX_REPLICAS: ("a whole number", _count),
    Use.INSTANCE_ID: ("text", _text),
    Use.PHASE: ("text", _text),
    Use.CONDITIONS: ("a list of conditions", _conditions),
}
