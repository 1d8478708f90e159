"""KT310: resuming sets a replica count to a constant."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.actions import actions
from kartatest.lint.facts import plain, scale_exprs
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each resume action whose path is the plain scale path of a component."""
    scales = {
        path for component in ctx.definition.components for e in scale_exprs(component) if (path := plain(ctx, e))
    }
    for component in ctx.definition.components:
        for kind, action in actions(component):
            if kind == "resume" and action.path is not None and plain(ctx, action.path) in scales:
                yield Finding(
                    at=(*action.at, "value"),
                    message=f"resume sets the replicas to {action.value}, whatever they were before",
                    help="suspend through a field made for it, or leave suspending to the one who knows the count",
                )


RULE = Rule(
    code="KT310",
    name="resume-sets-scale",
    severity=Severity.WARNING,
    summary="Resuming sets a replica count to a constant.",
    why=("Resume does not restore what was there before: whatever count the workload had is replaced by this one."),
    source="semantics 5.3, Q52",
    check=check,
)
