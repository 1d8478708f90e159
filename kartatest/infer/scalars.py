"""Builtins whose result depends on the type of their input alone, as tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from kartatest.infer import lattice as la
from kartatest.infer.lattice import (
    ALL,
    ARRAY,
    BOOLEAN,
    FALSE,
    NOTHING,
    NULL,
    NUMBER,
    OBJECT,
    SCALAR,
    STRING,
    TRUE,
    Kind,
    Value,
)
from kartatest.infer.place import new_each
from kartatest.jq.shape import words


@dataclass(frozen=True, slots=True)
class Simple:
    """Input kinds that do not fail, what comes of them, and the kinds of which some values still fail (strict)."""

    takes: Kind
    gives: Kind | Callable[[Value], Value]
    whole: bool = False
    strict: Kind = NOTHING
    why: str = ""


def _not(value: Value) -> Value:
    kinds = NOTHING
    if value.may(NULL | FALSE):
        kinds |= TRUE
    if value.may(ALL & ~(NULL | FALSE)):
        kinds |= FALSE
    return la.of_kinds(kinds)


_TYPE_NAMES: Final = {
    NULL: "null",
    FALSE: "boolean",
    TRUE: "boolean",
    NUMBER: "number",
    STRING: "string",
    ARRAY: "array",
    OBJECT: "object",
}


def _type(value: Value) -> Value:
    return la.join(*(la.constant(name) for kind, name in _TYPE_NAMES.items() if value.may(kind)))


def _tostring(value: Value) -> Value:
    parts = []
    if value.may(STRING):
        texts = [c for c in value.consts if isinstance(c, str)] if value.consts is not None else None
        parts += [la.of_kinds(STRING)] if texts is None else [la.constant(t) for t in texts]
    for kind, text in ((NULL, "null"), (TRUE, "true"), (FALSE, "false")):
        if value.may(kind):
            parts.append(la.constant(text))
    if value.may(NUMBER | ARRAY | OBJECT):
        parts.append(la.of_kinds(STRING))
    return la.join(*parts)


def _tonumber(value: Value) -> Value:
    return la.of_kinds(NUMBER, whole=value.whole and not value.may(STRING))


def _length(value: Value) -> Value:
    whole = value.whole or not value.may(NUMBER)
    return la.of_kinds(NUMBER, whole=whole)


def _keys(value: Value) -> Value:
    parts = []
    if value.may(ARRAY):
        low, high = la.lengths(value)
        parts.append(la.array(la.of_kinds(NUMBER, whole=True), low, high))
    if value.may(OBJECT):
        over = (value.origin,) if value.origin is not None else None
        parts.append(la.array(la.names_of(value), 0, None, over))
    return la.join(*parts)


def _same_items(value: Value) -> Value:
    if not value.may(ARRAY):
        return la.NEVER
    low, high = la.lengths(value)
    return la.array(la.detached(la.item_of(value.only(ARRAY), new_each())), low, high)


def _fewer_items(value: Value) -> Value:
    if not value.may(ARRAY):
        return la.NEVER
    low, high = la.lengths(value)
    return la.array(la.detached(la.item_of(value.only(ARRAY), new_each())), min(1, low), high)


def _an_item(value: Value) -> Value:
    if not value.may(ARRAY):
        return la.NEVER
    item = la.item_of(value.only(ARRAY), new_each())
    return item if la.lengths(value)[0] > 0 else la.join(item, la.NULL_VALUE)


def _first(value: Value) -> Value:
    """`.[0]`: null too of null, a character of a text."""
    parts = [_an_item(value)] if value.may(ARRAY) else []
    if value.may(NULL):
        parts.append(la.NULL_VALUE)
    if value.may(STRING):
        parts.append(la.of_kinds(STRING | NULL))
    return la.join(*parts)


def _reverse(value: Value) -> Value:
    parts = [_same_items(value)] if value.may(ARRAY) else []
    if value.may(NULL):
        parts.append(la.array(la.NEVER, 0, 0))
    if value.may(STRING):
        parts.append(la.of_kinds(STRING))
    return la.join(*parts)


def _strings(low: int = 0) -> Callable[[Value], Value]:
    return lambda _: la.array(la.of_kinds(STRING), low)


def _simple() -> dict[str, Simple]:
    number, text = Simple(NUMBER, NUMBER), Simple(STRING, STRING)
    number_names = """
        acos acosh asin asinh atan atanh cbrt cos cosh erf erfc exp exp10 exp2 expm1 gamma lgamma log log10 log1p log2
        logb significand sin sinh sqrt tan tanh tgamma abs
    """
    return {
        **dict.fromkeys(words(number_names), number),
        **dict.fromkeys(words("floor ceil round rint nearbyint trunc"), Simple(NUMBER, NUMBER)),
        **dict.fromkeys(words("ascii_downcase ascii_upcase trim ltrim rtrim"), text),
        **dict.fromkeys(words("isnan isinfinite isnormal isfinite"), Simple(NUMBER, BOOLEAN)),
        "null": Simple(ALL, NULL),
        "true": Simple(ALL, TRUE),
        "false": Simple(ALL, FALSE),
        "nan": Simple(ALL, NUMBER),
        "infinite": Simple(ALL, NUMBER),
        "now": Simple(ALL, NUMBER),
        "not": Simple(ALL, _not),
        "type": Simple(ALL, _type),
        "tostring": Simple(ALL, _tostring),
        "tojson": Simple(ALL, STRING),
        "length": Simple(ALL & ~BOOLEAN, _length),
        "utf8bytelength": Simple(STRING, NUMBER, whole=True),
        "tonumber": Simple(NUMBER | STRING, _tonumber, strict=STRING, why="may be a text that is no number"),
        "toboolean": Simple(BOOLEAN | STRING, BOOLEAN, strict=STRING, why="may be a text other than true and false"),
        "fromjson": Simple(STRING, ALL, strict=STRING, why="may be a text that is no JSON"),
        "keys": Simple(ARRAY | OBJECT, _keys),
        "sort": Simple(ARRAY, _same_items),
        "unique": Simple(ARRAY, _fewer_items),
        "reverse": Simple(NULL | STRING | ARRAY, _reverse),
        "min": Simple(ARRAY, _an_item),
        "max": Simple(ARRAY, _an_item),
        "first": Simple(NULL | STRING | ARRAY, _first),
        "last": Simple(NULL | STRING | ARRAY, _first),
        "any": Simple(ARRAY | OBJECT, BOOLEAN),
        "all": Simple(ARRAY | OBJECT, BOOLEAN),
        "explode": Simple(STRING, lambda _: la.array(la.of_kinds(NUMBER, whole=True))),
        "todate": Simple(NUMBER, STRING),
        "todateiso8601": Simple(NUMBER, STRING),
        "fromdate": Simple(STRING, NUMBER, strict=STRING, why="may be a text that is no date"),
        "fromdateiso8601": Simple(STRING, NUMBER, strict=STRING, why="may be a text that is no date"),
        "gmtime": Simple(NUMBER, lambda _: la.array(la.of_kinds(NUMBER), 8, 8)),
        "env": Simple(ALL, OBJECT),
    }


SIMPLE: Final[Mapping[str, Simple]] = _simple()


@dataclass(frozen=True, slots=True)
class OnArguments:
    """As Simple, for functions whose arguments are values: the kinds of all of them."""

    takes: Kind
    argument: Kind
    gives: Kind | Callable[[Value], Value]
    whole: bool = False
    count: str = "one"
    """one, perhaps or many results for each choice of arguments."""
    unsure: bool = False
    """It can fail in ways that types do not tell."""


def _arguments() -> dict[tuple[str, int], OnArguments]:
    text_test = OnArguments(STRING, STRING, BOOLEAN)
    flags = STRING | NULL
    match = OnArguments(STRING, flags, OBJECT, count="perhaps", unsure=True)
    two_numbers = OnArguments(ALL, NUMBER, NUMBER)
    places = OnArguments(NULL | STRING | ARRAY, SCALAR | ARRAY | OBJECT, NUMBER | NULL, whole=True, unsure=True)
    found = {
        ("startswith", 1): text_test,
        ("endswith", 1): text_test,
        ("ltrimstr", 1): OnArguments(STRING, STRING, STRING),
        ("rtrimstr", 1): OnArguments(STRING, STRING, STRING),
        ("trimstr", 1): OnArguments(STRING, STRING, STRING),
        ("split", 1): OnArguments(STRING, STRING, _strings()),
        ("split", 2): OnArguments(STRING, flags, _strings(), unsure=True),
        ("splits", 1): OnArguments(STRING, flags, STRING, count="many", unsure=True),
        ("splits", 2): OnArguments(STRING, flags, STRING, count="many", unsure=True),
        ("test", 1): OnArguments(STRING, flags, BOOLEAN, unsure=True),
        ("test", 2): OnArguments(STRING, flags, BOOLEAN, unsure=True),
        ("match", 1): match,
        ("match", 2): OnArguments(STRING, flags, OBJECT, count="many", unsure=True),
        ("capture", 1): match,
        ("capture", 2): OnArguments(STRING, flags, OBJECT, count="many", unsure=True),
        ("scan", 1): OnArguments(STRING, flags, STRING | ARRAY, count="many", unsure=True),
        ("scan", 2): OnArguments(STRING, flags, STRING | ARRAY, count="many", unsure=True),
        ("index", 1): places,
        ("rindex", 1): places,
        ("indices", 1): OnArguments(NULL | STRING | ARRAY, ALL, ARRAY | NULL, unsure=True),
        ("inside", 1): OnArguments(ALL, ALL, BOOLEAN, unsure=True),
        ("contains", 1): OnArguments(ALL, ALL, BOOLEAN, unsure=True),
        ("strftime", 1): OnArguments(NUMBER | ARRAY, STRING, STRING, unsure=True),
        ("strptime", 1): OnArguments(STRING, STRING, ARRAY, unsure=True),
        ("flatten", 1): OnArguments(ARRAY, NUMBER, ARRAY, unsure=True),
        ("bsearch", 1): OnArguments(ARRAY, ALL, NUMBER, whole=True),
        ("format", 1): OnArguments(ALL, STRING, STRING, unsure=True),
    }
    for name in words("atan2 copysign drem fdim fmax fmin fmod hypot ldexp nextafter nexttoward pow scalb scalbln"):
        found[name, 2] = two_numbers
    return found


ARGUMENT: Final[Mapping[tuple[str, int], OnArguments]] = _arguments()
