"""KT301: scaleDefinition or fragmentedPodSpecDefinition has no path in it."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.facts import nothing_written
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.source import DocPath


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each part that is present and empty, at its key."""
    for component in ctx.definition.components:
        scale, spec = component.scale, component.spec
        empty = scale is not None and not (scale.replicas or scale.min_replicas or scale.max_replicas)
        if empty and nothing_written(ctx, (*component.at, "scaleDefinition")):
            yield _finding((*component.at, "scaleDefinition"), component.name)
        if spec is not None and spec.fragments is not None and not spec.fragments:
            at = (*spec.at, "fragmentedPodSpecDefinition")
            if nothing_written(ctx, at):
                yield _finding(at, component.name)


def _finding(at: DocPath, name: str) -> Finding:
    return Finding(
        at=at,
        on_key=True,
        message=f"`{at[-1]}` of component {name!r} has no paths, so reading the component fails",
        help="add a path, or remove it",
    )


RULE = Rule(
    code="KT301",
    name="empty-part",
    severity=Severity.ERROR,
    summary="scaleDefinition or fragmentedPodSpecDefinition has no path in it.",
    why=(
        "It counts as given but yields no values, so the component's instances cannot be counted and reading it fails."
    ),
    source="semantics 4.4, Q15",
    check=check,
)
