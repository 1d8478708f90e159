"""KT227: a status expression runs over a list that may be absent."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Expr, Use
from kartatest.diagnostics import Severity
from kartatest.jq.ast import Node
from kartatest.jq.shape import path_text
from kartatest.lint.facts import alone, fails_on_null, guarded, holders, matcher_of, nodes, parsed, places
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.typing import inferred
from kartatest.source import Span


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each iteration over a status field without `?`, default or condition before it."""
    for expr, _ in parsed(ctx, Use.MATCHER, Use.PHASE):
        if expr.use is Use.MATCHER and not alone(matcher_of(ctx, expr)):
            continue
        held = holders(ctx, expr)
        where = places(ctx, expr)
        for node in nodes(ctx, expr):
            for path in sorted(fails_on_null(node, where), key=str):
                if path[:1] != ("status",) or None in path or guarded(node, path, held, where):
                    continue
                if _never_fails(ctx, expr, node):
                    continue
                yield Finding(
                    at=expr.at,
                    within=node.span,
                    message=f"fails while `{path_text(path)}` is absent, and then no status is read at all",
                    help="write `[]?`, or give a default first: `(... // [])`",
                )


def _never_fails(ctx: LintContext, expr: Expr, node: Node) -> bool:
    """Whether the types tell that the step is not reached while the list is absent."""
    found = inferred(ctx, expr)
    return found is not None and found.complete and not any(_overlap(one.span, node.span) for one in found.failures)


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


RULE = Rule(
    code="KT227",
    name="unguarded-iteration",
    severity=Severity.WARNING,
    summary="A status expression runs over a list that may be absent.",
    why=("Iterating over null is an error, and an error in one expression hides all statuses of the workload."),
    source="semantics 6.3, Q06",
    check=check,
)
