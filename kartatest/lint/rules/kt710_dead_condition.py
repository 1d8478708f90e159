"""KT710: a matcher asks for a condition that no recording shows, and its status was expected and never read."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule, did_you_mean
from kartatest.lint.shown import never_read


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each such entry of byConditions; silent about a status that was read at least once."""
    types = {kind for frame in ctx.evidence.frames for kind, _, _ in frame.conditions}
    for mapping in never_read(ctx):
        for condition in (c for matcher in mapping.matchers for c in matcher.conditions):
            if condition.type and condition.type not in types:
                yield Finding(
                    at=(*condition.at, "type"),
                    message=f"no recording shows condition {condition.type!r}",
                    help=did_you_mean(condition.type, types),
                )


RULE = Rule(
    code="KT710",
    name="dead-condition",
    severity=Severity.WARNING,
    summary=("A matcher asks for a condition that no recording shows, and its status was expected and never read."),
    why="The condition is misspelt, or the operator does not write it.",
    source="the recordings",
    of_absence=True,
    check=check,
)
