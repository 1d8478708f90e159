"""KT420: initializing asks for a condition that is False, where a new object has no such condition yet."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Status
from kartatest.diagnostics import Severity
from kartatest.lint.conditions import WRITTEN_LATE
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each such condition in the matchers of initializing; kinds that we do not know pass."""
    root = ctx.definition.root
    if root.kind is None or root.status is None:
        return
    late = WRITTEN_LATE.get((root.kind.group, root.kind.kind), frozenset())
    for mapping in root.status.mappings:
        if mapping.status is not Status.INITIALIZING:
            continue
        for condition in (c for matcher in mapping.matchers for c in matcher.conditions):
            if condition.status == "False" and not condition.reason and condition.type in late:
                yield Finding(
                    at=(*condition.at, "status"),
                    message=f"condition {condition.type!r} is absent at first, and absent is not False",
                    help=(
                        "use an expression for absent or False: "
                        f'`all(.status.conditions[]?; .type != "{condition.type}" or .status != "True")`'
                    ),
                )


RULE = Rule(
    code="KT420",
    name="absent-is-not-false",
    severity=Severity.WARNING,
    summary="Initializing asks for a condition that is False, where a new object has no such condition yet.",
    why=(
        "A condition that is absent matches nothing, not even the status False: until the controller writes "
        "it the workload reads Undefined."
    ),
    source=(
        "semantics 6.2; Kubernetes 1.35, JobSet v0.12.0, training operator v1.9.4, MPI operator v0.8.0, "
        "LeaderWorkerSet v0.10.0: controllers"
    ),
    check=check,
)
