"""KT314: suspending sets a field that resuming does not set back."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.facts import plain
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each plain suspend path that no resume action has."""
    for component in ctx.definition.components:
        if component.suspend is None or not component.suspend.resume:
            continue
        paths = [plain(ctx, action.path) for action in component.suspend.resume]
        if None in paths:
            continue
        for action in component.suspend.suspend:
            path = plain(ctx, action.path)
            if action.path is not None and path is not None and path not in paths:
                yield Finding(
                    at=action.path.at,
                    message="suspend sets this field, and no resume action sets it back",
                    help="add a resume action for the same path",
                )


RULE = Rule(
    code="KT314",
    name="resume-misses-field",
    severity=Severity.WARNING,
    summary="Suspending sets a field that resuming does not set back.",
    why="After a resume the field keeps the value that stopped the workload.",
    source="semantics 5.3",
    check=check,
)
