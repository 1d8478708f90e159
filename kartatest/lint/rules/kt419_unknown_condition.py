"""KT419: a matcher asks for a condition that the kind's controller does not write."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.conditions import CONDITION_TYPES
from kartatest.lint.rule import Finding, LintContext, Rule, did_you_mean


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each type outside the list of a kind that we know; other kinds pass."""
    root = ctx.definition.root
    known = CONDITION_TYPES.get((root.kind.group, root.kind.kind)) if root.kind is not None else None
    if known is None or root.kind is None or root.status is None or root.status.conditions is None:
        return
    for mapping in root.status.mappings:
        for condition in (c for matcher in mapping.matchers for c in matcher.conditions):
            if condition.type and condition.type not in known:
                yield Finding(
                    at=(*condition.at, "type"),
                    message=f"{root.kind.kind} has no condition {condition.type!r}",
                    help=did_you_mean(condition.type, known) or "match by a field of the status: `byExpression`",
                )


RULE = Rule(
    code="KT419",
    name="unknown-condition",
    severity=Severity.WARNING,
    summary="A matcher asks for a condition that the kind's controller does not write.",
    why="The matcher never holds.",
    source=(
        "Kubernetes 1.35, JobSet v0.12.0, training operator v1.9.4, MPI operator v0.8.0 and LeaderWorkerSet "
        "v0.10.0: API types and controllers"
    ),
    check=check,
)
