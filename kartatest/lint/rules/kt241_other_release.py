"""KT241: an expression reads a field that only other releases of the operator have."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Root
from kartatest.diagnostics import Severity
from kartatest.jq.shape import path_text
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.typing import all_inferred, named, others, schema
from kartatest.lint.versions import found_in


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each step to a field that the release has not, and another one has."""
    for expr, _, inferred in all_inferred(ctx):
        if expr.root is not Root.WORKLOAD:
            continue
        for missing in inferred.missing:
            having = found_in(ctx, missing)
            if not having or missing.holder.origin is None:
                continue
            yield Finding(
                at=expr.at,
                within=missing.span,
                message=(
                    f"{named(ctx, expr.root)} has no `{path_text((*missing.holder.origin, missing.name))}`; "
                    f"{_when(ctx, having)}"
                ),
                help="read what takes its place in this release, or silence this with the releases that it is for",
            )


def _when(ctx: LintContext, having: tuple[str, ...]) -> str:
    """Since or until which release it is there."""
    types = schema(ctx)
    known = [other.tag for other in others(ctx)]
    if types is None or not known:
        return f"{', '.join(having)} has it"
    from kartatest.schema import order

    here = order.key(types.tag)
    if all(order.key(tag) > here for tag in having):
        return f"it is there since {having[0]}"
    if all(order.key(tag) < here for tag in having):
        return f"it was there until {having[-1]}"
    return f"only {', '.join(having)} have it"


RULE = Rule(
    code="KT241",
    name="other-release",
    severity=Severity.WARNING,
    summary="An expression reads a field that only other releases of the operator have.",
    why="On objects of this release the field is null, and the definition reads less than it seems to.",
    source="the kind's CRDs, release by release",
    check=check,
)
