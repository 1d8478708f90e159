"""KT623: podGroups leaves a component with pods out."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.facts import owners
from kartatest.lint.gangs import listed
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each component with pods that no entry names, nor anything above it. podGroup takes all pods."""
    gang = ctx.definition.gang
    if gang is None or gang.pod_group is not None or not gang.pod_groups:
        return
    names = {name for _, name in listed(gang)}
    if not any(ctx.definition.component(name) for name in names):
        return  # KT601
    for component in ctx.definition.components:
        above = {component.name, *(owner.name for owner in owners(ctx.definition, component))}
        if component.bears_pods and not names & above:
            yield Finding(
                at=(*component.at, "name"),
                message=f"no entry of podGroups names {component.name!r}, so its pods are refused",
                help="add it to `members`, or say in a comment that its pods have another scheduler",
            )


RULE = Rule(
    code="KT623",
    name="ungrouped-pods",
    severity=Severity.WARNING,
    summary="podGroups leaves a component with pods out.",
    why=(
        "A scheduler looks for the entry of every pod that asks for it, and refuses one that has none. Pods that ask "
        "for another scheduler are left alone."
    ),
    source="semantics 9.2, 9.4, 13",
    of_absence=True,
    check=check,
)
