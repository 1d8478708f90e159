"""The text of a jq program as tokens, cut as gojq 0.12.19 cuts it.

Strings with interpolations come as several tokens: "string-start", then "string-text" and "string-query" (the `\\(`)
with ordinary tokens up to its `)`, then "string-end". The first character sequence that is no token ends the list with
an "error" token; the parser raises its fault when it gets there, so an earlier fault of the grammar is told first.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple, TypeAlias

from kartatest.jq.errors import JqSyntaxError
from kartatest.source import Span

Kind: TypeAlias = Literal[
    "op",  # punctuation and operators, by their text
    "keyword",
    "name",
    "module-name",  # a::b
    "variable",  # $x, value without the sign
    "module-variable",  # $a::b
    "field",  # .x, value without the dot
    "number",
    "format",  # @x, value with the sign
    "string",  # without interpolation; value is decoded
    "string-start",
    "string-text",  # value is decoded
    "string-query",
    "string-end",
    "error",
    "end",
]

KEYWORDS = frozenset(
    (
        *("or", "and", "module", "import", "include", "def", "as", "label", "break", "null", "true", "false"),
        *("if", "then", "elif", "else", "end", "try", "catch", "reduce", "foreach"),
    )
)


class Token(NamedTuple):
    """One token: its kind, its meaning as text, and its place."""

    kind: Kind
    value: str
    start: int
    end: int
    fault: JqSyntaxError | None = None


_WORD = r"[A-Za-z_][A-Za-z0-9_]*"
_TOKEN = re.compile(
    rf"""
      (?P<variable>\${_WORD}(?:(?P<vm>::){_WORD})?)
    | (?P<field>\.{_WORD})
    | (?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)
    | (?P<name>{_WORD}(?:(?P<nm>::){_WORD})?)
    | (?P<format>@[A-Za-z0-9_]+)
    | (?P<op>\?//|//=|\.\.|\|=|\+=|-=|\*=|/=|%=|//|==|!=|>=|<=|[-.\[\](){{}}:;,|+*/%=<>?])
    | (?P<quote>")
    """,
    re.VERBOSE,
)
# A backslash in a comment takes a backslash or a line break with it, so the comment goes on in the next line.
_SPACE = re.compile(r"(?:[ \t\n\r]+|\#(?:[^\\\r\n\0]|\\(?:\\|\n|\r\n?)?)*)+")
_PLAIN = re.compile(r'[^"\\]*')
_ESCAPE = re.compile(r'\\(?:(["/\\bfnrt])|u([0-9A-Fa-f]{4}))')
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_EXPONENT = re.compile(r"[eE]")
_BAD_NUMBER = re.compile(r"[0-9.]*(?:[eE][-+]?)?[A-Za-z0-9_.]*")
_QUOTES = {"\u2018": "\u2019", "\u201c": "\u201d", "`": "`", "'": "'"}

_HINTS = {
    "&": "write `and` for both conditions",
    "!": "write `!=` for unequal, or `... | not` to negate",
    "~": 'match a regular expression with `test("...")`',
    "$": "a variable is `$` and a name without a space; a path starts with `.`",
    "@": "a format is `@` and a name, such as `@base64`",
    "^": "jq has no power operator; use `pow(a; b)`",
    "\\": "a backslash has a meaning only in a string",
    "\u2026": "write two dots for `..`",
    "\u00a0": "this is a no-break space; type an ordinary one",
    "\ufeff": "this is a byte order mark; remove it",
}


def tokens(text: str) -> list[Token]:
    """All tokens of text in order, the last of kind "end" (empty, behind the text) or "error"."""
    return _Lexer(text).run()


class _Lexer:
    def __init__(self, text: str) -> None:
        self.text = text
        self.out: list[Token] = []
        self.open: list[tuple[int, int]] = []  # strings we are inside of: where each begins, its open parentheses

    def run(self) -> list[Token]:
        try:
            self._run()
        except JqSyntaxError as e:
            at = e.span or Span(len(self.text), len(self.text))
            self.out.append(Token("error", self.text[at.start : at.end], at.start, at.end, e))
        return self.out

    def _run(self) -> None:
        text, out, end = self.text, self.out, len(self.text)
        at = 0
        while True:
            space = _SPACE.match(text, at)
            if space:
                at = space.end()
            if at >= end:
                break
            m = _TOKEN.match(text, at)
            if not m:
                raise self._stray(at)
            group, stop, word = m.lastgroup, m.end(), m.group()
            if group == "op":
                out.append(Token("op", word, at, stop))
                if self.open and word in "()":
                    at = self._parenthesis(word, stop)
                    continue
            elif group == "name":
                kind: Kind = "module-name" if m["nm"] else "keyword" if word in KEYWORDS else "name"
                out.append(Token(kind, word, at, stop))
            elif group == "field":
                out.append(Token("field", word[1:], at, stop))
            elif group == "variable":
                out.append(Token("module-variable" if m["vm"] else "variable", word[1:], at, stop))
            elif group == "number":
                after = text[stop : stop + 1]
                second_dot = after == "." and "." in word and not _EXPONENT.search(word)
                if second_dot or after == "_" or (after.isascii() and after.isalpha()):
                    raise self._bad_number(at)
                out.append(Token("number", word, at, stop))
            elif group == "format":
                out.append(Token("format", word, at, stop))
            else:
                stop = self._string(at, at + 1, first=True)
            at = stop
        if self.open:
            start = self.open[-1][0]
            raise JqSyntaxError("unclosed `\\(` in a string", Span(start, end), "close the interpolation with `)`")
        out.append(Token("end", "", end, end))

    def _parenthesis(self, word: str, at: int) -> int:
        """Count a parenthesis inside an interpolation; its last one goes back into the string."""
        start, depth = self.open[-1]
        depth += 1 if word == "(" else -1
        if depth:
            self.open[-1] = (start, depth)
            return at
        self.open.pop()
        return self._string(start, at, first=False)

    def _string(self, start: int, at: int, *, first: bool) -> int:
        """Cut the string that begins at start from `at` to its end or next interpolation; the place behind it."""
        text, begin = self.text, at
        parts: list[str] = []
        while True:
            plain = _PLAIN.match(text, at)
            assert plain is not None
            parts.append(plain.group())
            at = plain.end()
            if at >= len(text):
                raise JqSyntaxError("unterminated string", Span(start, len(text)), 'close it with `"`')
            if text[at] == '"':
                value = _joined(parts)
                if first:
                    self.out.append(Token("string", value, start, at + 1))
                else:
                    if value:
                        self.out.append(Token("string-text", value, begin, at))
                    self.out.append(Token("string-end", '"', at, at + 1))
                return at + 1
            if text.startswith("\\(", at):
                if first:
                    self.out.append(Token("string-start", '"', start, start + 1))
                value = _joined(parts)
                if value:
                    self.out.append(Token("string-text", value, begin, at))
                self.out.append(Token("string-query", "\\(", at, at + 2))
                self.open.append((start, 1))
                return at + 2
            escape = _ESCAPE.match(text, at)
            if not escape:
                raise _bad_escape(text, at)
            parts.append(chr(int(escape[2], 16)) if escape[2] else _ESCAPED.get(escape[1], escape[1]))
            at = escape.end()

    def _stray(self, at: int) -> JqSyntaxError:
        char = self.text[at]
        span = Span(at, at + 1)
        if char in _QUOTES:
            close = self.text.find(_QUOTES[char], at + 1)
            span = Span(at, close + 1 if close >= 0 else at + 1)
            return JqSyntaxError(f"unexpected quote `{char}`", span, 'strings are written in double quotes: "..."')
        if self.text.startswith("&&", at):
            return JqSyntaxError("unexpected `&&`", Span(at, at + 2), _HINTS["&"])
        shown = f"`{char}`" if char.isprintable() else f"character U+{ord(char):04X}"
        return JqSyntaxError(f"unexpected {shown}", span, _HINTS.get(char, ""))

    def _bad_number(self, at: int) -> JqSyntaxError:
        m = _BAD_NUMBER.match(self.text, at)
        assert m is not None
        help_ = "quote it if it is text, such as a quantity or a version" if m.group()[-1] != "." else ""
        return JqSyntaxError(f"`{m.group()}` is no number", Span(*m.span()), help_)


def _joined(parts: list[str]) -> str:
    """The text of a string; escaped surrogate pairs become one character, unpaired ones U+FFFD, as in gojq."""
    value = "".join(parts)
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value


def _bad_escape(text: str, at: int) -> JqSyntaxError:
    if text.startswith("\\u", at):
        m = re.compile(r"\\u[0-9A-Fa-f]{0,3}").match(text, at)
        assert m is not None
        return JqSyntaxError(
            f"invalid escape `{m.group()}` in a string", Span(*m.span()), "write four hex digits: \\u00e9"
        )
    shown = text[at : at + 2]
    help_ = "write `\\\\` for a backslash, as regular expressions need it" if len(shown) > 1 else ""
    return JqSyntaxError(f"invalid escape `{shown}` in a string", Span(at, at + len(shown)), help_)
