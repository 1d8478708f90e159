"""KT221: a default stands after an iterator, where it does not apply to each element."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.jq import ast as jq
from kartatest.jq.count import count
from kartatest.lint.facts import nodes, parsed
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.source import Span


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each `//` whose left side can give many results; `// empty`, which only drops, is fine."""
    for expr, _ in parsed(ctx):
        for node in nodes(ctx, expr):
            match node:
                case jq.Binary(op="//", right=jq.Call(name="empty")):
                    continue
                case jq.Binary(op="//", left=left) if count(left).high is None and _iterates(left):
                    yield Finding(
                        at=expr.at,
                        within=Span(node.op_span.start, node.span.end),
                        message="the default applies to all elements together, not to each",
                        help="put it inside: `.items[] | .x // 1`, or take one element with `first(...)`",
                    )


def _iterates(tree: jq.Ast) -> bool:
    return any(isinstance(node, jq.Iterate) for node in jq.walk(tree))


RULE = Rule(
    code="KT221",
    name="default-after-iterator",
    severity=Severity.ERROR,
    summary="A default stands after an iterator, where it does not apply to each element.",
    why=(
        "`.a[].x // 1` drops the elements without `x`, and gives one result where there are none: results no "
        "longer line up."
    ),
    source="jq manual, alternative operator",
    check=check,
)
