"""KT504: matchLabels has a key or a value that no label can have."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.labels import fault_of_key, fault_of_value
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each illegal key, at the key, and each illegal value."""
    for component in ctx.definition.components:
        selector = component.selector.type if component.selector is not None else None
        if selector is None or selector.labels is None:
            continue
        for key, value in selector.labels.items():
            at = (*selector.at, "matchLabels", key)
            if fault := fault_of_key(key):
                yield Finding(at=at, on_key=True, message=f"{key!r} is no label key: {fault}", help="correct the key")
            if fault := fault_of_value(value):
                yield Finding(at=at, message=f"{value!r} is no label value: {fault}", help="correct the value")


RULE = Rule(
    code="KT504",
    name="illegal-label",
    severity=Severity.ERROR,
    summary="matchLabels has a key or a value that no label can have.",
    why="Consumers refuse the definition.",
    source="semantics 2.3; Kubernetes label syntax",
    check=check,
)
