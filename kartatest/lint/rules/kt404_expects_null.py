"""KT404: an expression is expected to give null, which it also gives for a field that is absent."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.facts import matchers
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each expectedResult that is the text null."""
    for _, matcher in matchers(ctx.definition):
        if matcher.expression is not None and matcher.expected == "null":
            yield Finding(
                at=(*matcher.expression.at[:-1], "expectedResult"),
                message="'null' is also what an absent field reads",
                help="write the test into the expression, such as `.status.x == null`, and expect 'true'",
            )


RULE = Rule(
    code="KT404",
    name="expects-null",
    severity=Severity.WARNING,
    summary="An expression is expected to give null, which it also gives for a field that is absent.",
    why="The status holds for every object that does not have the field, a brand-new one too.",
    source="semantics 6.2, Q09",
    check=check,
)
