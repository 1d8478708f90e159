"""KT621: two members of one entry of podGroups put their pods into one group, each with a minimum of its own."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each member whose keys are those of an earlier member for another component."""
    gang = ctx.definition.gang
    if gang is None or gang.pod_group is not None:
        return
    for group in gang.pod_groups:
        seen: dict[tuple[object, ...], str] = {}
        for member in group.members:
            keys = tuple(ctx.trees.get(key.at, key.text) for key in member.group_keys)
            first = seen.setdefault(keys, member.component)
            if first != member.component:
                yield Finding(
                    at=(*member.at, "componentName"),
                    message=f"{member.component!r} and {first!r} share a group, and each counts only its own pods",
                    help="make the component that owns both the one member, or write `podGroup`, which adds them up",
                )


RULE = Rule(
    code="KT621",
    name="shared-minimum",
    severity=Severity.WARNING,
    summary="Two members of an entry of podGroups share a group, each with a minimum of its own.",
    why=(
        "A scheduler writes the minimum of the pod's own member into the group: it changes with each pod, the last one "
        "stays, and the gang may start with the pods of one member alone."
    ),
    source="semantics 13, Q33; KAI Scheduler as of 2026-08",
    check=check,
)
