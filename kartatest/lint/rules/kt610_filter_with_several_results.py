"""KT610: a filter can give several results."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Use
from kartatest.diagnostics import Severity
from kartatest.jq.count import count
from kartatest.jq.shape import plain_path
from kartatest.lint.facts import parsed
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each filter with an unknown number of results; bare paths are KT609."""
    for expr, tree in parsed(ctx, Use.FILTER):
        if count(tree).several and plain_path(tree) is None:
            yield Finding(
                at=expr.at,
                message="can give several results, and a filter must give one",
                help="wrap it: `any(...)`, `all(...)`, or `[...] | any`",
            )


RULE = Rule(
    code="KT610",
    name="filter-with-several-results",
    severity=Severity.ERROR,
    summary="A filter can give several results.",
    why="A filter must give one; several are an error that leaves the pod without a group.",
    source="semantics 7.2",
    check=check,
)
