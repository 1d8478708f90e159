"""KT413: a matcher asks for one condition in two ways that exclude each other."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.facts import matchers
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each condition that contradicts an earlier one of the same matcher."""
    for _, matcher in matchers(ctx.definition):
        for i, condition in enumerate(matcher.conditions):
            for earlier in matcher.conditions[:i]:
                if earlier.type != condition.type:
                    continue
                for part, one, other in (
                    ("status", earlier.status, condition.status),
                    ("reason", earlier.reason, condition.reason),
                ):
                    if one and other and one != other:
                        yield Finding(
                            at=(*condition.at, part),
                            message=f"{part} of condition {condition.type!r} must be both {one!r} and {other!r}",
                            help="make two matchers of it: any of them may hold",
                        )


RULE = Rule(
    code="KT413",
    name="contradictory-matcher",
    severity=Severity.ERROR,
    summary="A matcher asks for one condition in two ways that exclude each other.",
    why="There is one condition of a type, so the matcher never holds.",
    source="semantics 6.1, Q10",
    check=check,
)
