"""KT407: two statuses have the same matcher."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.matching import same, statuses
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each matcher that an earlier status, in the order of the file, has already."""
    for mappings in statuses(ctx):
        for i, mapping in enumerate(mappings):
            for matcher in mapping.matchers:
                earlier = next((m for m in mappings[:i] for other in m.matchers if same(ctx, other, matcher)), None)
                if earlier is not None:
                    yield Finding(
                        at=matcher.at,
                        message=f"the same matcher as in {earlier.status.key}: such an object reads both",
                        help="add what tells the two apart",
                    )


RULE = Rule(
    code="KT407",
    name="same-matcher",
    severity=Severity.ERROR,
    summary="Two statuses have the same matcher.",
    why="Whenever one holds the other holds, too, and the workload reads both.",
    source="semantics 6.3, Q56",
    check=check,
)
