"""KT119: a subgroup's component has a name that cannot name a subgroup."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule

_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each listed component whose name is no DNS label, where it is listed."""
    gang = ctx.definition.gang
    for sub in gang.pod_group.sub_groups if gang and gang.pod_group else ():
        if sub.component and not _LABEL.fullmatch(sub.component) and ctx.definition.component(sub.component):
            yield Finding(
                at=(*sub.at, "componentName"),
                message=f"component name {sub.component!r} cannot name a subgroup: it is no DNS label",
                help="rename the component everywhere: lower-case letters, digits and -, at most 63 characters",
            )


RULE = Rule(
    code="KT119",
    name="subgroup-name",
    severity=Severity.ERROR,
    summary="A component that is listed as a subgroup has a name that is no DNS label.",
    why="The subgroup takes the component's name. One bad name makes the scheduler refuse every pod of the workload.",
    source="semantics 13, subgroup names",
    check=check,
)
