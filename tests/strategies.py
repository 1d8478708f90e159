"""Generators for properties: jq programs, and whatever other packages add below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from hypothesis import strategies as st

from kartatest.definition import shapes
from kartatest.definition.check import holds
from kartatest.definition.fields import DEFINITION
from kartatest.jq.ast import Ast
from kartatest.jq.errors import JqSyntaxError
from kartatest.jq.parse import parse
from kartatest.source import Json
from tests.jq.corpus import text

T = TypeVar("T")


# jq programs


class _Drawn:
    """Hypothesis as the chance of tests/jq/corpus.py, so that its failures shrink."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def choice(self, options: Sequence[T], /) -> T:
        return self._draw(st.sampled_from(options))

    def randrange(self, stop: int, /) -> int:
        # the makers' last branch is their plainest, hypothesis' plainest number is 0
        return stop - 1 - self._draw(st.integers(0, stop - 1))


@st.composite
def jq_texts(draw: st.DrawFn, *, broken: bool = False, max_size: int = 12) -> str:
    """Texts of jq programs; a chain of comparisons may still be refused. broken: some have a slip."""
    return text(_Drawn(draw), broken=broken, size=draw(st.integers(1, max_size)))


def _parsed(program: str) -> Ast | None:
    try:
        return parse(program)
    except JqSyntaxError:
        return None


def jq_programs(*, max_size: int = 12) -> st.SearchStrategy[Ast]:
    """Trees of jq programs, as the parser makes them."""
    return jq_texts(max_size=max_size).map(_parsed).filter(lambda tree: tree is not None)  # type: ignore[return-value]


# definitions


NAMES = ("job", "worker", "head", "router", "cache")
EXPRESSIONS = (
    ".spec.template",
    ".spec.replicas",
    ".status.phase",
    ".status.conditions",
    ".spec.groups[]?.name",
    '.metadata.labels["role"]',
    ".spec.suspend // false",
    "[.spec.groups[]?.replicas // 1] | add",
    "",
)
_SMALL = st.sampled_from(("True", "Ready", "1", "name: x", "", "é 'q'"))


def _named(field: shapes.Field) -> st.SearchStrategy[Json]:
    """Values of one field: its own words where its name says more than its type."""
    shape = field.shape
    if isinstance(shape, shapes.Text):
        if shape.choices:
            return st.just(shape.choices[0])
        if shape.use is not None:
            return st.sampled_from([e for e in EXPRESSIONS if len(e) >= shape.min_length])
        if field.name in ("name", "componentName", "ownerRef"):
            return st.sampled_from(NAMES)
        return _SMALL.filter(lambda text: len(text) >= shape.min_length)
    return _values(shape)


def _values(shape: shapes.Shape) -> st.SearchStrategy[Json]:
    """Values that the schema allows for a shape."""
    if isinstance(shape, shapes.Text):
        return st.sampled_from(EXPRESSIONS if shape.use else NAMES)
    if isinstance(shape, shapes.TextMap):
        return st.dictionaries(
            st.sampled_from(("app", "role", "a/b")), _SMALL, min_size=shape.min_properties, max_size=2
        )
    if isinstance(shape, shapes.ListOf):
        key = shape.key
        unique = (lambda item: item[key]) if key else (lambda item: item) if shape.unique else None
        return st.lists(_values(shape.item), min_size=shape.min_items, max_size=3, unique_by=unique)
    required = {f.name: _named(f) for f in shape.fields if f.required}
    optional = {f.name: _named(f) for f in shape.fields if not f.required}
    whole = st.fixed_dictionaries(required, optional=optional)
    return whole.filter(lambda value: all(holds(rule, value) for rule in shape.rules)) if shape.rules else whole


DEFINITIONS = _values(DEFINITION)


@st.composite
def definitions(draw: st.DrawFn) -> dict[str, Json]:
    """Documents that the format's schema allows; names are unique, owners exist and lead to the root."""
    value: dict[str, Json] = draw(DEFINITIONS)
    structure = value["spec"]["structureDefinition"]
    root, children = structure["rootComponent"], structure.get("childComponents", [])
    root.pop("ownerRef", None)
    root["name"] = "root"
    above = ["root"]
    for child in children:
        child["ownerRef"] = draw(st.sampled_from(above))
        above.append(child["name"])
    return value


@st.composite
def broken_definitions(draw: st.DrawFn) -> dict[str, Json]:
    """Documents with one to three slips: a part left out, renamed, repeated, emptied or of another type."""
    value: dict[str, Json] = draw(DEFINITIONS)
    for _ in range(draw(st.integers(1, 3))):
        places = list(_places(value))
        holder, key = draw(st.sampled_from(places))
        _slip(draw, holder, key)
    return value


def _places(value: Json) -> Iterator[tuple[Json, Any]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield value, key
        yield from _places(item)


def _slip(draw: st.DrawFn, holder: Json, key: Any) -> None:
    slip = draw(st.sampled_from(("drop", "null", "empty", "number", "text", "list", "map", "rename", "add", "repeat")))
    replaced = {"null": None, "empty": "", "number": 1.5, "text": "text", "list": [], "map": {}}
    if slip in replaced:
        holder[key] = replaced[slip]
    elif slip == "drop":
        del holder[key]
    elif slip == "rename" and isinstance(holder, dict):
        holder[draw(st.sampled_from(("ownerName", "ownerref", "path", "nonsense", "value", "name")))] = holder.pop(key)
    elif slip == "add" and isinstance(holder[key], dict):
        holder[key][draw(st.sampled_from(("kind", "nonsense", "value", "name")))] = draw(_SMALL)
    elif slip == "repeat" and isinstance(holder, list):
        holder.append(holder[key])
