"""KT316: the scale of a child mentions the path that is already its parent's scale."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from kartatest.definition.model import ComponentDef, Expr
from kartatest.diagnostics import Severity
from kartatest.jq.shape import Path, operand_of, path_text, plain_path
from kartatest.lint.facts import owners, places
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each child whose minimum reads the path, bare or with a default, of a minimum above it."""
    paths = {id(component): _path(ctx, _minimum(component)) for component in ctx.definition.components}
    times = Counter(paths.values())
    for child in ctx.definition.children:
        expr = _minimum(child)
        if expr is None or expr.at not in ctx.trees:
            continue
        read = tuple(places(ctx, expr).reads())
        if not any(times[path] > (path == paths[id(child)]) for _, path in read):
            continue  # nobody else counts by what it reads, so nobody above it does
        above = {path: owner.name for owner in owners(ctx.definition, child) if (path := paths[id(owner)])}
        for node, path in read:
            if path in above:
                yield Finding(
                    at=expr.at,
                    within=node.span,
                    message=f"`{path_text(path)}` is already the scale of {above[path]!r}, and counts twice",
                    help="give the count for one replica of the parent, or take the parent's scale away",
                )
                break


def _minimum(component: ComponentDef) -> Expr | None:
    """What gang scheduling counts by: the minimum, else the replicas."""
    return (component.scale.min_replicas or component.scale.replicas) if component.scale is not None else None


def _path(ctx: LintContext, expr: Expr | None) -> Path | None:
    tree = ctx.trees.get(expr.at) if expr is not None else None
    return plain_path(next(operand_of(tree))) if tree is not None else None


RULE = Rule(
    code="KT316",
    name="scale-counted-twice",
    severity=Severity.WARNING,
    summary="The scale of a child mentions the path that is already its parent's scale.",
    why="Gang scheduling multiplies a parent's count with its children's, so this factor counts twice.",
    source="semantics 9.3, Q26",
    check=check,
)
