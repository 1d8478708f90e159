"""KT222: a comparison stands to the right of `//` and belongs to it alone."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.jq import ast as jq
from kartatest.jq.shape import COMPARISONS, LOGIC
from kartatest.lint.facts import nodes, parsed
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each right side of `//` that is a comparison or `and`/`or` without parentheses of its own."""
    for expr, _ in parsed(ctx):
        for node in nodes(ctx, expr):
            match node:
                case jq.Binary(op="//", right=jq.Binary(op=op)) if (op in COMPARISONS or op in LOGIC) and not expr.text[
                    node.op_span.end :
                ].lstrip().startswith("("):
                    yield Finding(
                        at=expr.at,
                        within=node.span,
                        message=f"`{op}` applies to the right side of `//` only",
                        help=f"put parentheses around the default: `(a // b) {op} c`",
                    )


RULE = Rule(
    code="KT222",
    name="comparison-after-default",
    severity=Severity.WARNING,
    summary="A comparison stands to the right of `//` and belongs to it alone.",
    why=(
        '`//` binds looser than comparisons, `and` and `or`: `.a // .b == "x"` is `.a // (.b == "x")` and '
        "gives the value of `.a`."
    ),
    source="jq manual, alternative operator; semantics 3.7",
    check=check,
)
