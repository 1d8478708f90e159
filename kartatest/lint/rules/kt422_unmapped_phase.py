"""KT422: no matcher asks for a phase that the schema has."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.typing import inferred, named


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each status definition whose matchers all go by phase and leave some out."""
    for component in ctx.definition.components:
        status = component.status
        found = inferred(ctx, status.phase) if status else None
        if status is None or status.phase is None or found is None or found.value.consts is None:
            continue
        matchers = [matcher for mapping in status.mappings for matcher in mapping.matchers]
        if not matchers or not all(matcher.phase for matcher in matchers):
            continue  # another matcher may stand for the rest
        asked = {matcher.phase for matcher in matchers}
        left = sorted(c for c in found.value.consts if isinstance(c, str) and c and c not in asked)
        if left:
            more = ", ".join(map(repr, left))
            yield Finding(
                at=status.phase.at,
                message=f"{named(ctx, status.phase.root)} also has {more}, which no matcher asks for",
                help="map each of them to a status: the workload is Undefined there",
            )


RULE = Rule(
    code="KT422",
    name="unmapped-phase",
    severity=Severity.WARNING,
    summary="No matcher asks for a phase that the schema has.",
    why="A workload in that phase has no status.",
    source="the kind's CRD: enums; semantics 6.2",
    of_absence=True,
    check=check,
)
