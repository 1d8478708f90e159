"""KT311: the path of an action addresses a list element by its number."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Use
from kartatest.diagnostics import Severity
from kartatest.jq import ast as jq
from kartatest.lint.facts import nodes, parsed
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each numeric index in an action path."""
    for expr, _ in parsed(ctx, Use.ACTION):
        for node in nodes(ctx, expr):
            match node:
                case jq.Index(key=jq.Literal(value=int()) | jq.Negate(body=jq.Literal(value=int()))):
                    yield Finding(
                        at=expr.at,
                        within=node.span,
                        message="writes to a list element by number, and makes it where there is none",
                        help="write to a field of the workload itself",
                    )


RULE = Rule(
    code="KT311",
    name="action-makes-element",
    severity=Severity.ERROR,
    summary="The path of an action addresses a list element by its number.",
    why=("Where the list is shorter, the write makes a new element out of nothing, which is no valid one."),
    source="semantics 3.6, Q53",
    check=check,
)
