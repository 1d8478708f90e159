"""KT102: a child component has no ownerRef."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each child whose ownerRef is absent (at its name) or empty (at the ownerRef)."""
    for child in ctx.definition.children:
        if child.owner:
            continue
        root = ctx.definition.root.name
        yield Finding(
            at=(*child.at, "name" if child.owner is None else "ownerRef"),
            message=f"child component {child.name!r} has no owner",
            help=f"add ownerRef: {root}, or the name of the component that it is a part of" if root else "add ownerRef",
        )


RULE = Rule(
    code="KT102",
    name="missing-owner",
    severity=Severity.ERROR,
    summary="A child component has no ownerRef.",
    why="Only the root stands on its own. A child without an owner is reached from nowhere, and consumers refuse the "
    "definition.",
    source="semantics 2.3, children; Q43 for the empty string",
    of_absence=True,
    check=check,
)
