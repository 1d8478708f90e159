"""KT409: statusMappings is empty."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.rules.places import value_at


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each empty statusMappings."""
    for component in ctx.definition.components:
        if component.status is not None and value_at(ctx, (*component.status.at, "statusMappings")) == {}:
            yield Finding(
                at=(*component.status.at, "statusMappings"),
                on_key=True,
                message="no status is mapped, so every workload reads Undefined",
                help="map at least running, completed and failed to what the object says",
            )


RULE = Rule(
    code="KT409",
    name="no-mapping",
    severity=Severity.ERROR,
    summary="statusMappings is empty.",
    why="No status is ever matched, so every workload reads Undefined.",
    source="semantics 2.6, 6.3",
    of_absence=True,
    check=check,
)
