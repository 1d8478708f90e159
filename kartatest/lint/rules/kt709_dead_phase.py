"""KT709: a matcher asks for a phase that no recording shows, and its status was expected and never read."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule, did_you_mean
from kartatest.lint.shown import never_read


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each such byPhase; silent about a status that was read at least once."""
    phases = {frame.phase for frame in ctx.evidence.frames if frame.phase}
    for mapping in never_read(ctx) if phases else ():
        for matcher in mapping.matchers:
            if matcher.phase and matcher.phase not in phases:
                yield Finding(
                    at=(*matcher.at, "byPhase"),
                    message=f"no recording shows phase {matcher.phase!r}",
                    help=did_you_mean(matcher.phase, phases),
                )


RULE = Rule(
    code="KT709",
    name="dead-phase",
    severity=Severity.WARNING,
    summary=("A matcher asks for a phase that no recording shows, and its status was expected and never read."),
    why="The phase is misspelt, or the operator does not write it.",
    source="the recordings",
    of_absence=True,
    check=check,
)
