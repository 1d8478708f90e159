"""KT108: a component's name is empty."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.rules.places import text_at


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each name that is written and empty; an absent one is the loader's to report."""
    for component in ctx.definition.components:
        at = (*component.at, "name")
        if not component.name.strip() and text_at(ctx, at) is not None:
            yield Finding(at=at, message="the component's name is empty", help="name the part of the workload it is")


RULE = Rule(
    code="KT108",
    name="empty-component-name",
    severity=Severity.ERROR,
    summary="A component's name is empty.",
    why="A component without a name cannot be an owner or a gang member, and consumers refuse the definition.",
    source="semantics 2.3, per component",
    check=check,
)
