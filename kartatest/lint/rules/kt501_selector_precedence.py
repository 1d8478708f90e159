"""KT501: a keyPath with a value ends in an operator that the comparison with the value falls into."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.jq.shape import COMPARISONS
from kartatest.lint.rule import Finding, Fix, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each key with a value and an open `//`, comma, or comparison at its end."""
    for component in ctx.definition.components:
        selector = component.selector.type if component.selector is not None else None
        if selector is None or selector.key is None or selector.value is None or selector.key.at not in ctx.trees:
            continue
        if operator := _open_operator(selector.key.text):
            text = selector.key.text.strip()
            yield Finding(
                at=selector.key.at,
                message=f'`{operator}` takes in the `== "{selector.value}"` that consumers append',
                help="put parentheses around the whole keyPath",
                fixes=(Fix(at=selector.key.at, replace=f"({text})"),),
            )


def _open_operator(text: str) -> str:
    """The operator at the end of the program, outside any brackets, that a following `==` would meet; "" for none."""
    from kartatest.jq.lex import tokens

    depth, found = 0, ""
    for token in tokens(text):
        word = token.value
        if token.kind == "string-start" or (token.kind == "op" and word in "([{") or _is(token.kind, word, "if"):
            depth += 1
        elif token.kind == "string-end" or (token.kind == "op" and word in ")]}") or _is(token.kind, word, "end"):
            depth -= 1
        elif depth == 0 and token.kind == "op" and word == "|":
            found = ""
        elif depth == 0 and token.kind == "op" and (word in {"//", ","} or (word in COMPARISONS and not found)):
            found = word
        elif depth == 0 and token.kind == "keyword" and word in {"and", "or"} and found in COMPARISONS:
            found = ""
    return found


def _is(kind: str, word: str, keyword: str) -> bool:
    return kind == "keyword" and word == keyword


RULE = Rule(
    code="KT501",
    name="selector-precedence",
    severity=Severity.ERROR,
    summary="A keyPath with a value ends in an operator that the comparison with the value falls into.",
    why=(
        'Consumers append `== "value"` to the text: after `.a // .b` it compares `.b` alone, after a '
        "comparison it is no jq at all."
    ),
    source="semantics 7.1, Q01, 13",
    check=check,
)
