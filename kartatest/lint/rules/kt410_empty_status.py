"""KT410: a status has an empty list of matchers."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.rules.places import value_at


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each status whose list is empty, at its key."""
    for component in ctx.definition.components:
        for mapping in component.status.mappings if component.status is not None else ():
            if value_at(ctx, mapping.at) == []:
                yield Finding(
                    at=mapping.at,
                    on_key=True,
                    message=f"{mapping.status.key} has no matchers, so it never holds",
                    help="add a matcher, or remove the entry",
                )


RULE = Rule(
    code="KT410",
    name="empty-status",
    severity=Severity.WARNING,
    summary="A status has an empty list of matchers.",
    why="It never holds, as if it were not there.",
    source="semantics 6.2",
    of_absence=True,
    check=check,
)
