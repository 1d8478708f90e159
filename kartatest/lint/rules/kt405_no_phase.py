"""KT405: a matcher asks for a phase, but the component has no phaseDefinition."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each byPhase without a phaseDefinition beside it."""
    for component in ctx.definition.components:
        status = component.status
        if status is None or status.phase is not None:
            continue
        for matcher in (m for mapping in status.mappings for m in mapping.matchers):
            if matcher.phase:
                yield Finding(
                    at=(*matcher.at, "byPhase"),
                    message=f"asks for phase {matcher.phase!r}, but there is no `phaseDefinition`",
                    help="add `phaseDefinition.path`, or match by condition or expression",
                )


RULE = Rule(
    code="KT405",
    name="no-phase",
    severity=Severity.ERROR,
    summary="A matcher asks for a phase, but the component has no phaseDefinition.",
    why="Without it no phase is ever read, so the matcher never holds.",
    source="semantics 2.6, 6.2",
    of_absence=True,
    check=check,
)
