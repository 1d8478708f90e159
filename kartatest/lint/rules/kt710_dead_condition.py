"""KT710: a matcher asks for a condition that no recording shows, and its status was expected and never read."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule, did_you_mean


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each such entry of byConditions; silent about a status that was read at least once."""
    status = ctx.definition.root.status
    frames = ctx.evidence.frames
    types = {kind for frame in frames for kind, _, _ in frame.conditions}
    if status is None:
        return
    for mapping in status.mappings:
        word = mapping.status.value
        if not any(word in (f.expected or ()) for f in frames) or any(word in f.statuses for f in frames):
            continue
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
