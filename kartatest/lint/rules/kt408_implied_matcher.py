"""KT408: all that a matcher of another status asks for is also asked for here."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.matching import implies, same, statuses
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each matcher that implies one of another status; equal ones are KT407."""
    for mappings in statuses(ctx):
        for mapping in mappings:
            for matcher in mapping.matchers:
                weaker = next(
                    (
                        other.status
                        for other in mappings
                        if other is not mapping
                        for m in other.matchers
                        if implies(ctx, matcher, m) and not same(ctx, matcher, m)
                    ),
                    None,
                )
                if weaker is not None:
                    yield Finding(
                        at=matcher.at,
                        message=f"whenever this holds, a matcher of {weaker.key} holds, too",
                        help=f"add to the matcher of {weaker.key} what excludes this one",
                    )


RULE = Rule(
    code="KT408",
    name="implied-matcher",
    severity=Severity.WARNING,
    summary="All that a matcher of another status asks for is also asked for here.",
    why="Whenever this matcher holds the other holds, too, and the workload reads both statuses.",
    source="semantics 6.3, Q56",
    check=check,
)
