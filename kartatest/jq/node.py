"""What every node of the syntax tree has: a span, equality by meaning, and a class that is quick to make."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, TypeVar, dataclass_transform

from kartatest.source import Span

NOWHERE = Span(0, 0)


class Tree:
    """Equality, hash and text of all nodes: made once, and in loops, so that neither start nor depth costs much."""

    __slots__ = ()
    meaning: ClassVar[tuple[str, ...]] = ()
    """The fields that take part in equality."""
    __dataclass_fields__: ClassVar[dict[str, Any]]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        pairs: list[tuple[Any, Any]] = [(self, other)]
        while pairs:
            a, b = pairs.pop()
            if a is b:
                continue
            if isinstance(a, Tree):
                if type(a) is not type(b):
                    return False
                pairs.extend([(getattr(a, name), getattr(b, name)) for name in a.meaning])
            elif isinstance(a, tuple) and isinstance(b, tuple):
                if len(a) != len(b):
                    return False
                pairs.extend(zip(a, b, strict=True))
            elif a != b:
                return False
        return True

    def __hash__(self) -> int:
        seen: list[Any] = []
        rest: list[Any] = [self]
        while rest:
            item = rest.pop()
            if isinstance(item, Tree):
                seen.append(type(item))
                rest.extend([getattr(item, name) for name in item.meaning])
            elif isinstance(item, tuple):
                seen.append(len(item))
                rest.extend(item)
            else:
                seen.append(item)
        return hash(tuple(seen))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join([f'{name}={getattr(self, name)!r}' for name in self.meaning])})"


_T = TypeVar("_T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def node(cls: type[_T]) -> type[_T]:
    """A dataclass, frozen to the type checker. At run time only `__init__` is made: what dataclasses make besides, for
    some forty classes, is half the time that importing this package takes."""
    made: Any = dataclass(eq=False, repr=False, slots=True)(cls)
    made.meaning = tuple(f.name for f in fields(made) if f.compare)
    return made  # type: ignore[no-any-return]


@node
class Node(Tree):
    """Anything in a jq program that has a place in its text."""

    span: Span = field(default=NOWHERE, compare=False, kw_only=True)
