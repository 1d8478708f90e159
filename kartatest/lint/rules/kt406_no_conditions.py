"""KT406: a matcher asks for conditions, but the component has no conditionsDefinition."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each byConditions without a conditionsDefinition beside it."""
    for component in ctx.definition.components:
        status = component.status
        if status is None or status.conditions is not None:
            continue
        for matcher in (m for mapping in status.mappings for m in mapping.matchers):
            if matcher.conditions:
                yield Finding(
                    at=(*matcher.at, "byConditions"),
                    on_key=True,
                    message="asks for conditions, but there is no `conditionsDefinition`",
                    help="add `conditionsDefinition.path`, such as `.status.conditions`",
                )


RULE = Rule(
    code="KT406",
    name="no-conditions",
    severity=Severity.ERROR,
    summary="A matcher asks for conditions, but the component has no conditionsDefinition.",
    why="Without it no condition is ever read, so the matcher never holds.",
    source="semantics 2.6, 6.2",
    of_absence=True,
    check=check,
)
