"""Values that are cheap to declare: frozen to the type checker, compared by what they mean.

`dataclasses` writes and compiles five methods for every class; for the hundred small classes of this package that is
most of what a start costs. Here equality, hash and repr are shared, and work in loops, so that depth costs nothing
either; `__init__` is written when the first value of a class is made, as a run makes values of few of them.
`dataclasses.replace` and `dataclasses.fields` work on these classes as on any dataclass.
"""

from __future__ import annotations

from dataclasses import MISSING, Field, field, make_dataclass
from typing import Any, TypeVar, dataclass_transform

_T = TypeVar("_T")
_NOT_OURS = ("__dict__", "__weakref__")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(cls: type[_T]) -> type[_T]:
    """Make a class of values. Fields with compare=False take no part in equality, hash and repr.

    The type checker refuses assignments to fields; at run time nothing does. There is no `__post_init__`.
    """
    body = {name: held for name, held in cls.__dict__.items() if name not in _NOT_OURS}
    own = [name for name, kind in body.get("__annotations__", {}).items() if not str(kind).startswith("ClassVar")]
    parts: dict[str, Any] = {}
    for base in reversed(cls.__mro__[1:]):
        parts |= base.__dict__.get("_parts", {})
    parts |= {name: body.pop(name, MISSING) for name in own}
    body["_parts"] = parts
    body["meaning"] = tuple([name for name in parts if _is_shown(parts[name], "compare")])
    body["shown"] = tuple([name for name in body["meaning"] if _is_shown(parts[name], "repr")])
    body["__slots__"] = tuple(own)
    body["__match_args__"] = tuple(_positional(parts))
    body["__dataclass_fields__"] = _Fields()
    body |= {name: method for name, method in _METHODS.items() if cls.__dict__.get(name) is None}
    made: type[_T] = type(cls.__name__, cls.__bases__, body)
    return made


def _is_shown(part: Any, way: str) -> bool:
    return not isinstance(part, Field) or bool(getattr(part, way))


def _positional(parts: dict[str, Any]) -> list[str]:
    return [name for name, part in parts.items() if not isinstance(part, Field) or part.kw_only is not True]


def _first(self: Any, /, *args: Any, **given: Any) -> None:
    """`__init__` of a class no value of which has been made: it makes way for the real one."""
    made: Any = next(cls for cls in type(self).__mro__ if "_parts" in cls.__dict__)
    made.__init__ = _initialiser(made)
    made.__init__(self, *args, **given)


def _initialiser(cls: Any) -> Any:
    """A function that takes the fields, in order, those that are kw_only by name."""
    names: dict[str, Any] = {"missing": MISSING}
    places: list[str] = []
    named = ["*"]
    lines: list[str] = []
    for name, part in cls._parts.items():
        default, factory = (part.default, part.default_factory) if isinstance(part, Field) else (part, MISSING)
        text = name
        if default is not MISSING or factory is not MISSING:
            names[f"default_{name}"] = default
            text = f"{name}=default_{name}"
        (named if isinstance(part, Field) and part.kw_only is True else places).append(text)
        if factory is not MISSING:
            names[f"make_{name}"] = factory
            lines.append(f" self.{name} = make_{name}() if {name} is missing else {name}")
        else:
            lines.append(f" self.{name} = {name}")
    taken = ", ".join(["self", *places, *(named if len(named) > 1 else ())])
    exec("\n".join([f"def __init__({taken}):", *(lines or [" pass"])]), names)
    return names["__init__"]


class _Fields:
    """What `dataclasses` asks a class for, made when it asks."""

    def __get__(self, _instance: object, cls: Any) -> Any:
        """Name to Field, in order."""
        told = []
        for name, part in cls._parts.items():
            if isinstance(part, Field):
                told.append((name, Any, field(default=part.default, compare=part.compare, kw_only=part.kw_only)))
            else:
                told.append((name, Any, field(default=part)))
        found = make_dataclass(cls.__name__, told, eq=False, repr=False, kw_only=True)
        cls.__dataclass_fields__ = found.__dict__["__dataclass_fields__"]
        return cls.__dataclass_fields__


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
    return f"{type(self).__name__}({', '.join([f'{name}={getattr(self, name)!r}' for name in self.shown])})"


_METHODS = {"__eq__": _equal, "__hash__": _hash, "__repr__": _repr, "__init__": _first}
