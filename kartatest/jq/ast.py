"""The syntax tree of a jq program.

Every node carries the span of its text; spans take no part in equality, so two trees are equal when they mean
the same. Sugar that adds no meaning is gone: `.a` is Index(Identity, "a"), `E?` is Try(E), `elif` is a nested If,
parentheses leave no node.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Literal as OneOf
from typing import TypeAlias

from kartatest.source import Span

NOWHERE = Span(0, 0)

BinaryOp: TypeAlias = OneOf["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "and", "or", "//"]
AssignOp: TypeAlias = OneOf["=", "|=", "+=", "-=", "*=", "/=", "%=", "//="]


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """Anything in a jq program that has a place in its text."""

    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Identity(Node):
    """`.`"""


@dataclass(frozen=True, slots=True)
class Recurse(Node):
    """`..`"""


@dataclass(frozen=True, slots=True)
class Literal(Node):
    """A string without interpolation, or a number; null, true and false are calls of builtins by the same name.

    value: str, int or float; a number with neither fraction nor exponent is an int (exact, of any size).
    """

    value: str | int | float


@dataclass(frozen=True, slots=True)
class String(Node):
    r"""A string with interpolations `"a\(f)b"` or under a format `@base64 "x\(f)"`.

    parts alternate freely: text as str, interpolated programs as nodes; no empty texts.
    format is the name with its sign ("@base64") or None.
    """

    parts: tuple[str | Ast, ...]
    format: str | None = None


@dataclass(frozen=True, slots=True)
class Format(Node):
    """`@base64` alone, a filter. name includes the sign."""

    name: str


@dataclass(frozen=True, slots=True)
class Index(Node):
    """`target.name`, `target["name"]`, `target[key]`. key is evaluated on the input of the whole term."""

    target: Ast
    key: Ast


@dataclass(frozen=True, slots=True)
class Slice(Node):
    """`target[start:stop]`; at least one bound is present."""

    target: Ast
    start: Ast | None
    stop: Ast | None


@dataclass(frozen=True, slots=True)
class Iterate(Node):
    """`target[]`"""

    target: Ast


@dataclass(frozen=True, slots=True)
class Try(Node):
    """`try body catch handler`; without handler, `try body` or `body?`.

    step: the `?` in `T.name?`, `T[key]?`, `T[a:b]?` and `T[]?` guards that last step alone, unlike `try T[key]` and
    `(T[key])?`, and the key is evaluated on the output of T: the same as `T | try .[key]` (gojq 0.12.19; in libjq 1.8.2
    the key sees the input of the term). Never set when T is `.`, where it would make no difference.
    """

    body: Ast
    handler: Ast | None = None
    step: bool = False


@dataclass(frozen=True, slots=True)
class Array(Node):
    """`[body]`, or `[]` when body is None."""

    body: Ast | None


@dataclass(frozen=True, slots=True)
class Entry(Node):
    """One `key: value` of an object construction; value None for the short forms `{a}`, `{$x}`, `{"a"}`, `{@f "x"}`.

    key is a Literal string, a String, a Variable (only with value None, or `{$x: 1}` is not jq), or any program
    (written in parentheses).
    """

    key: Ast
    value: Ast | None


@dataclass(frozen=True, slots=True)
class Object(Node):
    """`{...}`"""

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Negate(Node):
    """Unary minus; gojq's unary plus is Negate(Negate(body)), where written on the outer one tells it from `--`."""

    body: Ast
    written: OneOf["-", "+"] = field(default="-", compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Pipe(Node):
    """`left | right`"""

    left: Ast
    right: Ast


@dataclass(frozen=True, slots=True)
class Comma(Node):
    """`left, right`"""

    left: Ast
    right: Ast


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """`left op right`: arithmetic, comparison, `and`, `or`, `//`. op_span is the operator's own place."""

    op: BinaryOp
    left: Ast
    right: Ast
    op_span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Assign(Node):
    """`left op right` for the modifying operators."""

    op: AssignOp
    left: Ast
    right: Ast
    op_span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class VariablePattern(Node):
    """`$name` in a pattern. name has no sign."""

    name: str


@dataclass(frozen=True, slots=True)
class ArrayPattern(Node):
    """`[$a, {b: $c}]`"""

    items: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class PatternEntry(Node):
    """One entry of an object pattern: `$x`, `$x: pattern`, `key: pattern`, `"k\\(f)": pattern`, `(f): pattern`.

    key is a VariablePattern (which binds, and names the key), a Literal or String, or a program.
    """

    key: VariablePattern | Ast
    value: Pattern | None


@dataclass(frozen=True, slots=True)
class ObjectPattern(Node):
    """`{a: $x, $y}`"""

    entries: tuple[PatternEntry, ...]


Pattern: TypeAlias = VariablePattern | ArrayPattern | ObjectPattern


@dataclass(frozen=True, slots=True)
class Bind(Node):
    """`source as pattern ?// pattern | body`"""

    source: Ast
    patterns: tuple[Pattern, ...]
    body: Ast


@dataclass(frozen=True, slots=True)
class Reduce(Node):
    """`reduce source as pattern (init; update)`. patterns holds one pattern, or the alternatives of `?//`."""

    source: Ast
    patterns: tuple[Pattern, ...]
    init: Ast
    update: Ast


@dataclass(frozen=True, slots=True)
class Foreach(Node):
    """`foreach source as pattern (init; update; extract)`; extract None when absent."""

    source: Ast
    patterns: tuple[Pattern, ...]
    init: Ast
    update: Ast
    extract: Ast | None = None


@dataclass(frozen=True, slots=True)
class If(Node):
    """`if condition then consequence else alternative end`; alternative None when absent."""

    condition: Ast
    consequence: Ast
    alternative: Ast | None = None


@dataclass(frozen=True, slots=True)
class Function(Node):
    """`def name(params): body;`. A parameter written `$x` keeps its sign."""

    name: str
    params: tuple[str, ...]
    body: Ast


@dataclass(frozen=True, slots=True)
class Define(Node):
    """`def ...; rest`"""

    function: Function
    rest: Ast


@dataclass(frozen=True, slots=True)
class Call(Node):
    """`name` or `name(args)`; name may be `module::name`. name_span is the place of the name alone."""

    name: str
    args: tuple[Ast, ...] = ()
    name_span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Variable(Node):
    """`$name`, without the sign; `$__loc__` and `$ENV` included, `$module::name` keeps its prefix."""

    name: str


@dataclass(frozen=True, slots=True)
class Label(Node):
    """`label $name | body`"""

    name: str
    body: Ast


@dataclass(frozen=True, slots=True)
class Break(Node):
    """`break $name`"""

    name: str


@dataclass(frozen=True, slots=True)
class Import(Node):
    """`import "path" as name meta;`, `include "path" meta;` (alias None). A data import keeps its `$` in alias."""

    path: str
    alias: str | None
    meta: Ast | None = None


@dataclass(frozen=True, slots=True)
class Module(Node):
    """A program with a `module` directive or imports before its body."""

    meta: Ast | None
    imports: tuple[Import, ...]
    body: Ast


Ast: TypeAlias = (
    Identity
    | Recurse
    | Literal
    | String
    | Format
    | Index
    | Slice
    | Iterate
    | Try
    | Array
    | Object
    | Negate
    | Pipe
    | Comma
    | Binary
    | Assign
    | Bind
    | Reduce
    | Foreach
    | If
    | Define
    | Call
    | Variable
    | Label
    | Break
    | Module
)


@cache
def _parts(kind: type[Node]) -> tuple[str, ...]:
    """The fields of such a node that may hold nodes."""
    return tuple(f.name for f in fields(kind) if not f.name.endswith("span"))


def children(node: Node) -> Iterator[Node]:
    """The nodes directly inside node, in the order of the text."""
    for name in _parts(type(node)):
        value = getattr(node, name)
        if isinstance(value, Node):
            yield value
        elif isinstance(value, tuple):
            yield from (item for item in value if isinstance(item, Node))


def walk(node: Node) -> Iterator[Node]:
    """node and everything inside it, each before its parts; patterns, entries and functions included."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(list(children(current))))
