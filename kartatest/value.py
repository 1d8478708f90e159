"""Values that are cheap to declare: frozen to the type checker, compared by what they mean.

`dataclasses` writes and compiles five methods for every class; for the hundred small classes of this package that is
most of what a start costs. Here only `__init__` is written; equality, hash and repr are shared, and work in loops, so
that depth costs nothing either.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, TypeVar, dataclass_transform

_T = TypeVar("_T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(cls: type[_T]) -> type[_T]:
    """Make a class of values. Fields with compare=False take no part in equality, hash and repr.

    The type checker refuses assignments to fields; at run time nothing does.
    """
    made: Any = dataclass(eq=False, repr=False, slots=True)(cls)
    made.meaning = tuple(f.name for f in fields(made) if f.compare)
    made.__eq__ = _equal
    made.__hash__ = _hash
    made.__repr__ = _repr
    return made  # type: ignore[no-any-return]


def _equal(self: Any, other: object) -> Any:
    if type(self) is not type(other):
        return NotImplemented
    pairs: list[tuple[Any, Any]] = [(self, other)]
    while pairs:
        a, b = pairs.pop()
        if a is b:
            continue
        kind: Any = type(a)
        if kind.__eq__ is _equal:
            if kind is not type(b):
                return False
            pairs.extend([(getattr(a, name), getattr(b, name)) for name in a.meaning])
        elif kind is tuple and type(b) is tuple:
            if len(a) != len(b):
                return False
            pairs.extend(zip(a, b, strict=True))
        elif a != b:
            return False
    return True


def _hash(self: Any) -> int:
    seen: list[Any] = []
    rest: list[Any] = [self]
    while rest:
        item = rest.pop()
        kind: Any = type(item)
        if kind.__hash__ is _hash:
            seen.append(kind)
            rest.extend([getattr(item, name) for name in item.meaning])
        elif kind is tuple:
            seen.append(len(item))
            rest.extend(item)
        else:
            seen.append(item)
    return hash(tuple(seen))


def _repr(self: Any) -> str:
    return f"{type(self).__name__}({', '.join([f'{name}={getattr(self, name)!r}' for name in self.meaning])})"
