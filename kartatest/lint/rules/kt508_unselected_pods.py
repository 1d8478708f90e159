"""KT508: a component with pods has no type selector, and is not the only one with pods."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each such component, at its specDefinition."""
    bearing = [component for component in ctx.definition.components if component.bears_pods]
    if len(bearing) < 2:
        return
    for component in bearing:
        if component.spec is not None and (component.selector is None or component.selector.type is None):
            yield Finding(
                at=(*component.at, "specDefinition"),
                on_key=True,
                message=f"component {component.name!r} has pods, but no selector tells them from those of the others",
                help="add `podSelector.componentTypeSelector`",
            )


RULE = Rule(
    code="KT508",
    name="unselected-pods",
    severity=Severity.ERROR,
    summary="A component with pods has no type selector, and is not the only one with pods.",
    why="Nothing says which pods are its own, so they are shown nowhere.",
    source="semantics 7.3, 8.4, Q47",
    of_absence=True,
    check=check,
)
