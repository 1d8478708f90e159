"""KT227: a status expression runs over a list that may be absent."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Use
from kartatest.diagnostics import Severity
from kartatest.jq import ast as jq
from kartatest.jq.places import Places
from kartatest.jq.shape import Path, parents, path_text
from kartatest.lint.facts import alone, guarded, matcher_of, parsed, places
from kartatest.lint.rule import Finding, LintContext, Rule

_FAILS_ON_NULL = {"map", "any", "all", "sort_by", "group_by", "unique_by", "min_by", "max_by", "to_entries", "keys"}


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each iteration over a status field without `?`, default or condition before it."""
    for expr, tree in parsed(ctx, Use.MATCHER, Use.PHASE):
        if expr.use is Use.MATCHER and not alone(matcher_of(ctx.definition, expr)):
            continue
        holders = parents(tree)
        where = places(ctx, expr)
        for node in jq.walk(tree):
            for path in sorted(_iterated(node, where), key=str):
                if path[:1] != ("status",) or None in path or guarded(node, path, holders, where):
                    continue
                yield Finding(
                    at=expr.at,
                    within=node.span,
                    message=f"fails while `{path_text(path)}` is absent, and then no status is read at all",
                    help="write `[]?`, or give a default first: `(... // [])`",
                )


def _iterated(node: jq.Node, where: Places) -> frozenset[Path]:
    match node:
        case jq.Iterate(target=target):
            return where.of(target, bare=True)
        case jq.Call(name=name, args=args) if name in _FAILS_ON_NULL and len(args) < 2:
            return where.input(node, bare=True)
        case _:
            return frozenset()


RULE = Rule(
    code="KT227",
    name="unguarded-iteration",
    severity=Severity.WARNING,
    summary="A status expression runs over a list that may be absent.",
    why=("Iterating over null is an error, and an error in one expression hides all statuses of the workload."),
    source="semantics 6.3, Q06",
    check=check,
)
