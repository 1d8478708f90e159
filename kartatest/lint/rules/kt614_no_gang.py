"""KT614: gangScheduling says nothing."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.facts import nothing_written
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """At most one finding, when there is neither podGroup nor an entry of podGroups."""
    gang = ctx.definition.gang
    if gang is not None and gang.pod_group is None and not gang.pod_groups and nothing_written(ctx, gang.at):
        yield Finding(
            at=gang.at,
            on_key=True,
            message="`gangScheduling` has no pod group",
            help="add `podGroup` with a name, or remove `gangScheduling`",
        )


RULE = Rule(
    code="KT614",
    name="no-gang",
    severity=Severity.ERROR,
    summary="gangScheduling says nothing.",
    why="A scheduler that finds a definition without pod groups fails on every pod of that kind.",
    source="semantics 13",
    check=check,
)
