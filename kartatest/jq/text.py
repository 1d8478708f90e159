"""A tree back to jq text: one spelling for each tree, with no parentheses that the grammar does not ask for."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from kartatest.jq.ast import (
    Array,
    ArrayPattern,
    Assign,
    Ast,
    Binary,
    Bind,
    Break,
    Call,
    Comma,
    Define,
    Entry,
    Foreach,
    Format,
    Function,
    Identity,
    If,
    Import,
    Index,
    Iterate,
    Label,
    Literal,
    Module,
    Negate,
    Node,
    Object,
    ObjectPattern,
    PatternEntry,
    Pipe,
    Recurse,
    Reduce,
    Slice,
    String,
    Try,
    Variable,
    VariablePattern,
    walk,
)

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

# How tightly a printed node holds together; a place asks for at least some level, or parentheses come.
_QUERY, _COMMA, _ALTERNATIVE, _ASSIGN, _OR, _AND, _COMPARE, _SUM, _PRODUCT, _TERM, _POSTFIX = range(11)
_LEVELS = {
    "//": _ALTERNATIVE,
    "or": _OR,
    "and": _AND,
    **dict.fromkeys(("==", "!=", "<", "<=", ">", ">="), _COMPARE),
    **dict.fromkeys("+-", _SUM),
    **dict.fromkeys("*/%", _PRODUCT),
}


def to_text(tree: Ast) -> str:
    """The canonical text of a tree: parse gives an equal tree for it.

    One line, single spaces; names as `.a` where they can be, else `["a b"]`. The unary plus of gojq stays a plus.
    """
    return _Printer().text(tree)


def string_text(value: str) -> str:
    """A string of jq in double quotes, with the escapes of JSON that it needs."""
    return json.dumps(value, ensure_ascii=False)


class _Printer:
    """Texts of nodes by identity, made from the leaves up, so that no depth is too deep. Serves for one tree."""

    def __init__(self) -> None:
        self.done: dict[int, tuple[str, int, bool]] = {}  # text, level, takes all that follows

    def text(self, tree: Ast) -> str:
        """The text of a whole tree."""
        for node in reversed(list(walk(tree))):
            if id(node) not in self.done:
                self.done[id(node)] = _PRINT[type(node)](self, node)
        return self.done[id(tree)][0]

    def show(self, node: Node, level: int = _QUERY, *, last: bool = True) -> str:
        """The text of a part; last: nothing follows it that a `def`, `label` or `as` in it could swallow."""
        text, own, greedy = self.done[id(node)]
        if own < level or (greedy and not last):
            return f"({text})"
        return text

    def pair(self, node: Any, op: str, level: int, left: int, right: int) -> tuple[str, int, bool]:
        return f"{self.show(node.left, left)} {op} {self.show(node.right, right)}", level, False

    def pipe(self, node: Pipe) -> tuple[str, int, bool]:
        text = f"{self.show(node.left, _COMMA, last=False)} | {self.show(node.right)}"
        return text, _QUERY, self.done[id(node.right)][2]

    def comma(self, node: Comma) -> tuple[str, int, bool]:
        left = self.show(node.left, _COMMA, last=False)
        right, level, greedy = self.done[id(node.right)]
        greedy = greedy and isinstance(node.right, Define | Label | Bind)
        if level <= _COMMA and not greedy:
            right = f"({right})"
        return f"{left}, {right}", _COMMA, greedy

    def binary(self, node: Binary) -> tuple[str, int, bool]:
        level = _LEVELS[node.op]
        right_first = level == _ALTERNATIVE
        alone = level == _COMPARE
        return self.pair(node, node.op, level, level + (right_first or alone), level + (not right_first))

    def assign(self, node: Assign) -> tuple[str, int, bool]:
        return self.pair(node, node.op, _ASSIGN, _OR, _OR)

    def negate(self, node: Negate) -> tuple[str, int, bool]:
        if node.written == "+" and isinstance(node.body, Negate):
            return "+" + self.show(node.body.body, _TERM), _TERM, False
        return "-" + self.show(node.body, _TERM), _TERM, False

    def try_(self, node: Try) -> tuple[str, int, bool]:
        if node.handler is None:
            steps = isinstance(node.body, Index | Slice | Iterate) and not isinstance(node.body.target, Identity)
            text = self.show(node.body, _POSTFIX)
            return f"{text}?" if node.step or not steps else f"({text})?", _POSTFIX, False
        return f"try {self.show(node.body, _TERM)} catch {self.show(node.handler, _TERM)}", _TERM, False

    def target(self, node: Ast) -> str:
        number = isinstance(node, Literal) and not isinstance(node.value, str)
        return f"({self.show(node)})" if number else self.show(node, _POSTFIX)

    def index(self, node: Index) -> tuple[str, int, bool]:
        target, key = node.target, node.key
        if isinstance(key, Literal) and isinstance(key.value, str) and _NAME.fullmatch(key.value):
            if isinstance(target, Identity):
                return f".{key.value}", _POSTFIX, False
            if not isinstance(target, Recurse):
                return f"{self.target(target)}.{key.value}", _POSTFIX, False
        return f"{self.target(target)}[{self.show(key)}]", _POSTFIX, False

    def slice(self, node: Slice) -> tuple[str, int, bool]:
        start = self.show(node.start) if node.start else ""
        return f"{self.target(node.target)}[{start}:{self.show(node.stop) if node.stop else ''}]", _POSTFIX, False

    def iterate(self, node: Iterate) -> tuple[str, int, bool]:
        return f"{self.target(node.target)}[]", _POSTFIX, False

    def literal(self, node: Literal) -> tuple[str, int, bool]:
        return _literal(node.value), _POSTFIX, False

    def string(self, node: String) -> tuple[str, int, bool]:
        parts = [string_text(p)[1:-1] if isinstance(p, str) else f"\\({self.show(p)})" for p in node.parts]
        return f'{node.format + " " if node.format else ""}"{"".join(parts)}"', _POSTFIX, False

    def array(self, node: Array) -> tuple[str, int, bool]:
        return f"[{self.show(node.body) if node.body else ''}]", _POSTFIX, False

    def object(self, node: Object) -> tuple[str, int, bool]:
        entries = ", ".join(self.show(e) for e in node.entries)
        return "{" + entries + "}", _POSTFIX, False

    def entry(self, node: Entry) -> tuple[str, int, bool]:
        key = self.key(node.key)
        return (key if node.value is None else f"{key}: {self.entry_value(node.value)}"), _QUERY, False

    def entry_value(self, value: Ast) -> str:
        """Pipes may stand bare in the value of an entry, commas and bindings may not."""
        steps: list[str] = []
        while isinstance(value, Pipe):
            steps.append(self.show(value.left, _ALTERNATIVE))
            value = value.right
        return " | ".join([*steps, self.show(value, _ALTERNATIVE)])

    def key(self, key: Node, *, pattern: bool = False) -> str:
        """A key of an object or of an object pattern."""
        if isinstance(key, Literal) and isinstance(key.value, str):
            return key.value if _NAME.fullmatch(key.value) else string_text(key.value)
        bare = (
            isinstance(key, VariablePattern)
            or (isinstance(key, Variable) and not pattern and "::" not in key.name)
            or (isinstance(key, String) and key.format is None)
        )
        return self.show(key) if bare else f"({self.show(key)})"

    def bind(self, node: Bind) -> tuple[str, int, bool]:
        patterns = " ?// ".join(self.show(p) for p in node.patterns)
        return f"{self.show(node.source, _ALTERNATIVE)} as {patterns} | {self.show(node.body)}", _QUERY, True

    def reduce(self, node: Reduce) -> tuple[str, int, bool]:
        return self.loop("reduce", node, [node.init, node.update])

    def foreach(self, node: Foreach) -> tuple[str, int, bool]:
        parts = [node.init, node.update] + ([node.extract] if node.extract else [])
        return self.loop("foreach", node, parts)

    def loop(self, word: str, node: Reduce | Foreach, parts: list[Ast]) -> tuple[str, int, bool]:
        patterns = " ?// ".join(self.show(p) for p in node.patterns)
        inner = "; ".join(self.show(p) for p in parts)
        return f"{word} {self.show(node.source, _ALTERNATIVE)} as {patterns} ({inner})", _POSTFIX, False

    def if_(self, node: If) -> tuple[str, int, bool]:
        text = f"if {self.show(node.condition)} then {self.show(node.consequence)}"
        if isinstance(node.alternative, If):
            return f"{text} el{self.show(node.alternative)}", _POSTFIX, False
        return f"{text}{f' else {self.show(node.alternative)}' if node.alternative else ''} end", _POSTFIX, False

    def function(self, node: Function) -> tuple[str, int, bool]:
        params = f"({'; '.join(node.params)})" if node.params else ""
        return f"def {node.name}{params}: {self.show(node.body)};", _QUERY, False

    def define(self, node: Define) -> tuple[str, int, bool]:
        return f"{self.show(node.function)} {self.show(node.rest)}", _QUERY, True

    def call(self, node: Call) -> tuple[str, int, bool]:
        return node.name + (f"({'; '.join(self.show(a) for a in node.args)})" if node.args else ""), _POSTFIX, False

    def label(self, node: Label) -> tuple[str, int, bool]:
        return f"label ${node.name} | {self.show(node.body)}", _QUERY, True

    def array_pattern(self, node: ArrayPattern) -> tuple[str, int, bool]:
        return f"[{', '.join(self.show(p) for p in node.items)}]", _POSTFIX, False

    def object_pattern(self, node: ObjectPattern) -> tuple[str, int, bool]:
        return "{" + ", ".join(self.show(e) for e in node.entries) + "}", _POSTFIX, False

    def pattern_entry(self, node: PatternEntry) -> tuple[str, int, bool]:
        key = self.key(node.key, pattern=True)
        return (key if node.value is None else f"{key}: {self.show(node.value)}"), _QUERY, False

    def import_(self, node: Import) -> tuple[str, int, bool]:
        alias = f" as {node.alias}" if node.alias else ""
        meta = f" {self.show(node.meta)}" if node.meta else ""
        return f"{'import' if alias else 'include'} {string_text(node.path)}{alias}{meta};", _QUERY, False

    def module(self, node: Module) -> tuple[str, int, bool]:
        head = [f"module {self.show(node.meta)};"] if node.meta else []
        return " ".join([*head, *(self.show(i) for i in node.imports), self.show(node.body)]), _QUERY, True


def _literal(value: str | float) -> str:
    if isinstance(value, str):
        return string_text(value)
    return "1e1000" if value == float("inf") else repr(value)


def _word(make: Callable[[Any], str]) -> Callable[[_Printer, Any], tuple[str, int, bool]]:
    return lambda _, node: (make(node), _POSTFIX, False)


_PRINT: dict[type[Node], Callable[[_Printer, Any], tuple[str, int, bool]]] = {
    Identity: _word(lambda _: "."),
    Recurse: _word(lambda _: ".."),
    Literal: _Printer.literal,
    String: _Printer.string,
    Format: _word(lambda node: node.name),
    Index: _Printer.index,
    Slice: _Printer.slice,
    Iterate: _Printer.iterate,
    Try: _Printer.try_,
    Array: _Printer.array,
    Entry: _Printer.entry,
    Object: _Printer.object,
    Negate: _Printer.negate,
    Pipe: _Printer.pipe,
    Comma: _Printer.comma,
    Binary: _Printer.binary,
    Assign: _Printer.assign,
    VariablePattern: _word(lambda node: "$" + node.name),
    ArrayPattern: _Printer.array_pattern,
    PatternEntry: _Printer.pattern_entry,
    ObjectPattern: _Printer.object_pattern,
    Bind: _Printer.bind,
    Reduce: _Printer.reduce,
    Foreach: _Printer.foreach,
    If: _Printer.if_,
    Function: _Printer.function,
    Define: _Printer.define,
    Call: _Printer.call,
    Variable: _word(lambda node: "$" + node.name),
    Label: _Printer.label,
    Break: _word(lambda node: "break $" + node.name),
    Import: _Printer.import_,
    Module: _Printer.module,
}
