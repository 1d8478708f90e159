"""A document against the table of fields: what the API server would refuse or drop, by place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from typing import Literal

from kartatest.definition.codes import (
    MISSING_FIELD,
    NOT_A_LIST,
    REPEATED_ITEM,
    TOO_SHORT,
    UNKNOWN_FIELD,
    WRONG_TYPE,
)
from kartatest.definition.fields import DEFINITION, RENAMED
from kartatest.definition.shapes import Field, ListOf, Rule, Shape, Struct, Text, TextMap
from kartatest.source import DocPath, Json, JsonObject
from kartatest.value import value
from kartatest.yamlpos.codes import Code

_JSON_TEXTS = ("value", "expectedResult")
"""Fields whose text is a value's own text, so that an unquoted null means the text "null"."""

MAX_PROBLEMS = 200
"""Findings about one document's shape; one that has more is another kind of document."""

Written = Callable[[DocPath], str | None]


@value
class Repair:
    """How the text could be mended. text: a key's new name; safe: no correct reader understood it otherwise.

    quote: put the scalar as written in quotes. list: make the mapping the first item of a list. brackets: make the
    scalar the only item of a list. rename: give the key its right name.
    """

    kind: Literal["quote", "list", "brackets", "rename"]
    text: str = ""
    safe: bool = True


@value
class Problem:
    """Something that the schema does not allow. code is None where a rule of the linter reports it instead.

    nothing: no value was written at all.
    """

    at: DocPath
    code: Code | None
    message: str
    help: str = ""
    on_key: bool = False
    repair: Repair | None = None
    nothing: bool = False

    @property
    def unread(self) -> bool:
        """Whether it is why a value is left out: what its repair would put in quotes or a list is read as meant."""
        meant = self.repair is not None and self.repair.kind in ("quote", "list")
        return self.code in (WRONG_TYPE, NOT_A_LIST) and not self.nothing and not meant


def problems(value: Json, at: DocPath = (), *, written: Written | None = None) -> tuple[Problem, ...]:
    """What is wrong with the shape of a definition, in the order of the table; () exactly when the schema allows it.

    at is where the definition stands in its document. written gives a scalar's characters as in the file.
    """
    return tuple(islice(_of(value, DEFINITION, at, written or (lambda _: None)), MAX_PROBLEMS))


def _of(value: Json, shape: Shape, at: DocPath, written: Written) -> Iterator[Problem]:
    if isinstance(shape, Text):
        yield from _text(value, shape, at, written)
    elif isinstance(shape, ListOf):
        yield from _list(value, shape, at, written)
    elif not isinstance(value, dict):
        yield _no_mapping(value, shape, at)
    elif isinstance(shape, TextMap):
        if len(value) < shape.min_properties:
            yield Problem(at, TOO_SHORT, f"{_name(at)} must not be empty", "write an entry, or remove the field")
        for key, item in value.items():
            yield from _text(item, Text(), (*at, key), written)
    else:
        yield from _struct(value, shape, at, written)


def _text(value: Json, shape: Text, at: DocPath, written: Written) -> Iterator[Problem]:
    if not isinstance(value, str):
        yield _no_text(value, at, written)
    elif len(value) < shape.min_length:
        yield Problem(at, TOO_SHORT, f"{_name(at)} must not be empty", "write it, or remove the field")
    elif shape.choices and value not in shape.choices:
        yield Problem(at, None, f"{_name(at)} must be {shape.choices[0]!r}")


def _no_text(value: Json, at: DocPath, written: Written) -> Problem:
    raw = written(at)
    if value is None and not raw:
        return _no_value(at)
    if isinstance(value, dict | list):
        return Problem(at, WRONG_TYPE, f"{_name(at)} must be text, not {kind_of(value)}")
    if raw is None:
        return Problem(at, WRONG_TYPE, f"{_name(at)} must be text, not {kind_of(value)}", "put it in quotes")
    from kartatest.yamlpos import quote

    message = f"{_name(at)} must be text, and {raw[:80]} without quotes is {kind_of(value)}"
    if value is None and at[-1] not in _JSON_TEXTS:
        return Problem(at, WRONG_TYPE, message, "give it a value, or remove the line", nothing=True)
    return Problem(at, WRONG_TYPE, message, f"write {quote(raw[:80])}", repair=Repair("quote"))


