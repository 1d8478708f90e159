"""KT106: the root component does not say of which kind the workload is."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.rules.places import given


def check(ctx: LintContext) -> Iterator[Finding]:
    """A finding for a missing kind, or for each part of it that is empty. An empty group is the core group (Q50)."""
    root = ctx.definition.root
    at = (*root.at, "kind")
    if root.kind is None:
        if given(ctx, root.at) and not given(ctx, at):
            yield Finding(
                at=(*root.at, "name"),
                message="the root component has no kind",
                help="add kind with the group, version and kind of the workload",
            )
        return
    for part, value in (("version", root.kind.version), ("kind", root.kind.kind)):
        if not value and given(ctx, (*at, part)):  # an absent key is the loader's to report
            yield Finding(
                at=(*at, part),
                message=f"the {part} of the root component's kind is empty",
                help="give group, version and kind as the workload's apiVersion and kind have them",
            )


RULE = Rule(
    code="KT106",
    name="incomplete-root-kind",
    severity=Severity.ERROR,
    summary="The root component has no kind, or an empty part in it.",
    why="A definition is found by the kind of its root. Without one it fits no object, and consumers refuse it.",
    source="semantics 2.3, root; Q50 for the core group",
    of_absence=True,
    check=check,
)
