"""KT505: a type selector has a value but no keyPath to compare with it."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each value without a keyPath beside it."""
    for component in ctx.definition.components:
        selector = component.selector.type if component.selector is not None else None
        if selector is not None and selector.value is not None and selector.key is None:
            yield Finding(
                at=(*selector.at, "value"),
                message=f"value {selector.value!r} has no `keyPath` to be compared with",
                help="add `keyPath`, or use `matchLabels`",
            )


RULE = Rule(
    code="KT505",
    name="value-without-key",
    severity=Severity.ERROR,
    summary="A type selector has a value but no keyPath to compare with it.",
    why="The API server and consumers refuse the definition.",
    source="semantics 2.1, 2.3",
    of_absence=True,
    check=check,
)
