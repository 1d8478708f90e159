"""KT220: a value falls back to true, so false reads as true."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.jq import ast as jq
from kartatest.lint.facts import nodes, parsed
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.source import Span


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each `// true`."""
    for expr, _ in parsed(ctx):
        for node in nodes(ctx, expr):
            match node:
                case jq.Binary(op="//", right=jq.Call(name="true", args=()) as right):
                    yield Finding(
                        at=expr.at,
                        within=Span(node.op_span.start, right.span.end),
                        message="`// true` also replaces false, so this can never be false",
                        help="write `. != false`, or `if . == null then true else . end`",
                    )


RULE = Rule(
    code="KT220",
    name="true-by-default",
    severity=Severity.WARNING,
    summary="A value falls back to true, so false reads as true.",
    why="`//` takes its right side for false as well as for null: the expression can never be false.",
    source="jq manual, alternative operator",
    check=check,
)
