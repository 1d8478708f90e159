"""KT408: all that a matcher of another status asks for is also asked for here."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from kartatest.definition.model import Matcher, StatusMapping
from kartatest.diagnostics import Severity
from kartatest.lint.matching import asked, implies, same, statuses
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each matcher that implies one of another status; equal ones are KT407."""
    for mappings in statuses(ctx):
        by_part = [_by_part(ctx, mapping) for mapping in mappings]
        for mapping in mappings:
            for matcher in mapping.matchers:
                parts = asked(ctx, matcher)
                weaker = next(
                    (
                        other.status
                        for other, found in zip(mappings, by_part, strict=True)
                        if other is not mapping
                        for part in parts
                        for m in found.get(part, ())
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


def _by_part(ctx: LintContext, mapping: StatusMapping) -> dict[object, list[Matcher]]:
    """The matchers by one thing that each asks for: those that a matcher implies are found under one of its own."""
    found: dict[object, list[Matcher]] = {}
    for matcher in mapping.matchers:
        for part in islice(asked(ctx, matcher), 1):
            found.setdefault(part, []).append(matcher)
    return found


RULE = Rule(
    code="KT408",
    name="implied-matcher",
    severity=Severity.WARNING,
    summary="All that a matcher of another status asks for is also asked for here.",
    why="Whenever this matcher holds the other holds, too, and the workload reads both statuses.",
    source="semantics 6.3, Q56",
    check=check,
)
