"""KT211: an expression ends in a comment."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, Fix, LintContext, Rule
from kartatest.source import Span


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each expression that a comment ends; one that a line break ends does no harm."""
    from kartatest.jq.lex import tokens

    for expr in ctx.expressions:
        if "#" not in expr.text or expr.at not in ctx.trees:
            continue
        last = [token for token in tokens(expr.text) if token.kind != "end"][-1:]
        end = last[0].end if last else 0
        rest = expr.text[end:]
        comment = rest.rfind("#")
        if comment >= 0 and "\n" not in rest[comment:]:
            span = Span(end + comment, len(expr.text))
            cut = Span(len(expr.text[: span.start].rstrip()), span.end)
            yield Finding(
                at=expr.at,
                within=span,
                message="the expression ends in a comment, which swallows what consumers append to it",
                help="move the comment into the YAML, above the field",
                fixes=(Fix(at=expr.at, within=cut, replace=""),),
            )


RULE = Rule(
    code="KT211",
    name="trailing-comment",
    severity=Severity.ERROR,
    summary="An expression ends in a comment.",
    why=(
        "Consumers append text to expressions before they run them; the comment swallows it, and the "
        "expression fails or means something else."
    ),
    source="semantics Q17",
    check=check,
)
