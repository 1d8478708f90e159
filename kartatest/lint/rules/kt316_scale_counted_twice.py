"""KT316: the scale of a child mentions the path that is already its parent's scale."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.jq.shape import path_text
from kartatest.lint.facts import owners, places, plain, scale_exprs
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each child scale that reads a plain scale path of a component above it."""
    for child in ctx.definition.children:
        above = {
            path: owner.name
            for owner in owners(ctx.definition, child)
            for expr in scale_exprs(owner)
            if (path := plain(ctx, expr))
        }
        for expr in scale_exprs(child):
            if expr.at not in ctx.trees:
                continue
            for node, path in places(ctx, expr).reads():
                if path in above:
                    yield Finding(
                        at=expr.at,
                        within=node.span,
                        message=f"`{path_text(path)}` is already the scale of {above[path]!r}, and counts twice",
                        help="give the count for one replica of the parent, or take the parent's scale away",
                    )
                    break


RULE = Rule(
    code="KT316",
    name="scale-counted-twice",
    severity=Severity.WARNING,
    summary="The scale of a child mentions the path that is already its parent's scale.",
    why="Gang scheduling multiplies a parent's count with its children's, so this factor counts twice.",
    source="semantics 9.3, Q26",
    check=check,
)
