"""KT105: the root component has an ownerRef."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, Fix, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """At most one finding, at the key; an empty ownerRef counts too."""
    root = ctx.definition.root
    if root.owner is not None:
        at = (*root.at, "ownerRef")
        yield Finding(
            at=at,
            on_key=True,
            message="the root component cannot have an owner",
            help="remove ownerRef; only child components have one",
            fixes=(Fix(at, remove=True),),
        )


RULE = Rule(
    code="KT105",
    name="root-with-owner",
    severity=Severity.ERROR,
    summary="The root component has an ownerRef.",
    why="The root is the workload itself; everything else hangs off it. Consumers refuse the definition, even when the "
    "ownerRef is empty.",
    source="semantics 2.3, root; Q43",
    check=check,
)
