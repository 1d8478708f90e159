"""Abstract values: all that a jq value can be, as far as a schema and an expression tell.

A Value stands for a set of JSON values. UNKNOWN is all of them, NEVER none. Operations only ever widen: what a Value
leaves out cannot happen on any object that the schema allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from kartatest.infer.place import Each, Place, Step, new_each
from kartatest.jq.shape import Path
from kartatest.schema.model import ANY, Base, Type

Kind: TypeAlias = int
"""Types of jq as bits; true and false apart, since conditions tell them apart. Plain numbers: enums are slow."""

KINDS: Final = tuple(1 << bit for bit in range(7))
NULL, FALSE, TRUE, NUMBER, STRING, ARRAY, OBJECT = KINDS
BOOLEAN: Final = FALSE | TRUE
SCALAR: Final = NULL | BOOLEAN | NUMBER | STRING
ALL: Final = SCALAR | ARRAY | OBJECT
NOTHING: Final = Kind(0)


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """An object that an expression builds: known fields, and what stands under all other names (None: nothing).

    sure: the fields that are certainly there. Of the others each may be.
    """

    fields: Mapping[str, Value]
    rest: Value | None = None
    sure: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Listing:
    """An array that an expression builds: what its entries are, and how many there are (high None: no bound)."""

    item: Value
    low: int = 0
    high: int | None = None
    over: tuple[Path, ...] | None = None
    """The lists and maps in the input that it has an entry for each of, in the same order."""


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """What a value can be. objects and arrays: the shapes it may have as such; empty when it is none.

    consts: all texts and numbers it can be, or None when they are not listed. type: the schema's type, when it is a
    value of the object as it stands there.
    """

    kinds: Kind
    objects: tuple[Type | Record, ...] = ()
    arrays: tuple[Type | Listing, ...] = ()
    consts: frozenset[str | int | float] | None = None
    whole: bool = False
    """Numbers are integers."""
    place: Place | None = None
    """Which value it is, where that is known."""
    origin: Path | None = None
    """The path in the input at which such values stand, None for each entry; None when it is made."""
    type: Type | None = field(default=None)

    @property
    def never(self) -> bool:
        """Whether there is no such value."""
        return not self.kinds

    def may(self, kinds: Kind) -> bool:
        """Whether it can be one of the kinds."""
        return bool(self.kinds & kinds)

    def at(self, place: Place | None) -> Value:
        """The same, at another place."""
        return replace(self, place=place)

    def only(self, kinds: Kind) -> Value:
        """Those that are of the kinds."""
        left = self.kinds & kinds
        if left == self.kinds:
            return self
        return replace(
            self,
            kinds=left,
            objects=self.objects if left & OBJECT else (),
            arrays=self.arrays if left & ARRAY else (),
            consts=self.consts if left & (STRING | NUMBER) else None,
        )

    def without(self, kinds: Kind) -> Value:
        """Those that are not of the kinds."""
        return self.only(ALL & ~kinds)


NEVER: Final = Value(NOTHING)
NULL_VALUE: Final = Value(NULL)
ANY_RECORD: Final = Record({}, rest=None)
ANY_LIST: Final = Listing(NEVER)
UNKNOWN: Final = Value(ALL, (ANY_RECORD,), (ANY_LIST,))
object.__setattr__(ANY_RECORD, "rest", UNKNOWN)
object.__setattr__(ANY_LIST, "item", UNKNOWN)

MOST_SHAPES: Final = 6
MOST_CONSTS: Final = 64


def constant(value: str | float) -> Value:
    """The one text or number."""
    if isinstance(value, str):
        return Value(STRING, consts=frozenset({value}))
    return Value(NUMBER, consts=frozenset({value}), whole=float(value).is_integer())


def of_kinds(kinds: Kind, *, whole: bool = False) -> Value:
    """Any value of the kinds; objects and arrays hold anything."""
    return Value(
        kinds,
        (ANY_RECORD,) if kinds & OBJECT else (),
        (ANY_LIST,) if kinds & ARRAY else (),
        whole=whole,
    )


def array(item: Value, low: int = 0, high: int | None = None, over: tuple[Path, ...] | None = None) -> Value:
    """An array of such entries."""
    return Value(ARRAY, arrays=(Listing(item, low, high, over),))


def record(fields: Mapping[str, Value], rest: Value | None = None, sure: Iterable[str] = ()) -> Value:
    """An object with such fields."""
    return Value(OBJECT, objects=(Record(fields, rest, frozenset(sure)),))


_KINDS: Final[Mapping[Base, Kind]] = {
    Base.OBJECT: OBJECT,
    Base.ARRAY: ARRAY,
    Base.STRING: STRING,
    Base.INTEGER: NUMBER,
    Base.NUMBER: NUMBER,
    Base.BOOLEAN: BOOLEAN,
    Base.INT_OR_STRING: NUMBER | STRING,
    Base.ANY: ALL,
}


def of_type(type_: Type, place: Place | None, origin: Path | None, *, absent: bool = False) -> Value:
    """Any value of a schema's type; absent: or null, because it may not be there."""
    kinds = _KINDS[type_.base]
    if type_.nullable or absent:
        kinds |= NULL
    if type_.base is Base.ANY:
        return replace(UNKNOWN, place=place, origin=origin, type=type_)
    consts = None
    if type_.enum:
        consts, seen = _enum(type_.enum)
        kinds = kinds & (seen | NULL) or kinds
    return Value(
        kinds,
        (type_,) if type_.base is Base.OBJECT else (),
        (type_,) if type_.base is Base.ARRAY else (),
        consts=consts,
        whole=type_.base in (Base.INTEGER, Base.INT_OR_STRING),
        place=place,
        origin=origin,
        type=type_,
    )


