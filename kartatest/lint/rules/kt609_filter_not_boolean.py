"""KT609: a filter is not a yes or no."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Use
from kartatest.diagnostics import Severity
from kartatest.jq.shape import plain_path, result_type
from kartatest.lint.facts import parsed
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each filter that is a bare path, or whose results surely are no booleans."""
    for expr, tree in parsed(ctx, Use.FILTER):
        kind = result_type(tree)
        if plain_path(tree) is not None:
            yield Finding(
                at=expr.at,
                message="gives a value, or null on a pod without it, which is an error",
                help='ask a question of it: `... != null`, `... == "x"`, `has("x")`',
            )
        elif kind not in {None, "boolean"}:
            yield Finding(
                at=expr.at,
                message=f"gives {'null' if kind == 'null' else f'a {kind}'}, which never passes",
                help='ask a question that true answers, such as `... == "x"`',
            )


RULE = Rule(
    code="KT609",
    name="filter-not-boolean",
    severity=Severity.ERROR,
    summary="A filter is not a yes or no.",
    why=(
        "Only true passes a filter; text and numbers do not, and null is an error that leaves the pod without a group."
    ),
    source="semantics 7.2, Q31, 13",
    check=check,
)
