"""KT603: a subgroup's component is part of another subgroup's."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.facts import owners
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each subgroup below another one."""
    gang = ctx.definition.gang
    subs = gang.pod_group.sub_groups if gang is not None and gang.pod_group is not None else ()
    listed = {sub.component for sub in subs}
    for sub in subs:
        component = ctx.definition.component(sub.component)
        above = owners(ctx.definition, component) if component is not None else ()
        if inner := next((owner.name for owner in above if owner.name in listed), None):
            yield Finding(
                at=(*sub.at, "componentName"),
                message=f"{sub.component!r} is a part of {inner!r}, which is a subgroup itself",
                help="list the outer component, or the inner ones, not both",
            )


RULE = Rule(
    code="KT603",
    name="nested-subgroups",
    severity=Severity.ERROR,
    summary="A subgroup's component is part of another subgroup's.",
    why=("Its pods belong to both; they go to the one listed first, and the other never reaches its minimum."),
    source="semantics 9.4, 13, Q32",
    of_absence=True,
    check=check,
)
