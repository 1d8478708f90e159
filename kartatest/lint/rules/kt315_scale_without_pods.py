"""KT315: a component has a scale but no pods, and neither has anything below it."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.facts import subtree
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each such component, when some other component does bear pods."""
    for component in ctx.definition.components:
        if component.scale is None or not any(c.bears_pods for c in ctx.definition.components):
            continue
        if not any(c.bears_pods for c in subtree(ctx.definition, component)):
            yield Finding(
                at=(*component.at, "scaleDefinition"),
                on_key=True,
                message=f"component {component.name!r} has a scale, but no pods below it",
                help="say where its pods are with `specDefinition`, or remove the scale",
            )


RULE = Rule(
    code="KT315",
    name="scale-without-pods",
    severity=Severity.WARNING,
    summary="A component has a scale but no pods, and neither has anything below it.",
    why="There is nothing that the count could multiply, so it is shown and never used.",
    source="semantics 8.4, 9.3",
    of_absence=True,
    check=check,
)
