"""KT302: a component has metadataPath and nothing that says where its pod spec is."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each such component, at the path."""
    for component in ctx.definition.components:
        spec = component.spec
        if spec is not None and spec.metadata is not None and not spec.bears_pods:
            yield Finding(
                at=spec.metadata.at,
                message=f"component {component.name!r} has `metadataPath` but no pod spec",
                help="add `podSpecPath`, or remove `metadataPath`",
            )


RULE = Rule(
    code="KT302",
    name="metadata-alone",
    severity=Severity.ERROR,
    summary="A component has metadataPath and nothing that says where its pod spec is.",
    why=("Such a component is not pod-bearing, yet counts as an owner of pods, so pods of other components are lost."),
    source="semantics Q54, Q47",
    of_absence=True,
    check=check,
)
