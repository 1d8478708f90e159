"""The directives at the start of a jq program: `module`, `import`, `include`, and the constants in them."""

from __future__ import annotations

from kartatest.jq.ast import Array, Ast, Call, Comma, Entry, Import, Literal, Object
from kartatest.jq.reader import Reader
from kartatest.source import Span


def number(text: str) -> int | float:
    """The value of a number: int without fraction and exponent, else float (infinite past its range)."""
    if text.isdigit():
        digits = text.lstrip("0") or "0"
        return int(digits) if len(digits) <= 400 else float("inf")
    return float(text)


class HeaderReader(Reader):
    """Reads directives."""

    def import_(self) -> Import:
        """`import "path" as name meta;` or `include "path" meta;`."""
        word = self.advance()
        path = self.need_kind("string", "the path of a module in double quotes").value
        alias = None
        if word.value == "import":
            self.need("as")
            if self.token.kind not in ("name", "variable"):
                raise self.expected("a name for the module")
            token = self.advance()
            alias = "$" + token.value if token.kind == "variable" else token.value
        meta = self.constant_object() if self.sees("{") else None
        self.need(";")
        return Import(path, alias, meta, span=self.since(word.start))

    def constant_object(self) -> Ast:
        """`{key: constant, ...}`."""
        opener = self.need("{")
        self.enter()
        entries: list[Entry] = []
        while not self.sees("}"):
            token = self.token
            if token.kind not in ("name", "keyword", "string"):
                raise self.expected("a constant key")
            self.advance()
            key = Literal(token.value, span=Span(token.start, token.end))
            self.need(":")
            entries.append(Entry(key, self.constant(), span=self.since(token.start)))
            if not self.takes(","):
                break
        self.need("}", opener)
        self.nesting -= 1
        return Object(tuple(entries), span=self.since(opener.start))

    def constant(self) -> Ast:
        """A value without any computation."""
        token = self.token
        if self.sees("{"):
            return self.constant_object()
        if self.sees("["):
            return self.constant_array()
        span = Span(token.start, token.end)
        if token.kind == "number":
            return Literal(number(self.advance().value), span=span)
        if token.kind == "string":
            return Literal(self.advance().value, span=span)
        if token.kind == "keyword" and token.value in ("null", "true", "false"):
            return Call(self.advance().value, span=span, name_span=span)
        raise self.expected("a constant")

    def constant_array(self) -> Ast:
        """`[constant, ...]`."""
        opener = self.advance()
        self.enter()
        body: Ast | None = None
        if not self.sees("]"):
            body = self.constant()
            while self.takes(","):
                body = Comma(body, self.constant(), span=self.since(opener.end))
        self.need("]", opener)
        self.nesting -= 1
        return Array(body, span=self.since(opener.start))
