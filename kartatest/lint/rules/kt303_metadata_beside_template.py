"""KT303: metadataPath stands beside a pod template or fragments, which carry the metadata themselves."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each component with metadataPath and no bare pod spec."""
    for component in ctx.definition.components:
        spec = component.spec
        if spec is None or spec.metadata is None or not spec.bears_pods or spec.pod_spec is not None:
            continue
        other = "podTemplateSpecPath" if spec.pod_template is not None else "fragmentedPodSpecDefinition"
        yield Finding(
            at=spec.metadata.at,
            message=f"`metadataPath` beside `{other}`, which has metadata of its own",
            help="remove `metadataPath`; it belongs to `podSpecPath` only",
        )


RULE = Rule(
    code="KT303",
    name="metadata-beside-template",
    severity=Severity.WARNING,
    summary="metadataPath stands beside a pod template or fragments, which carry the metadata themselves.",
    why=(
        "A template has its own metadata and fragments have labelsPath and annotationsPath; two sources can disagree."
    ),
    source="semantics 1.2 (metadataPath), Q54",
    check=check,
)
