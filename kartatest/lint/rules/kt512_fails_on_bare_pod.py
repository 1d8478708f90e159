"""KT512: an expression on pods fails on a pod without labels, annotations or another optional list."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Root
from kartatest.diagnostics import Severity
from kartatest.jq.shape import path_text
from kartatest.lint.facts import fails_on_null, guarded, holders, nodes, parsed_on, places
from kartatest.lint.pods import OPTIONAL_HOLDERS
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each iteration over a field that pods may lack, without `?`, default or condition before it."""
    for expr, _ in parsed_on(ctx, Root.POD):
        held = holders(ctx, expr)
        where = places(ctx, expr)
        for node in nodes(ctx, expr):
            for path in sorted(fails_on_null(node, where), key=str):
                if path in OPTIONAL_HOLDERS and not guarded(node, path, held, where):
                    yield Finding(
                        at=expr.at,
                        within=node.span,
                        message=f"fails on a pod without `{path_text(path)}`",
                        help="write `[]?`, or give a default first: `(... // {})`",
                    )


RULE = Rule(
    code="KT512",
    name="fails-on-bare-pod",
    severity=Severity.WARNING,
    summary="An expression on pods fails on a pod without labels, annotations or another optional list.",
    why="A failing selector is an error for the pod, not a no: the pod belongs to nothing.",
    source="semantics 7.1, 13; Kubernetes core/v1 Pod",
    check=check,
)
