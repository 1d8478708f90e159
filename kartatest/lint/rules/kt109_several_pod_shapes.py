"""KT109: a component says in more than one way where its pod spec is."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule

_SHAPES = ("podTemplateSpecPath", "podSpecPath", "fragmentedPodSpecDefinition")


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each component with several shapes, at the key of the last of them."""
    for component in ctx.definition.components:
        spec = component.spec
        if spec is None:
            continue
        present = (spec.pod_template is not None, spec.pod_spec is not None, spec.fragments is not None)
        shapes = [shape for shape, there in zip(_SHAPES, present, strict=True) if there]
        if len(shapes) > 1:
            yield Finding(
                at=(*spec.at, shapes[-1]),
                on_key=True,
                message=f"component {component.name!r} has several pod spec definitions: {', '.join(shapes)}",
                help="keep the one that fits the object: a whole template, a bare pod spec, or scattered fields",
            )


RULE = Rule(
    code="KT109",
    name="several-pod-shapes",
    severity=Severity.ERROR,
    summary="A component has more than one of podTemplateSpecPath, podSpecPath and fragmentedPodSpecDefinition.",
    why="Each of them says where the whole pod spec is, so only one can be right; consumers refuse the definition. "
    "An empty one counts.",
    source="semantics 2.3, per component; Q43",
    check=check,
)
