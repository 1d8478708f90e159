"""KT322: an instance id may be null."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Use
from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.typing import all_inferred, is_said, path_of


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each instanceIdPath that reads a field which need not be there."""
    from kartatest.infer.lattice import NULL

    for expr, _, inferred in all_inferred(ctx):
        if expr.use is not Use.INSTANCE_ID or is_said(ctx, expr, "KT240", "KT241", "KT242"):
            continue
        value = inferred.value
        if value.may(NULL) and value.type is not None and value.type.base.value != "any":
            yield Finding(
                at=expr.at,
                message=f"{path_of(value)} may be absent, and an instance must have an id",
                help="name a required field, or leave out entries without one in every path of the component",
            )


RULE = Rule(
    code="KT322",
    name="null-id",
    severity=Severity.WARNING,
    summary="An instance id may be null.",
    why="An empty id among the ids is an error, and then the component has no instance at all.",
    source="semantics 4.2; the kind's CRD",
    check=check,
)