def root_value(type_: Type) -> Value:
    """The object that a program runs on."""
    return of_type(type_, Place(0), ())


def _enum(values: Iterable[object]) -> tuple[frozenset[str | int | float] | None, Kind]:
    consts: set[str | int | float] = set()
    kinds = NOTHING
    for value in values:
        if isinstance(value, bool):
            kinds |= TRUE if value else FALSE
        elif isinstance(value, str | int | float):
            consts.add(value)
            kinds |= STRING if isinstance(value, str) else NUMBER
        elif value is None:
            kinds |= NULL
        else:
            return None, ALL
    return frozenset(consts) or None, kinds


def join(*values: Value) -> Value:
    """Any of the values."""
    found = [v for v in values if v.kinds]
    if not found:
        return NEVER
    total = found[0]
    for value in found[1:]:
        total = _join(total, value)
    return total


def _join(a: Value, b: Value) -> Value:
    if a is b:
        return a
    scalars = STRING | NUMBER
    if a.kinds & scalars and b.kinds & scalars:
        consts = None if a.consts is None or b.consts is None else a.consts | b.consts
        if consts is not None and len(consts) > MOST_CONSTS:
            consts = None
    else:
        consts = a.consts if a.kinds & scalars else b.consts
    return Value(
        a.kinds | b.kinds,
        _shapes(a.objects, b.objects, ANY_RECORD),
        _shapes(a.arrays, b.arrays, ANY_LIST),
        consts=consts,
        whole=(a.whole or not a.may(NUMBER)) and (b.whole or not b.may(NUMBER)),
        place=a.place if a.place == b.place else None,
        origin=a.origin if a.origin == b.origin or b.kinds == NULL else b.origin if a.kinds == NULL else None,
        type=a.type if a.type is b.type else a.type if b.kinds == NULL else b.type if a.kinds == NULL else None,
    )


def _shapes(a: tuple, b: tuple, unknown: object) -> tuple:  # type: ignore[type-arg]  # of either kind alike
    if not b or a is b:
        return a
    if not a:
        return b
    every = (*a, *(shape for shape in b if not any(shape is other for other in a)))
    return every if len(every) <= MOST_SHAPES and not any(s is unknown for s in every) else (unknown,)


def widened(value: Value) -> Value:
    """Any value of the same kinds."""
    return of_kinds(value.kinds)


def is_entry(shape: Type | Record) -> bool:
    """Whether it is one of `to_entries`: an object of key and value, and nothing else."""
    return isinstance(shape, Record) and shape.rest is None and shape.fields.keys() == {"key", "value"}


def detached(value: Value) -> Value:
    """The value of any other run: it is at no known place, nor is anything in it."""
    if value is UNKNOWN:
        return value
    objects = tuple(_detached_record(s) if isinstance(s, Record) else s for s in value.objects)
    arrays = tuple(
        replace(s, item=detached(s.item)) if isinstance(s, Listing) and s is not ANY_LIST else s for s in value.arrays
    )
    if value.place is None and objects == value.objects and arrays == value.arrays:
        return value
    return replace(value, place=None, objects=objects, arrays=arrays)