def _no_value(at: DocPath) -> Problem:
    return Problem(at, WRONG_TYPE, f"{_name(at)} has no value", "give it one, or remove the line", nothing=True)


def _list(value: Json, shape: ListOf, at: DocPath, written: Written) -> Iterator[Problem]:
    if not isinstance(value, list):
        yield _no_list(value, shape, at)
        if isinstance(value, dict) and is_lone_item(value, shape):
            yield from _of(value, shape.item, at, written)
        return
    if len(value) < shape.min_items:
        yield Problem(at, TOO_SHORT, f"{_name(at)} must not be empty", "write an item")
    for i, item in enumerate(value):
        yield from _of(item, shape.item, (*at, i), written)
    if shape.key or shape.unique:
        yield from _repeats(value, shape, at)


def _repeats(value: list[Json], shape: ListOf, at: DocPath) -> Iterator[Problem]:
    seen: set[str] = set()
    for i, item in enumerate(value):
        one = item.get(shape.key) if shape.key and isinstance(item, dict) else item
        if not isinstance(one, str):
            continue
        if one in seen:
            place = (*at, i, shape.key) if shape.key else (*at, i)
            code = None if shape.ruled else REPEATED_ITEM
            what = f"the {shape.key} {one!r}" if shape.key else repr(one)
            yield Problem(place, code, f"{what} is listed twice in {_name(at)}", "remove one of the two")
        seen.add(one)


def _no_list(value: Json, shape: ListOf, at: DocPath) -> Problem:
    if value is None:
        return _no_value(at)
    if isinstance(value, dict):
        message = f"{_name(at)} must be a list, not a mapping"
        if is_lone_item(value, shape):
            return Problem(at, NOT_A_LIST, message, "put '- ' before its first key", repair=Repair("list"))
        item = f"the fields of {shape.item.word}" if isinstance(shape.item, Struct) else "a text"
        return Problem(at, NOT_A_LIST, message, f"write its items one by one, each behind a '- ': {item}")
    repair = Repair("brackets") if isinstance(shape.item, Text) and isinstance(value, str) else None
    return Problem(at, WRONG_TYPE, f"{_name(at)} must be a list, not {kind_of(value)}", repair=repair)


def is_lone_item(value: JsonObject, shape: ListOf) -> bool:
    """Whether a mapping that stands for a list is certainly meant as its only item: it has the item's fields alone."""
    item = shape.item
    return bool(value) and isinstance(item, Struct) and all(_known(key, item) for key in value)


def _no_mapping(value: Json, shape: Struct | TextMap, at: DocPath) -> Problem:
    if value is None:
        return _no_value(at)
    help_text = ""
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
        help_text = "there is one only: remove the '- '"
    elif isinstance(shape, Struct) and shape.fields:
        help_text = f"{shape.word} has the fields " + ", ".join(f.name for f in shape.fields)
    return Problem(at, WRONG_TYPE, f"{_name(at)} must be a mapping, not {kind_of(value)}", help_text)


def _struct(value: JsonObject, shape: Struct, at: DocPath, written: Written) -> Iterator[Problem]:
    meant: set[str] = set()
    unknown: list[Problem] = []
    if not shape.open:
        for key in islice((k for k in value if k not in shape.by_name), MAX_PROBLEMS):
            problem, name = _unknown(key, value, shape, at)
            unknown.append(problem)
            if name and right_name(key, shape) == name and name not in value:
                unknown += _of(value[key], shape.by_name[name].shape, (*at, key), written)
            meant.add(name)
    for name, one in shape.by_name.items():
        if name in value:
            yield from _of(value[name], one.shape, (*at, name), written)
        elif one.required and name not in meant:
            yield _missing(one, shape, at)
    yield from unknown
    for rule in shape.rules:
        if not holds(rule, value):
            yield Problem(at, None, rule.message)


