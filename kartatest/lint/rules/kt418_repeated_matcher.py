"""KT418: a status has the same matcher twice."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Matcher
from kartatest.diagnostics import Severity
from kartatest.lint.facts import matchers
from kartatest.lint.matching import asked, same
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each matcher that stands earlier in the same list."""
    earlier: dict[object, list[Matcher]] = {}
    for mapping, matcher in matchers(ctx.definition):
        alike = earlier.setdefault((id(mapping), asked(ctx, matcher)), [])
        repeated = any(same(ctx, other, matcher) for other in alike)
        alike.append(matcher)
        if repeated:
            yield Finding(
                at=matcher.at,
                message=f"{mapping.status.key} has this matcher already",
                help="remove it, or correct what was meant to differ",
            )


RULE = Rule(
    code="KT418",
    name="repeated-matcher",
    severity=Severity.WARNING,
    summary="A status has the same matcher twice.",
    why="The second one never changes anything; something else was meant.",
    source="semantics 6.2",
    check=check,
)