def _detached_record(shape: Record) -> Record:
    if shape is ANY_RECORD:
        return shape
    fields = {name: detached(kid) for name, kid in shape.fields.items()}
    rest = None if shape.rest is None else detached(shape.rest)
    if rest is shape.rest and all(fields[name] is kid for name, kid in shape.fields.items()):
        return shape
    return Record(fields, rest, shape.sure)


def same(a: Value, b: Value) -> bool:
    """Whether both are known to stand for the same values."""
    return (a.kinds, a.consts, a.whole) == (b.kinds, b.consts, b.whole) and all(
        len(x) == len(y) and all(any(s is t for t in y) for s in x)
        for x, y in ((a.objects, b.objects), (a.arrays, b.arrays))
    )


# -- what stands in objects and arrays


@dataclass(frozen=True, slots=True)
class Lookup:
    """What stands under a name. known: whether any of the shapes can hold something there."""

    value: Value
    known: bool


def field_of(value: Value, name: str) -> Lookup:
    """What `.name` gives on the objects among value; null where it is absent."""
    found, known = NEVER, False
    place = value.place / name if value.place else None
    origin = None if value.origin is None else (*value.origin, name)
    for shape in value.objects:
        if isinstance(shape, Type):
            kid = shape.field(name)
            if kid is not None:
                one, known = of_type(kid, place, origin, absent=name not in shape.always), True
            elif shape.open:
                one, known = of_type(ANY, place, origin), True
            else:
                one = Value(NULL, place=place, origin=origin)
        else:
            inner = shape.fields.get(name)
            if inner is not None:
                one, known = (inner if name in shape.sure else join(inner, NULL_VALUE)), True
                if one.place is None:
                    one = one.at(place)
            elif shape.rest is not None:
                one, known = join(detached(shape.rest), NULL_VALUE).at(place), True
            else:
                one = NULL_VALUE
        found = join(found, one)
    return Lookup(found, known)


def fields_of(value: Value) -> Value:
    """What `.[]` gives on the objects among value: any of their values, at a place of its own."""
    place = value.place / new_each() if value.place else None
    origin = None if value.origin is None else (*value.origin, None)
    found = NEVER
    for shape in value.objects:
        if isinstance(shape, Type):
            if shape.open:
                return of_type(ANY, place, origin)
            parts = [of_type(kid, place, origin) for kid in shape.fields.values()]
            if shape.additional is not None:
                parts.append(of_type(shape.additional, place, origin))
            if len(parts) > 24:
                return UNKNOWN.at(place)
            found = join(found, *parts)
        else:
            rest = () if shape.rest is None else (shape.rest,)
            found = join(found, *(detached(v).at(place) for v in (*shape.fields.values(), *rest)))
    return found


def names_of(value: Value) -> Value:
    """What the names of the objects among value can be."""
    names: set[str] = set()
    for shape in value.objects:
        if shape.open or shape.additional is not None if isinstance(shape, Type) else shape.rest is not None:
            return of_kinds(STRING)
        names |= shape.fields.keys()
    return Value(STRING, consts=frozenset(names)) if 0 < len(names) <= MOST_CONSTS else of_kinds(STRING)


def item_of(value: Value, step: Step) -> Value:
    """What an entry of the arrays among value can be; not that there may be none."""
    place = value.place / step if value.place else None
    origin = None if value.origin is None else (*value.origin, None if isinstance(step, Each) else step)
    found = NEVER
    for shape in value.arrays:
        if isinstance(shape, Type):
            found = join(found, of_type(shape.items or ANY, place, origin))
        else:
            found = join(found, detached(shape.item).at(place))
    return found


def lengths(value: Value) -> tuple[int, int | None]:
    """The least and the greatest number of entries of the arrays among value."""
    low: int | None = None
    high: int | None = 0
    for shape in value.arrays:
        one, most = (shape.min_items, shape.max_items) if isinstance(shape, Type) else (shape.low, shape.high)
        low = one if low is None else min(low, one)
        high = None if high is None or most is None else max(high, most)
    return low or 0, high