def _missing(one: Field, shape: Struct, at: DocPath) -> Problem:
    choices = one.shape.choices if isinstance(one.shape, Text) else ()
    help_text = f"add the line {one.name}: {choices[0]}" if choices else f"add {one.name}: {_first_lower(one.doc)}"
    return Problem(at, MISSING_FIELD, f"{shape.word} needs {one.name!r}", help_text, on_key=True)


def holds(rule: Rule, value: JsonObject) -> bool:
    """Whether a mapping meets a condition, by the condition's JSON Schema."""
    for keyword, wanted in rule.schema:
        if keyword == "anyOf" and isinstance(wanted, list):
            if not any(all(k in value for k in one["required"]) for one in wanted):
                return False
        elif keyword == "dependentRequired" and isinstance(wanted, dict):
            if any(key in value and any(k not in value for k in needs) for key, needs in wanted.items()):
                return False
        else:
            raise NotImplementedError(keyword)
    return True


def right_name(key: str, shape: Struct) -> str | None:
    """The field that a key certainly means where it is not one itself: a known old name, or only its case is off."""
    renamed = RENAMED.get(key)
    if renamed in shape.by_name:
        return renamed
    return next((name for name in shape.by_name if name.lower() == key.lower()), None)


def _known(key: str, shape: Struct) -> bool:
    return key in shape.by_name or right_name(key, shape) is not None


def _unknown(key: str, value: JsonObject, shape: Struct, at: DocPath) -> tuple[Problem, str]:
    """The finding about an unknown key, and the field it is taken for ("" for none)."""
    place, free = (*at, key), [name for name in shape.by_name if name not in value]
    message = f"unknown field {key[:80]!r} in {shape.word}"
    name = right_name(key, shape)
    if name is not None:
        repair = Repair("rename", name) if name in free else None
        return Problem(place, UNKNOWN_FIELD, message, f"it is called {name!r}", True, repair), name
    if key == "referencedComponents":
        help_text = "the format has no such part: components refer to each other by 'ownerRef'"
        return Problem(place, UNKNOWN_FIELD, message, help_text, True), ""
    from difflib import get_close_matches  # a tenth of the time it takes to load a sound definition

    homes = _homes().get(key, ())
    near = get_close_matches(key[:64], list(shape.by_name), n=1, cutoff=0.6 if not homes else 0.85)
    if near:
        repair = Repair("rename", near[0], safe=False) if near[0] in free else None
        return Problem(place, UNKNOWN_FIELD, message, f"did you mean {near[0]!r}?", True, repair), near[0]
    if homes:
        return Problem(place, UNKNOWN_FIELD, message, "it belongs in " + " or ".join(homes), True), ""
    names = ", ".join(shape.by_name)
    return Problem(place, UNKNOWN_FIELD, message, f"its fields are {names}", True), ""


@cache
def _homes() -> dict[str, tuple[str, ...]]:
    """Where each field of the format belongs: the words for the mappings that have it, at most three."""
    found: dict[str, list[str]] = {}
    for struct in structs(DEFINITION):
        for name in struct.by_name:
            if struct.word not in found.setdefault(name, []):
                found[name].append(struct.word)
    return {name: tuple(words) for name, words in found.items() if len(words) <= 3}


def structs(shape: Shape) -> Iterator[Struct]:
    """The mapping itself and all mappings below it, each as often as it is used."""
    if isinstance(shape, Struct):
        yield shape
        for one in shape.fields:
            yield from structs(one.shape)
    elif isinstance(shape, ListOf):
        yield from structs(shape.item)


def kind_of(value: Json) -> str:
    """The type of a JSON value in a reader's words: "a list"."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, str):
        return "text"
    return "a mapping" if isinstance(value, dict) else "a list" if isinstance(value, list) else "a number"


def _name(at: DocPath) -> str:
    if not at:
        return "the document"
    names = [step for step in at if isinstance(step, str)]
    if isinstance(at[-1], int):
        return f"item {at[-1] + 1} of {names[-1]!r}" if names else f"item {at[-1] + 1}"
    return repr(at[-1])


def _first_lower(text: str) -> str:
    keep = text[:2].isupper() or text.startswith("jq")
    return (text if keep else text[:1].lower() + text[1:]).rstrip(".")
