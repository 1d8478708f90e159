"""KT701: an expression fails on every frame of every recording."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.facts import violations
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.shown import seen, times


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each that ran and never succeeded, with the first reason; what cannot run is KT201 to KT209."""
    for expr in ctx.expressions:
        if expr.at not in ctx.trees or any(violation.fatal for violation in violations(ctx, expr)):
            continue
        runs = seen(ctx, expr)
        if runs and all(run.outcome.error for run in runs):
            yield Finding(
                at=expr.at,
                message=f"fails wherever it was run ({times(len(runs), 'time')}): {runs[0].outcome.error}",
                help="try it by hand: `karta eval EXPR -f FILE`",
            )


RULE = Rule(
    code="KT701",
    name="always-fails",
    severity=Severity.ERROR,
    summary="An expression fails on every frame of every recording.",
    why="What it should give is never read.",
    source="the recordings",
    check=check,
)
