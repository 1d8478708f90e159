"""KT503: a selector asks whether a boolean field is there."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.jq.shape import path_text
from kartatest.lint.facts import plain
from kartatest.lint.pods import BOOLEAN_FIELDS
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each key without value that is the plain path of a boolean."""
    for component in ctx.definition.components:
        selector = component.selector.type if component.selector is not None else None
        if selector is None or selector.key is None or selector.value is not None:
            continue
        path = plain(ctx, selector.key)
        if path in BOOLEAN_FIELDS:
            yield Finding(
                at=selector.key.at,
                message=f"matches pods whose `{path_text(path)}` is false, too",
                help=f"select what is true: `{selector.key.text.strip()} | select(.)`",
            )


RULE = Rule(
    code="KT503",
    name="existence-of-boolean",
    severity=Severity.WARNING,
    summary="A selector asks whether a boolean field is there.",
    why="false is there, too, so the selector also takes the pods that say no.",
    source="semantics 7.1, Q03; Kubernetes core/v1 Pod",
    check=check,
)
