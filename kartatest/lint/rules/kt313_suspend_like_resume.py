"""KT313: suspending and resuming set a field to the same value."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.actions import value_of
from kartatest.lint.facts import plain
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each resume action whose path the suspend actions leave at the same value."""
    for component in ctx.definition.components:
        if component.suspend is None:
            continue
        left = {plain(ctx, a.path): value_of(a) for a in component.suspend.suspend if plain(ctx, a.path) is not None}
        for action in component.suspend.resume:
            path = plain(ctx, action.path)
            if path in left and (value := value_of(action)) is not None and value == left[path]:
                yield Finding(
                    at=(*action.at, "value"),
                    message=f"resume sets the same value as suspend: {value}",
                    help="write the value that lets the workload run",
                )


RULE = Rule(
    code="KT313",
    name="suspend-like-resume",
    severity=Severity.ERROR,
    summary="Suspending and resuming set a field to the same value.",
    why="One of the two does nothing.",
    source="semantics 5.3",
    check=check,
)
