"""KT107: the root component has no statusDefinition."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.rules.places import given


def check(ctx: LintContext) -> Iterator[Finding]:
    """At most one finding, at the root's name. One of the wrong type is the loader's to report."""
    root = ctx.definition.root
    if root.status is None and given(ctx, root.at) and not given(ctx, (*root.at, "statusDefinition")):
        yield Finding(
            at=(*root.at, "name"),
            message="the root component has no statusDefinition",
            help="add one that says where the workload's phase or conditions are and which of them mean what",
        )


RULE = Rule(
    code="KT107",
    name="root-without-status",
    severity=Severity.ERROR,
    summary="The root component has no statusDefinition.",
    why="Without it nobody can tell a running workload from a failed one, and consumers refuse the definition.",
    source="semantics 2.3, root",
    of_absence=True,
    check=check,
)
