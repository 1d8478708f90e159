"""KT602: a component that is listed as a subgroup has no type selector, nor has anything below it."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.facts import subtree
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each such subgroup."""
    gang = ctx.definition.gang
    for sub in gang.pod_group.sub_groups if gang is not None and gang.pod_group is not None else ():
        component = ctx.definition.component(sub.component)
        if component is None:
            continue
        below = subtree(ctx.definition, component)
        if not any(c.selector is not None and c.selector.type is not None for c in below):
            yield Finding(
                at=(*sub.at, "componentName"),
                message=f"no selector says which pods belong to {sub.component!r}",
                help="add `podSelector.componentTypeSelector` to the component, or leave out `subGroups`",
            )


RULE = Rule(
    code="KT602",
    name="subgroup-without-selector",
    severity=Severity.ERROR,
    summary="A component that is listed as a subgroup has no type selector, nor has anything below it.",
    why=("Pods join a subgroup by these selectors; without one the subgroup stays empty and the gang never starts."),
    source="semantics 9.4, Q32",
    of_absence=True,
    check=check,
)
