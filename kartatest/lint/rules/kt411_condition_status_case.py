"""KT411: the status of a condition is True, False or Unknown in the wrong case."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.facts import matchers
from kartatest.lint.rule import Finding, Fix, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each status that differs from a known one in case or blanks alone."""
    for _, matcher in matchers(ctx.definition):
        for condition in matcher.conditions:
            status = condition.status or ""
            meant = status.strip().capitalize()
            if meant in {"True", "False", "Unknown"} and status != meant:
                at = (*condition.at, "status")
                yield Finding(
                    at=at,
                    message=f"status {status!r} never matches: conditions say {meant!r}",
                    help=f"did you mean '{meant}'?",
                    fixes=(Fix(at=at, replace=meant),),
                )


RULE = Rule(
    code="KT411",
    name="condition-status-case",
    severity=Severity.ERROR,
    summary="The status of a condition is True, False or Unknown in the wrong case.",
    why="Statuses are compared letter by letter, so the matcher never holds.",
    source="semantics 6.2; Kubernetes metav1.ConditionStatus",
    check=check,
)
