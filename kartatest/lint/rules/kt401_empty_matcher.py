"""KT401: a matcher asks for nothing, so it holds for every object."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Matcher
from kartatest.diagnostics import Severity
from kartatest.lint.facts import matchers, nothing_written
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each matcher without phase, conditions and expression; silent where a part could not be read."""
    for mapping, matcher in matchers(ctx.definition):
        if _asks(matcher):
            continue
        if not nothing_written(ctx, matcher.at):
            continue
        yield Finding(
            at=matcher.at,
            message=f"an empty matcher: every object reads {mapping.status.value}",
            help="say what must hold: `byPhase`, `byConditions` or `byExpression`",
        )


def _asks(matcher: Matcher) -> bool:
    return bool(matcher.phase or matcher.conditions or matcher.expression)


RULE = Rule(
    code="KT401",
    name="empty-matcher",
    severity=Severity.ERROR,
    summary="A matcher asks for nothing, so it holds for every object.",
    why="Every workload reads this status, a brand-new one too.",
    source="semantics 6.2, Q05",
    check=check,
)
