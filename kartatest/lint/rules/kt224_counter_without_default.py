"""KT224: a status field is compared with 0, and may be absent."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Use
from kartatest.diagnostics import Severity
from kartatest.jq import ast as jq
from kartatest.jq.shape import path_text, plain_path
from kartatest.lint.facts import guarded, holders, nodes, parsed, places
from kartatest.lint.rule import Finding, Fix, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each `==` or `!=` between a bare status path and 0."""
    for expr, _ in parsed(ctx, Use.MATCHER):
        held = holders(ctx, expr)
        where = places(ctx, expr)
        for node in nodes(ctx, expr):
            if not (isinstance(node, jq.Binary) and node.op in {"==", "!="}):
                continue
            for one, other in ((node.left, node.right), (node.right, node.left)):
                path = plain_path(one)
                if not path or path[0] != "status" or None in path or not _is_zero(other):
                    continue
                if where.of(one) != frozenset({path}) or guarded(node, path, held, where):
                    continue
                yield Finding(
                    at=expr.at,
                    within=one.span,
                    message=f"`{path_text(path)}` may be absent, and null is not 0",
                    help="give it a default: `(... // 0)`",
                    fixes=(
                        Fix(
                            at=expr.at,
                            within=one.span,
                            replace=f"({expr.text[one.span.start : one.span.end]} // 0)",
                            safe=False,
                        ),
                    ),
                )


def _is_zero(tree: jq.Ast) -> bool:
    return isinstance(tree, jq.Literal) and tree.value == 0


RULE = Rule(
    code="KT224",
    name="counter-without-default",
    severity=Severity.WARNING,
    summary="A status field is compared with 0, and may be absent.",
    why="Controllers leave out counters that are 0; an absent field is null, and null is not 0.",
    source="semantics Q13",
    check=check,
)
