"""KT702: an expression fails on some frames of the recordings."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Use
from kartatest.diagnostics import Severity
from kartatest.lint.facts import alone, matcher_of
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.shown import place, seen, times


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each that fails here and there; one behind other parts of a matcher is let be."""
    for expr in ctx.expressions:
        runs = seen(ctx, expr) if expr.at in ctx.trees else []
        failed = [run for run in runs if run.outcome.error]
        if not failed or len(failed) == len(runs):
            continue
        if expr.use is Use.ACTION or (expr.use is Use.MATCHER and not alone(matcher_of(ctx, expr))):
            continue
        yield Finding(
            at=expr.at,
            message=(
                f"fails {times(len(failed), 'time')} of {len(runs)}, on {place(failed[0].frame)}: "
                f"{failed[0].outcome.error}"
            ),
            help="allow for what is absent: `?`, `// []`, a condition",
        )


RULE = Rule(
    code="KT702",
    name="sometimes-fails",
    severity=Severity.ERROR,
    summary="An expression fails on some frames of the recordings.",
    why="A status expression that fails hides all statuses; any other hides its component.",
    source="the recordings; semantics 4.4, 6.3, Q06",
    check=check,
)
