"""KT111: a pod is asked for its instance, but the component has no instances."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.rules.places import given


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each componentInstanceSelector without instanceIdPath, at the selector's key."""
    for component in ctx.definition.components:
        at = (*component.at, "podSelector", "componentInstanceSelector")
        if given(ctx, at) and not given(ctx, (*component.at, "instanceIdPath")):
            yield Finding(
                at=at,
                on_key=True,
                message=f"component {component.name!r} has a componentInstanceSelector but no instanceIdPath",
                help="add instanceIdPath: where the object names the instances, or remove the selector",
            )


RULE = Rule(
    code="KT111",
    name="instance-selector-without-ids",
    severity=Severity.ERROR,
    summary="A component has a componentInstanceSelector but no instanceIdPath.",
    why="The ids of the pods can be compared with nothing; consumers refuse the definition.",
    source="semantics 2.3, per component",
    of_absence=True,
    check=check,
)
