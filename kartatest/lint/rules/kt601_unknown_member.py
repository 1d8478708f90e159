"""KT601: a pod group names a component that does not exist."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule, did_you_mean
from kartatest.lint.rules.places import value_at
from kartatest.source import DocPath


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each componentName, of both shapes, that no component has."""
    gang = ctx.definition.gang
    if gang is None:
        return
    named: list[tuple[DocPath, str]] = []
    if gang.pod_group is not None:
        named += [((*sub.at, "componentName"), sub.component) for sub in gang.pod_group.sub_groups]
    named += [((*m.at, "componentName"), m.component) for group in gang.pod_groups for m in group.members]
    names = [component.name for component in ctx.definition.components]
    for at, name in named:
        if name not in names and value_at(ctx, at) == name:  # an absent name is KT012
            yield Finding(
                at=at,
                message=f"there is no component {name!r}",
                help=did_you_mean(name, names),
            )


RULE = Rule(
    code="KT601",
    name="unknown-member",
    severity=Severity.ERROR,
    summary="A pod group names a component that does not exist.",
    why="The scheduler fails on the first pod of the workload.",
    source="semantics 2.4, Q32",
    of_absence=True,
    check=check,
)
