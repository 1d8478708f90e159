"""The terms of a jq program: values, suffixes, constructions, forms that begin with a keyword, and patterns."""

from __future__ import annotations

from kartatest.jq.ast import (
    Array,
    ArrayPattern,
    Ast,
    Break,
    Call,
    Entry,
    Foreach,
    Format,
    Identity,
    If,
    Index,
    Iterate,
    Literal,
    Negate,
    Object,
    ObjectPattern,
    Pattern,
    PatternEntry,
    Pipe,
    Recurse,
    Reduce,
    Slice,
    String,
    Try,
    Variable,
    VariablePattern,
)
from kartatest.jq.directives import number
from kartatest.jq.lex import Token
from kartatest.jq.reader import Reader
from kartatest.source import Span


class TermReader(Reader):
    """Reads one term; what stands inside brackets is read by the parser built on it."""

    def query(self, *, whole: bool = False) -> Ast:
        """A program up to a token that cannot go on."""
        raise NotImplementedError

    def expression(self) -> Ast:
        """A program up to a comma, a pipe, or what cannot go on."""
        raise NotImplementedError

    def term(self) -> Ast:
        """Signs, one primary and its suffixes."""
        signs: list[Token] = []
        while self.token.kind == "op" and self.token.value in "+-":
            signs.append(self.advance())
        start = self.token.start
        bare = not self.sees("(")  # behind `(...)` a `?` guards all of it
        node = self.primary()
        while self.token.kind in ("field", "op"):
            token = self.token
            bare = bare or token.value != "?" or token.kind == "field"
            if token.kind == "field":
                self.advance()
                key = Literal(token.value, span=Span(token.start + 1, token.end))
                node = Index(node, key, span=self.since(start))
            elif token.value == "?":
                self.advance()
                step = bare and isinstance(node, Index | Slice | Iterate) and not isinstance(node.target, Identity)
                node = Try(node, step=step, span=self.since(start))
            elif token.value == "[":
                node = self.bracket(node, start)
            elif token.value == ".":
                self.advance()
                if self.token.kind in ("string", "string-start"):
                    node = Index(node, self.string(), span=self.since(start))
                elif self.sees("["):
                    node = self.bracket(node, start)
                else:
                    raise self.expected("a name, a string or `[` behind the dot")
            else:
                break
        for sign in reversed(signs):
            node = Negate(node, span=self.since(sign.start))
            if sign.value == "+":  # gojq alone has a unary plus: the number itself, an error for anything else
                node = Negate(node, span=node.span, written="+")
        return node

    def bracket(self, target: Ast, start: int) -> Ast:
        """`[]`, `[key]` or `[start:stop]` behind target, which begins at start."""
        opener = self.advance()
        if self.takes("]"):
            return Iterate(target, span=self.since(start))
        first = None if self.sees(":") else self.query()
        if not self.takes(":"):
            self.need("]", opener)
            assert first is not None
            return Index(target, first, span=self.since(start))
        stop = None if first is not None and self.sees("]") else self.query()
        self.need("]", opener)
        return Slice(target, first, stop, span=self.since(start))

    def primary(self) -> Ast:
        """A term without signs and suffixes."""
        token = self.token
        span = Span(token.start, token.end)
        match token.kind:
            case "field":
                self.advance()
                key = Literal(token.value, span=Span(token.start + 1, token.end))
                return Index(Identity(span=Span(token.start, token.start + 1)), key, span=span)
            case "name" | "module-name":
                return self.call()
            case "variable" | "module-variable":
                self.advance()
                return Variable(token.value, span=span)
            case "number":
                self.advance()
                return Literal(number(token.value), span=span)
            case "string" | "string-start":
                return self.string()
            case "format":
                self.advance()
                if self.token.kind in ("string", "string-start"):
                    return self.string(token)
                return Format(token.value, span=span)
            case "keyword":
                return self.keyword()
            case "op":
                return self.opened()
        raise self.expected("a value")

    def opened(self) -> Ast:
        """A primary that begins with an operator: a dot or a bracket."""
        token = self.token
        match token.value:
            case ".":
                self.advance()
                dot = Identity(span=Span(token.start, token.end))
                if self.token.kind in ("string", "string-start"):
                    return Index(dot, self.string(), span=self.since(token.start))
                return dot
            case "..":
                self.advance()
                return Recurse(span=Span(token.start, token.end))
            case "(":
                self.advance()
                node = self.query()
                self.need(")", token)
                return node
            case "[":
                self.advance()
                body = None if self.sees("]") else self.query()
                self.need("]", token)
                return Array(body, span=self.since(token.start))
            case "{":
                return self.object()
        raise self.expected("a value")

    def call(self) -> Ast:
        """A name, with its arguments if there are any."""
        token = self.advance()
        args: list[Ast] = []
        if self.sees("("):
            opener = self.advance()
            args.append(self.query())
            while self.takes(";"):
                args.append(self.query())
            self.need(")", opener)
        name_span = Span(token.start, token.end)
        return Call(token.value, tuple(args), span=self.since(token.start), name_span=name_span)

    def string(self, format_: Token | None = None) -> Ast:
        """A string token, or the parts of one with interpolations, under a format that was read before it."""
        opener = self.advance()
        start = format_.start if format_ else opener.start
        name = format_.value if format_ else None
        if opener.kind == "string":
            if name is None:
                return Literal(opener.value, span=self.since(start))
            return String((opener.value,) if opener.value else (), name, span=self.since(start))
        parts: list[str | Ast] = []
        while self.token.kind != "string-end":
            token = self.token
            if token.kind == "string-text":
                parts.append(self.advance().value)
            elif token.kind == "string-query":
                self.advance()
                parts.append(self.query())
                self.need(")", token)
            else:
                raise self.expected("the end of the string")
        self.advance()
        return String(tuple(parts), name, span=self.since(start))

    def object(self) -> Ast:
        """`{...}`."""
        opener = self.advance()
        self.enter()
        entries: list[Entry] = []
        while not self.sees("}"):
            entries.append(self.entry())
            if not self.takes(","):
                break
        self.need("}", opener)
        self.nesting -= 1
        return Object(tuple(entries), span=self.since(opener.start))

    def entry(self) -> Entry:
        """One entry of an object."""
        start = self.token.start
        key, short = self.key()
        if short and not self.sees(":"):
            return Entry(key, None, span=self.since(start))
        self.need(":")
        return Entry(key, self.entry_value(), span=self.since(start))

    def key(self) -> tuple[Ast, bool]:
        """The key of an entry, and whether it may stand alone."""
        token = self.token
        span = Span(token.start, token.end)
        if token.kind in ("name", "keyword"):
            return Literal(self.advance().value, span=span), True
        if token.kind == "variable":
            return Variable(self.advance().value, span=span), True
        if token.kind in ("string", "string-start"):
            return self.string(), True
        if not self.sees("("):
            raise self.expected("a key")
        opener = self.advance()
        node = self.query()
        self.need(")", opener)
        return node, False

    def entry_value(self) -> Ast:
        """Expressions joined by pipes; commas and bindings need parentheses here."""
        steps = [(self.token.start, self.expression())]
        while self.takes("|"):
            steps.append((self.token.start, self.expression()))
        _, node = steps.pop()
        for start, step in reversed(steps):
            node = Pipe(step, node, span=self.since(start))
        return node

    # Terms that begin with a keyword

    def keyword(self) -> Ast:
        """A primary that begins with a keyword."""
        token = self.token
        match token.value:
            case "null" | "true" | "false":
                self.advance()
                span = Span(token.start, token.end)
                return Call(token.value, span=span, name_span=span)
            case "if":
                return self.if_()
            case "try":
                self.enter()
                self.advance()
                body = self.term()
                handler = self.term() if self.takes("catch") else None
                self.nesting -= 1
                return Try(body, handler, span=self.since(token.start))
            case "reduce" | "foreach":
                return self.loop()
            case "break":
                self.advance()
                name = self.need_kind("variable", "a label such as `$out`").value
                return Break(name, span=self.since(token.start))
        raise self.expected("a value")

    def if_(self) -> Ast:
        """`if ... end`, with `elif` as nested If nodes."""
        opener = self.token
        arms: list[tuple[int, Ast, Ast]] = []
        while self.sees("if" if not arms else "elif"):
            word = self.advance()
            condition = self.query()
            self.need("then", word)
            arms.append((word.start, condition, self.query()))
        node = self.query() if self.takes("else") else None
        self.need("end", opener)
        for start, condition, consequence in reversed(arms):
            node = If(condition, consequence, node, span=self.since(start))
        assert node is not None
        return node

    def loop(self) -> Ast:
        """`reduce` or `foreach`."""
        word = self.advance()
        self.enter()
        source = self.expression()
        self.need("as", word)
        patterns = (self.pattern(),)
        opener = self.need("(")
        init = self.query()
        self.need(";")
        update = self.query()
        extract = self.query() if word.value == "foreach" and self.takes(";") else None
        self.need(")", opener)
        self.nesting -= 1
        if word.value == "reduce":
            return Reduce(source, patterns, init, update, span=self.since(word.start))
        return Foreach(source, patterns, init, update, extract, span=self.since(word.start))

    # Patterns

    def patterns(self) -> tuple[Pattern, ...]:
        """Patterns joined by `?//`."""
        found = [self.pattern()]
        while self.takes("?//"):
            found.append(self.pattern())
        return tuple(found)

    def pattern(self) -> Pattern:
        """One pattern."""
        token = self.token
        if token.kind == "variable":
            self.advance()
            return VariablePattern(token.value, span=Span(token.start, token.end))
        if not (self.sees("[") or self.sees("{")):
            raise self.expected("a variable, `[` or `{`")
        self.enter()
        opener = self.advance()
        node: Pattern
        if opener.value == "[":
            items = [self.pattern()]
            while self.takes(","):
                items.append(self.pattern())
            self.need("]", opener)
            node = ArrayPattern(tuple(items), span=self.since(token.start))
        else:
            entries = [self.pattern_entry()]
            while self.takes(","):
                entries.append(self.pattern_entry())
            self.need("}", opener)
            node = ObjectPattern(tuple(entries), span=self.since(token.start))
        self.nesting -= 1
        return node

    def pattern_entry(self) -> PatternEntry:
        """One entry of an object pattern."""
        start = self.token.start
        if self.token.kind == "variable":  # unlike `($x)`, which reads the variable, it binds one
            token = self.advance()
            name = VariablePattern(token.value, span=Span(token.start, token.end))
            value = self.pattern() if self.takes(":") else None
            return PatternEntry(name, value, span=self.since(start))
        key, _ = self.key()
        self.need(":")
        return PatternEntry(key, self.pattern(), span=self.since(start))
