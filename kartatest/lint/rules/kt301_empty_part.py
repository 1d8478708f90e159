"""KT301: scaleDefinition or fragmentedPodSpecDefinition has no path in it."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.source import DocPath


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each part that is present and empty, at its key."""
    for component in ctx.definition.components:
        scale, spec = component.scale, component.spec
        if scale is not None and scale.replicas is None and scale.min_replicas is None and scale.max_replicas is None:
            yield _finding((*component.at, "scaleDefinition"), component.name)
        if spec is not None and spec.fragments is not None and not spec.fragments:
            yield _finding((*spec.at, "fragmentedPodSpecDefinition"), component.name)


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
