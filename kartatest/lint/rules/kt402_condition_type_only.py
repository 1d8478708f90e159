"""KT402: a condition is asked for by its type alone."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.facts import matchers
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each entry of byConditions with neither status nor reason."""
    for _, matcher in matchers(ctx.definition):
        for condition in matcher.conditions:
            if condition.type and not condition.status and not condition.reason:
                yield Finding(
                    at=condition.at,
                    message=f"condition {condition.type!r} matches whatever its status is",
                    help='add `status: "True"`, or a reason',
                )


RULE = Rule(
    code="KT402",
    name="condition-type-only",
    severity=Severity.WARNING,
    summary="A condition is asked for by its type alone.",
    why="It then holds whatever the condition says: Ready matches also when Ready is False.",
    source="semantics 6.2, Q04",
    of_absence=True,
    check=check,
)
