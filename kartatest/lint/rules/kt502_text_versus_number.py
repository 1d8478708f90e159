"""KT502: a selector compares a field that is a number or a boolean with text."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.jq.shape import path_text
from kartatest.lint.facts import plain
from kartatest.lint.pods import BOOLEAN_FIELDS, NUMBER_FIELDS
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each value beside the plain path of such a field."""
    for component in ctx.definition.components:
        selector = component.selector.type if component.selector is not None else None
        if selector is None or selector.key is None or selector.value is None:
            continue
        path = plain(ctx, selector.key)
        if path in NUMBER_FIELDS or path in BOOLEAN_FIELDS:
            kind = "number" if path in NUMBER_FIELDS else "boolean"
            yield Finding(
                at=(*selector.at, "value"),
                message=f"`{path_text(path)}` is a {kind} and never equals text {selector.value!r}",
                help=f"make text of it: `({selector.key.text.strip()} | tostring)`",
            )


RULE = Rule(
    code="KT502",
    name="text-versus-number",
    severity=Severity.ERROR,
    summary="A selector compares a field that is a number or a boolean with text.",
    why='The value is always compared as text, and 0 is not "0": no pod ever matches.',
    source="semantics 7.1, Q02; Kubernetes core/v1 Pod",
    check=check,
)
