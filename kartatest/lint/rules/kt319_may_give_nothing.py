"""KT319: a path of a component with one instance may give nothing."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.jq.count import count
from kartatest.lint.facts import called, scale_exprs, spec_exprs
from kartatest.lint.rule import Finding, LintContext, Rule

_DROPPING = {"select", "empty", "values", "scalars", "objects", "arrays", "strings", "numbers"}


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each pod or scale path that a `select` or `empty` can leave without a result; many are KT304."""
    for component in ctx.definition.components:
        if component.instance_ids is not None:
            continue
        for expr in (*spec_exprs(component), *scale_exprs(component)):
            tree = ctx.trees.get(expr.at)
            if tree is None or count(tree).low or count(tree).several:
                continue
            call = next((call for call in called(ctx, expr) if call.name in _DROPPING), None)
            if call is not None:
                yield Finding(
                    at=expr.at,
                    within=call.span,
                    message=f"`{call.name}` may leave nothing, and component {component.name!r} needs one value",
                    help="give null instead: `if ... then . else null end`",
                )


RULE = Rule(
    code="KT319",
    name="may-give-nothing",
    severity=Severity.WARNING,
    summary="A path of a component with one instance may give nothing.",
    why=("A component without instance ids needs exactly one value; with none the component cannot be read."),
    source="semantics 3.5, 4.3",
    check=check,
)
