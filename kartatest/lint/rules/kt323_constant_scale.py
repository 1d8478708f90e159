"""KT323: a count is a constant although the schema has a field for it."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Use
from kartatest.diagnostics import Severity
from kartatest.jq.shape import path_text
from kartatest.lint.facts import plain, spec_exprs
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.typing import inferred, named, schema

_TEMPLATES = (Use.POD_TEMPLATE_SPEC, Use.POD_SPEC)
_FIELD = "replicas"


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each constant replicasPath of a component whose pod template has `replicas` beside it."""
    types = schema(ctx)
    for component in ctx.definition.components if types is not None else ():
        expr = component.scale.replicas if component.scale is not None else None
        found = inferred(ctx, expr)
        if types is None or expr is None or found is None or found.reads or len(found.value.consts or ()) != 1:
            continue
        always = next(iter(found.value.consts or ()))
        for spec in spec_exprs(component):
            path = plain(ctx, spec) if spec.use in _TEMPLATES else None
            if not path:
                continue
            count = (*path[:-1], _FIELD)
            if types.at(tuple(0 if step is None else step for step in count)) is not None:
                yield Finding(
                    at=expr.at,
                    message=f"is always {always}, but {named(ctx, expr.root)} has `{path_text(count)}`",
                    help=f"read the field: `{path_text(count).replace('[]', '[]?')}`",
                )
                break


RULE = Rule(
    code="KT323",
    name="constant-scale",
    severity=Severity.WARNING,
    summary="A count is a constant although the schema has a field for it.",
    why=(
        "The workload's own number is not looked at: pods are counted wrong as soon as somebody scales it, and no "
        "edit of the scale can be written."
    ),
    source="semantics 3.4, 5.4; the kind's CRD",
    check=check,
)
