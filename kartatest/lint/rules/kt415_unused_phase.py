"""KT415: a phase is read, but no matcher asks for one."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each phaseDefinition without byPhase beside it; silent where a matcher asks for nothing."""
    for component in ctx.definition.components:
        status = component.status
        if status is None or status.phase is None or not status.mappings:
            continue
        every = [matcher for mapping in status.mappings for matcher in mapping.matchers]
        if all((matcher.conditions or matcher.expression) and not matcher.phase for matcher in every):
            yield Finding(
                at=status.phase.at[:-1],
                on_key=True,
                message="no matcher asks for a phase",
                help="match with `byPhase`, or remove `phaseDefinition`",
            )


RULE = Rule(
    code="KT415",
    name="unused-phase",
    severity=Severity.WARNING,
    summary="A phase is read, but no matcher asks for one.",
    why="Statuses follow from other fields alone, and what the phase says has no effect.",
    source="semantics 6.2",
    of_absence=True,
    check=check,
)
