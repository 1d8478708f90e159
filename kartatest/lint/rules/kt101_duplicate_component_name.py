"""KT101: two components have the same name."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each repeat, at its name; the first in the order root, children is left in peace."""
    seen = set()
    for component in ctx.definition.components:
        if component.name and component.name in seen:
            yield Finding(
                at=(*component.at, "name"),
                message=f"component name {component.name!r} is taken",
                help="give each component, the root included, a name of its own",
            )
        seen.add(component.name)


RULE = Rule(
    code="KT101",
    name="duplicate-component-name",
    severity=Severity.ERROR,
    summary="Two components have the same name.",
    why="Owners, gang members and subgroups are found by name, so one of the two can never be meant; consumers refuse "
    "the definition.",
    source="semantics 2.2, stage 2",
    check=check,
)
