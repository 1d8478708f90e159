"""jq text to its tree, with the grammar of gojq 0.12.19.

From loose to tight: `def`, `label` and `as` take all that follows; `|` (right); `,` (left); `//` (right); the
assignments (no chains); `or`; `and`; comparisons (no chains); `+ -`; `* / %`; unary minus; `try` and its `catch`, whose
operands are single terms; suffixes. Chains of operators are folded in loops, so only brackets cost stack.
"""

from __future__ import annotations

from typing import Any

from kartatest.jq.ast import (
    Assign,
    Ast,
    Binary,
    Bind,
    Comma,
    Define,
    Function,
    Identity,
    Import,
    Label,
    Module,
    Node,
    Pipe,
    children,
)
from kartatest.jq.directives import HeaderReader
from kartatest.jq.errors import JqSyntaxError
from kartatest.jq.lex import Token
from kartatest.jq.reader import too_deep
from kartatest.jq.terms import TermReader
from kartatest.source import Span

MAX_DEPTH = 200  # levels of the tree, so that whoever walks it by recursion ends well

_ASSIGN = 2
_COMPARE = 5
_LEVELS = {
    "//": 1,
    **dict.fromkeys(("=", "|=", "+=", "-=", "*=", "/=", "%=", "//="), _ASSIGN),
    "or": 3,
    "and": 4,
    **dict.fromkeys(("==", "!=", "<", "<=", ">", ">="), _COMPARE),
    **dict.fromkeys("+-", 6),
    **dict.fromkeys("*/%", 7),
}


def parse(text: str) -> Ast:
    """The tree of a jq program; the empty text is Identity, and so is the rest of a program of only definitions.

    Raises JqSyntaxError with a place in text when gojq 0.12.19 would refuse the text, or when it is nested deeper than
    MAX_NESTING or MAX_DEPTH. Names are not looked up here (see safety).
    """
    parser = _Parser(text)
    tree = parser.program()
    if len(parser.tokens) > MAX_DEPTH // 2:
        _check_depth(tree)
    return tree


def _check_depth(tree: Ast) -> None:
    level: list[Node] = [tree]
    for _ in range(MAX_DEPTH):
        level = [child for node in level for child in children(node)]
        if not level:
            return
    raise too_deep(level[0].span)


class _Parser(HeaderReader, TermReader):
    # Programs

    def program(self) -> Ast:
        meta: Ast | None = None
        imports: list[Import] = []
        start, headed = self.token.start, False
        if self.sees("module"):
            self.advance()
            meta, headed = self.constant_object(), True
            self.need(";")
        while self.sees("import") or self.sees("include"):
            imports.append(self.import_())
            headed = True
        body = self.query(whole=True)
        if self.token.kind != "end":
            raise self.expected("an operator or the end")
        return Module(meta, tuple(imports), body, span=self.since(start)) if headed else body

    # Pipes, commas, and what takes all that follows

    def query(self, *, whole: bool = False) -> Ast:
        """A program up to a token that cannot go on; whole: the outermost one, which may lack a body."""
        self.enter()
        pending: list[tuple[type[Any], int, tuple[Any, ...]]] = []  # nodes that wait for their last part
        left: Ast | None = None  # what stands before a comma
        left_start = self.token.start
        while True:
            start = self.token.start
            if self.sees("def") or self.sees("label"):
                if left is not None:
                    pending.append((Comma, left_start, (left,)))
                    left = None
                if self.sees("def"):
                    pending.append((Define, start, (self.function(),)))
                else:
                    self.advance()
                    name = self.need_kind("variable", "a label such as `$out`").value
                    self.need("|")
                    pending.append((Label, start, (name,)))
                continue
            if whole and left is None and self.token.kind == "end" and all(kind is Define for kind, _, _ in pending):
                left = Identity(span=Span(start, start))
                break
            node = self.expression()
            if self.sees("as"):
                if left is not None:
                    pending.append((Comma, left_start, (left,)))
                    left = None
                self.advance()
                pending.append((Bind, start, (node, self.patterns())))
                self.need("|")
                continue
            if left is None:
                left, left_start = node, start
            else:
                left = Comma(left, node, span=self.since(left_start))
            if self.takes(","):
                continue
            if not self.sees("|"):
                break
            self.advance()
            pending.append((Pipe, left_start, (left,)))
            left = None
        for make, start, parts in reversed(pending):
            left = make(*parts, left, span=self.since(start))
        self.nesting -= 1
        return left

    def function(self) -> Function:
        start = self.advance().start
        name = self.need_kind("name", "a name for the function").value
        params: list[str] = []
        if self.sees("("):
            opener = self.advance()
            while True:
                token = self.token
                if token.kind not in ("name", "variable"):
                    raise self.expected("a parameter name")
                self.advance()
                params.append("$" + token.value if token.kind == "variable" else token.value)
                if not self.takes(";"):
                    break
            self.need(")", opener)
        self.need(":")
        body = self.query()
        self.need(";")
        return Function(name, tuple(params), body, span=self.since(start))

    # Operators

    def expression(self) -> Ast:
        """Operators tighter than the comma; a loop over two stacks, so that long chains cost no Python frames."""
        operands: list[tuple[Ast, int, int]] = []
        operators: list[Token] = []

        def fold() -> None:
            right, _, end = operands.pop()
            left, start, _ = operands.pop()
            op = operators.pop()
            make: type[Any] = Assign if _LEVELS[op.value] == _ASSIGN else Binary
            node = make(op.value, left, right, span=Span(start, end), op_span=Span(op.start, op.end))
            operands.append((node, start, end))

        while True:
            start = self.token.start
            node = self.term()
            operands.append((node, start, self.last_end))
            token = self.token
            level = _LEVELS.get(token.value, 0) if token.kind in ("op", "keyword") else 0
            while operators:
                top = _LEVELS[operators[-1].value]
                if top < level or (top == level == 1):
                    break
                if top == level and level in (_ASSIGN, _COMPARE):
                    raise self.chained(operators[-1], token)
                fold()
            if not level:
                return operands[0][0]
            operators.append(self.advance())

    def chained(self, first: Token, second: Token) -> JqSyntaxError:
        compares = _LEVELS[first.value] == _COMPARE
        return JqSyntaxError(
            f"`{second.value}` after `{first.value}` needs parentheses",
            Span(second.start, second.end),
            "comparisons do not chain; join two with `and`" if compares else "assignments do not chain",
        )
