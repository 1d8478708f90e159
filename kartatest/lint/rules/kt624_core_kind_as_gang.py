"""KT624: a kind of the core group is scheduled as a gang."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.gangs import scheduled
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.rules.places import given


def check(ctx: LintContext) -> Iterator[Finding]:
    """At most one finding, at the group of the root's kind. Pod is the one kind of the core group that passes."""
    root = ctx.definition.root
    kind, at = root.kind, (*root.at, "kind", "group")
    if kind is None or kind.group or not kind.kind or kind.kind == "Pod" or not given(ctx, at) or not scheduled(ctx):
        return
    yield Finding(
        at=at,
        message=f"schedulers refuse a definition for {kind}: only Pod may be in the core group",
        help="leave out gangScheduling, or describe the kind that owns these objects",
    )


RULE = Rule(
    code="KT624",
    name="core-kind-as-gang",
    severity=Severity.WARNING,
    summary="A kind of the core group is scheduled as a gang.",
    why=(
        "The validator that schedulers link takes an empty group for a missing one, unless the kind is Pod: they use "
        "no such definition, and KAI Scheduler's pod grouper panics on every pod of the workload."
    ),
    source="semantics 13, Q50",
    check=check,
)
