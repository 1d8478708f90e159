"""KT412: a child component has a statusDefinition."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each child with a statusDefinition, at its key."""
    for child in ctx.definition.children:
        if child.status is not None:
            yield Finding(
                at=(*child.at, "statusDefinition"),
                on_key=True,
                message=f"the status of child {child.name!r} is not used",
                help="move what it says to the root's `statusDefinition`, or remove it",
            )


RULE = Rule(
    code="KT412",
    name="child-status",
    severity=Severity.WARNING,
    summary="A child component has a statusDefinition.",
    why=("Only the root's is used; a child's is read from the whole workload, not from the child, and shown nowhere."),
    source="semantics 6.3, Q60",
    check=check,
)
