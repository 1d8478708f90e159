"""KT618: a component that is scheduled as a gang selects its pods by matchLabels."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.gangs import scheduled
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each matchLabels of a component in a pod group, at its key."""
    for component in scheduled(ctx):
        selector = component.selector.type if component.selector is not None else None
        if selector is not None and selector.labels:
            yield Finding(
                at=(*selector.at, "matchLabels"),
                on_key=True,
                message="schedulers do not know `matchLabels` yet",
                help="write `keyPath` and `value` for a definition with gang scheduling",
            )


RULE = Rule(
    code="KT618",
    name="labels-unknown-to-scheduler",
    severity=Severity.WARNING,
    summary="A component that is scheduled as a gang selects its pods by matchLabels.",
    why=(
        "Schedulers of 2026 do not know matchLabels yet: they refuse the definition, or fail on every pod of "
        "the workload."
    ),
    source="semantics 13 (KAI Scheduler of 2026-08-07)",
    check=check,
)
