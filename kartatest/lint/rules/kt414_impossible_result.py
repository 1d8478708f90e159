"""KT414: an expression never gives the result that is expected of it."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.jq.shape import possible_texts
from kartatest.lint.facts import matchers
from kartatest.lint.rule import Finding, Fix, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each expectedResult outside the texts that the expression can give."""
    for _, matcher in matchers(ctx.definition):
        expr, expected = matcher.expression, matcher.expected
        if expr is None or expected is None or (tree := ctx.trees.get(expr.at)) is None:
            continue
        texts = possible_texts(tree)
        if texts is None or expected in texts:
            continue
        near = next((text for text in sorted(texts) if text.lower() == expected.strip().lower()), None)
        at = (*expr.at[:-1], "expectedResult")
        yield Finding(
            at=at,
            message=f"the expression never gives {expected!r}, only {' or '.join(map(repr, sorted(texts)))}",
            help=f"did you mean '{near}'?" if near else "expect one of these, as text",
            fixes=(Fix(at=at, replace=near),) if near else (),
        )


RULE = Rule(
    code="KT414",
    name="impossible-result",
    severity=Severity.ERROR,
    summary="An expression never gives the result that is expected of it.",
    why="The result is compared as text, letter by letter, so the matcher never holds.",
    source="semantics 6.2 (stringification)",
    of_absence=True,
    check=check,
)
