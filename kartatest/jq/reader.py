"""A cursor over the tokens of a jq program, with the faults it can tell."""

from __future__ import annotations

from kartatest.jq.errors import JqSyntaxError
from kartatest.jq.lex import Kind, Token, tokens
from kartatest.jq.slips import describe, hint
from kartatest.source import Span

MAX_NESTING = 64  # brackets, strings and patterns inside each other


def too_deep(span: Span) -> JqSyntaxError:
    """The fault of a program that is nested past a limit, at the first place that is."""
    help_ = "each bracket and each operand of a chain is a level; split the program with `def`"
    return JqSyntaxError("nested too deeply", span, help_)


class Reader:
    """The current token, and what may be asked of it."""

    def __init__(self, text: str) -> None:
        self.tokens = tokens(text)
        self.at = 0
        self.token: Token = self.tokens[0]
        self.last_end = 0  # where the token before the current one ends
        self.nesting = 0

    # Reading tokens

    def advance(self) -> Token:
        """The current token; the one behind it becomes current."""
        token = self.token
        self.last_end = token.end
        self.at += 1
        self.token = self.tokens[self.at] if self.at < len(self.tokens) else token
        return token

    def sees(self, word: str) -> bool:
        """Whether the current token is this operator or keyword."""
        return self.token.value == word and self.token.kind in ("op", "keyword")

    def takes(self, word: str) -> bool:
        """Whether the current token is this operator or keyword; if so, it is consumed."""
        if self.sees(word):
            self.advance()
            return True
        return False

    def need(self, word: str, opener: Token | None = None) -> Token:
        """The current token, which must be this word; opener is what it would close or belong to."""
        if self.sees(word):
            return self.advance()
        if opener and self.token.kind == "end":
            raise JqSyntaxError(
                f"`{opener.value}` has no `{word}`", Span(opener.start, opener.end), f"add `{word}` where it ends"
            )
        raise self.expected(f"`{word}`", opener)

    def need_kind(self, kind: Kind, expected: str) -> Token:
        """The current token, which must be of this kind."""
        if self.token.kind == kind:
            return self.advance()
        raise self.expected(expected)

    def expected(self, expected: str, opener: Token | None = None) -> JqSyntaxError:
        """The fault of the current token, where `expected` should stand."""
        token = self.token
        if token.fault:
            return token.fault
        if token.kind == "end" and self.at:
            before = self.tokens[self.at - 1]
            if before.kind == "op" and before.value in ("(", "[", "{"):
                return JqSyntaxError(f"`{before.value}` is never closed", Span(before.start, before.end))
        inside = f" for `{opener.value}`" if opener else ""
        return JqSyntaxError(
            f"expected {expected}{inside}, found {describe(token)}",
            Span(token.start, token.end),
            hint(self.tokens, self.at),
        )

    def enter(self) -> None:
        """Count one level of nesting, or refuse it."""
        self.nesting += 1
        if self.nesting > MAX_NESTING:
            raise too_deep(Span(self.token.start, self.token.end))

    def since(self, start: int) -> Span:
        """The place from start to the end of the last token consumed."""
        return Span(start, self.last_end)
