"""KT218: a number is written in a way that engines print differently."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.jq import ast as jq
from kartatest.lint.facts import nodes, parsed
from kartatest.lint.rule import Finding, Fix, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each number with an exponent or with zeros at the end of its fraction."""
    for expr, _ in parsed(ctx):
        for node in nodes(ctx, expr):
            if not isinstance(node, jq.Literal) or isinstance(node.value, str):
                continue
            text = expr.text[node.span.start : node.span.end]
            plain = _plain(node.value)
            odd = "e" in text.lower() or ("." in text and text.endswith(("0", ".")))
            if not odd or plain is None or text == plain:
                continue
            yield Finding(
                at=expr.at,
                within=node.span,
                message=f"number {text} prints as {plain} for consumers, and as written elsewhere",
                help=f"write {plain}",
                fixes=(Fix(at=expr.at, within=node.span, replace=plain),),
            )


def _plain(value: float) -> str | None:
    """The number as consumers print it; None where that needs an exponent."""
    if abs(value) >= 1e17:
        return None
    if value == int(value):
        return str(int(value))
    return repr(value) if "e" not in repr(value) else None


RULE = Rule(
    code="KT218",
    name="number-text",
    severity=Severity.WARNING,
    summary="A number is written in a way that engines print differently.",
    why=(
        'Turned into text, 1.0 reads "1" for consumers and "1.0" in other jq engines, so what you try by hand '
        "is not what runs."
    ),
    source="gojq 0.12.19 and libjq 1.8 compared",
    check=check,
)
