"""What to say about a token that stands where it cannot: its name, and help for habits from other languages."""

from __future__ import annotations

from kartatest.jq.lex import Token

_KINDS = {"number": "number", "string": "string", "variable": "variable", "format": "format", "name": "name"}


def describe(token: Token) -> str:
    """A token in words, for "expected ..., found ..."."""
    if token.kind == "end":
        return "the end"
    if token.kind == "string":
        shown = token.value if len(token.value) <= 20 else token.value[:19] + "…"
        return f'string "{shown}"'
    if token.kind in ("variable", "module-variable"):
        return f"`${token.value}`"
    if token.kind == "field":
        return f"`.{token.value}`"
    if token.kind in ("string-start", "string-end", "string-text", "string-query"):
        return "a string"
    if token.kind == "keyword":
        return f"the keyword `{token.value}`"
    return f"{_KINDS[token.kind]} `{token.value}`" if token.kind in _KINDS else f"`{token.value}`"


def hint(tokens: list[Token], at: int) -> str:
    """Help for a likely slip at tokens[at], which the grammar refuses there; "" when there is none to give."""
    token = tokens[at]
    before = tokens[at - 1] if at else None
    glued = before is not None and before.end == token.start
    pair = before.value + token.value if before and glued and before.kind == token.kind == "op" else ""
    if pair in _PAIRS:
        return _PAIRS[pair]
    if token.value == "?//" and token.kind == "op":
        return "`?//` is one sign; write `? //` for a default after `?`"
    if before and before.value == "?//" and before.kind == "op":
        return "`?//` is one sign, followed by a pattern; write `? //` for a default after `?`"
    if token.kind == "op":
        return _op_hint(token, before)
    if token.kind == "keyword":
        return _KEYWORDS.get(token.value, "")
    if token.kind == "format" and before and before.value in ("{", ","):
        return 'a key with a format needs parentheses: `(@base64 "x"): ...`'
    if token.kind == "number":
        if token.value.startswith("."):
            return f"write `.[{token.value[1:]}]` for an element of a list"
        if before and before.value == "?" and before.kind == "op":
            return "jq has no `? :`; write `if ... then ... else ... end`"
        if before and before.value in ("{", ","):
            return "a key is a name or text; quote it if it is a number"
    if token.kind == "name" and token.value == "elseif":
        return "write `elif`"
    return ""


_PAIRS = {
    "||": "write `or` for either condition",
    "===": "write `==`",
    "!==": "write `!=`",
    "==>": "write `==` or `>=`",
    "=>": "write `>=`, or `:` in an object",
    "=<": "write `<=`",
    "<>": "write `!=`",
    "++": "write `. + 1`",
    "//?": "write `? //` for a default after `?`",
    "[*": "write `[]` for all elements",
    "[?": "write `[] | select(...)` to filter elements",
}

_KEYWORDS = {
    "as": "write `(...) as $x | ...`; in an object the value needs parentheses",
    "if": "join steps with `|`; a further condition is `elif`",
    "elif": "an `if` comes before `elif`",
    "else": "an `if` comes before `else`",
    "then": "an `if` comes before `then`",
    "end": "a value is missing before `end`, or an `if` before it",
    "catch": "a `try` comes before `catch`",
    "def": "a definition stands at the start of a program, behind `|` or `(`",
    "label": "put the `label` and what follows in parentheses",
    "import": "imports stand at the start of a program",
    "include": "imports stand at the start of a program",
    "module": "`module` stands at the start of a program",
}


def _op_hint(token: Token, before: Token | None) -> str:
    if token.value == "..":
        return "write one dot to go a level deeper"
    if token.value == "=" and before is not None:
        return "write `==` to compare, or `:` in an object"
    if token.value in (")", "]", "}"):
        return f"a value is missing before `{token.value}`, or its opening sign"
    if token.value == "[" and before and before.value == "..":
        return "write one dot"
    if token.value == ";":
        return "`;` separates arguments and ends definitions; join steps with `|`"
    return ""
