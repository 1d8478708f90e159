"""The syntax tree of a jq program.

Every node carries the span of its text; spans take no part in equality, so two trees are equal when they mean
the same. Sugar that adds no meaning is gone: `.a` is Index(Identity, "a"), `E?` is Try(E), `elif` is a nested If,
parentheses leave no node.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Literal as OneOf
from typing import TypeAlias

from kartatest.jq.node import NOWHERE as NOWHERE
from kartatest.jq.node import Node as Node
from kartatest.jq.node import node
from kartatest.source import Span

BinaryOp: TypeAlias = OneOf["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "and", "or", "//"]
AssignOp: TypeAlias = OneOf["=", "|=", "+=", "-=", "*=", "/=", "%=", "//="]


@node
class Identity(Node):
    """`.`"""


@node
class Recurse(Node):
    """`..`"""


@node
class Literal(Node):
    """A string without interpolation, or a number; null, true and false are calls of builtins by the same name.

    value: str, int or float; a number with neither fraction nor exponent is an int (exact, of any size).
    """

    value: str | int | float


@node
class String(Node):
    r"""A string with interpolations `"a\(f)b"` or under a format `@base64 "x\(f)"`.

    parts alternate freely: text as str, interpolated programs as nodes; no empty texts.
    format is the name with its sign ("@base64") or None.
    """

    parts: tuple[str | Ast, ...]
    format: str | None = None


@node
class Format(Node):
    """`@base64` alone, a filter. name includes the sign."""

    name: str


@node
class Index(Node):
    """`target.name`, `target["name"]`, `target[key]`. key is evaluated on the input of the whole term."""

    target: Ast
    key: Ast


@node
class Slice(Node):
    """`target[start:stop]`; at least one bound is present."""

    target: Ast
    start: Ast | None
    stop: Ast | None


@node
class Iterate(Node):
    """`target[]`"""

    target: Ast


@node
class Try(Node):
    """`try body catch handler`; without handler, `try body` or `body?`.

    step: the `?` in `T.name?`, `T[key]?`, `T[a:b]?` and `T[]?` guards that last step alone, unlike `try T[key]` and
    `(T[key])?`, and the key is evaluated on the output of T: the same as `T | try .[key]` (gojq 0.12.19; in libjq 1.8.2
    the key sees the input of the term). Never set when T is `.`, where it would make no difference.
    """

    body: Ast
    handler: Ast | None = None
    step: bool = False


@node
class Array(Node):
    """`[body]`, or `[]` when body is None."""

    body: Ast | None


@node
class Entry(Node):
    """One `key: value` of an object construction; value None for the short forms `{a}`, `{$x}`, `{"a"}`, `{@f "x"}`.

    key is a Literal string, a String, a Variable, or any program (written in parentheses). `{$x}` names the entry for
    the variable and holds its value; in `{$x: 1}` the variable's value is the name, as in `{($x): 1}`.
    """

    key: Ast
    value: Ast | None


@node
class Object(Node):
    """`{...}`"""

    entries: tuple[Entry, ...]


@node
class Negate(Node):
    """Unary minus; gojq's unary plus is Negate(Negate(body)), where written on the outer one tells it from `--`."""

    body: Ast
    written: OneOf["-", "+"] = field(default="-", compare=False, kw_only=True)


@node
class Pipe(Node):
    """`left | right`"""

    left: Ast
    right: Ast


@node
class Comma(Node):
    """`left, right`"""

    left: Ast
    right: Ast


@node
class Binary(Node):
    """`left op right`: arithmetic, comparison, `and`, `or`, `//`. op_span is the operator's own place."""

    op: BinaryOp
    left: Ast
    right: Ast
    op_span: Span = field(default=NOWHERE, compare=False, kw_only=True)


@node
class Assign(Node):
    """`left op right` for the modifying operators."""

    op: AssignOp
    left: Ast
    right: Ast
    op_span: Span = field(default=NOWHERE, compare=False, kw_only=True)


@node
class VariablePattern(Node):
    """`$name` in a pattern. name has no sign."""

    name: str


@node
class ArrayPattern(Node):
    """`[$a, {b: $c}]`"""

    items: tuple[Pattern, ...]


@node
class PatternEntry(Node):
    """One entry of an object pattern: `$x`, `$x: pattern`, `key: pattern`, `"k\\(f)": pattern`, `(f): pattern`.

    key is a VariablePattern (which binds, and names the key), a Literal or String, or a program.
    """

    key: VariablePattern | Ast
    value: Pattern | None


@node
class ObjectPattern(Node):
    """`{a: $x, $y}`"""

    entries: tuple[PatternEntry, ...]


Pattern: TypeAlias = VariablePattern | ArrayPattern | ObjectPattern


@node
class Bind(Node):
    """`source as pattern ?// pattern | body`"""

    source: Ast
    patterns: tuple[Pattern, ...]
    body: Ast


@node
class Reduce(Node):
    """`reduce source as pattern (init; update)`. patterns holds one pattern, or the alternatives of `?//`."""

    source: Ast
    patterns: tuple[Pattern, ...]
    init: Ast
    update: Ast


@node
class Foreach(Node):
    """`foreach source as pattern (init; update; extract)`; extract None when absent."""

    source: Ast
    patterns: tuple[Pattern, ...]
    init: Ast
    update: Ast
    extract: Ast | None = None


@node
class If(Node):
    """`if condition then consequence else alternative end`; alternative None when absent."""

    condition: Ast
    consequence: Ast
    alternative: Ast | None = None


@node
class Function(Node):
    """`def name(params): body;`. A parameter written `$x` keeps its sign."""

    name: str
    params: tuple[str, ...]
    body: Ast


@node
class Define(Node):
    """`def ...; rest`"""

    function: Function
    rest: Ast


@node
class Call(Node):
    """`name` or `name(args)`; name may be `module::name`. name_span is the place of the name alone."""

    name: str
    args: tuple[Ast, ...] = ()
    name_span: Span = field(default=NOWHERE, compare=False, kw_only=True)


@node
class Variable(Node):
    """`$name`, without the sign; `$__loc__` and `$ENV` included, `$module::name` keeps its prefix."""

    name: str


@node
class Label(Node):
    """`label $name | body`"""

    name: str
    body: Ast


@node
class Break(Node):
    """`break $name`"""

    name: str


@node
class Import(Node):
    """`import "path" as name meta;`, `include "path" meta;` (alias None). A data import keeps its `$` in alias."""

    path: str
    alias: str | None
    meta: Ast | None = None


@node
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


def children(node: Node) -> Iterator[Node]:
    """The nodes directly inside node, in the order of the text."""
    for name in node.meaning:
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
        if inside := [*children(current)]:
            inside.reverse()
            stack += inside
