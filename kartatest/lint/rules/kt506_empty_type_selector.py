"""KT506: a type selector has neither keyPath nor matchLabels."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.facts import nothing_written
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each such selector without a value, too (that is KT505), at its key."""
    for component in ctx.definition.components:
        selector = component.selector.type if component.selector is not None else None
        if selector is None or selector.key is not None or selector.labels is not None or selector.value is not None:
            continue
        if nothing_written(ctx, selector.at):
            yield Finding(
                at=selector.at,
                on_key=True,
                message=f"the type selector of component {component.name!r} selects by nothing",
                help="add `keyPath` or `matchLabels`",
            )


RULE = Rule(
    code="KT506",
    name="empty-type-selector",
    severity=Severity.ERROR,
    summary="A type selector has neither keyPath nor matchLabels.",
    why="It matches no pod; the API server and consumers refuse the definition.",
    source="semantics 2.1, 2.3, 7.1",
    check=check,
)
