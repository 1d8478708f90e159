"""KT312: an action writes to every element of a list or map."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.actions import actions
from kartatest.lint.facts import plain
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each action whose plain path iterates."""
    for component in ctx.definition.components:
        for _, action in actions(component):
            path = plain(ctx, action.path)
            if action.path is not None and path is not None and None in path:
                yield Finding(
                    at=action.path.at,
                    message="writes to every element, also to those that were set on purpose",
                    help="use a field that stops the whole workload, when there is one",
                )


RULE = Rule(
    code="KT312",
    name="action-iterates",
    severity=Severity.WARNING,
    summary="An action writes to every element of a list or map.",
    why=(
        "It also changes the elements that were already in that state for a reason of their own, and undoing "
        "it changes them back."
    ),
    source="semantics Q52",
    check=check,
)
