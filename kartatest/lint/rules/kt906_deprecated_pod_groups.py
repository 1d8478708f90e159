"""KT906: gang scheduling is written in the deprecated shape."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """At most one finding, at the key podGroups."""
    gang = ctx.definition.gang
    if gang and gang.pod_groups:
        yield Finding(
            at=(*gang.at, "podGroups"),
            on_key=True,
            message="podGroups is ignored beside podGroup" if gang.pod_group else "podGroups is the deprecated shape",
            help="remove it" if gang.pod_group else "write podGroup with a name and its subGroups",
        )


RULE = Rule(
    code="KT906",
    name="deprecated-pod-groups",
    severity=Severity.WARNING,
    summary="gangScheduling uses podGroups, the deprecated shape.",
    why="Its groups are named after the workload alone, so two of them collide, and newer consumers may stop to read "
    "it. Where podGroup is present podGroups counts for nothing.",
    source="semantics 1.4; Q33",
    check=check,
)
