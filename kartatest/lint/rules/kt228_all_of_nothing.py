"""KT228: `all` holds for a list that is still empty."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Use
from kartatest.diagnostics import Severity
from kartatest.jq import ast as jq
from kartatest.jq.shape import Path, calls
from kartatest.lint.facts import alone, called, matcher_of, parsed, places
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each `all` over a status list when nothing else in the matcher looks at that list."""
    for expr, tree in parsed(ctx, Use.MATCHER):
        if not alone(matcher_of(ctx, expr)):
            continue
        where = places(ctx, expr)
        for call in called(ctx, expr):
            if call.name != "all" or _negated(tree) or any(one.name in {"any", "length"} for one in called(ctx, expr)):
                continue
            lists = {path[: path.index(None)] for node in jq.walk(call) for path in where.of(node) if None in path}
            lists |= where.input(call) if len(call.args) < 2 else frozenset()
            if not lists or any(path[:1] != ("status",) for path in lists):
                continue
            inside = {id(node) for node in jq.walk(call)}
            if sum(_looks_at(node, lists, where.of(node)) for node in jq.walk(tree) if id(node) not in inside) > 1:
                continue
            yield Finding(
                at=expr.at,
                within=call.name_span,
                message="`all` also holds while the list is empty",
                help="ask for an element as well: `(... | length) > 0 and (... | all(...))`",
            )


def _looks_at(node: jq.Node, lists: set[Path], paths: frozenset[Path]) -> bool:
    return isinstance(node, jq.Index) and bool(lists & paths)


def _negated(tree: jq.Ast) -> bool:
    return any(call.name == "not" for call in calls(tree))


RULE = Rule(
    code="KT228",
    name="all-of-nothing",
    severity=Severity.WARNING,
    summary="`all` holds for a list that is still empty.",
    why='Before the controller has listed anything, "all are ready" is true.',
    source="jq manual, all",
    check=check,
)
