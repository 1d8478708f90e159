"""KT305: a component has many instances, but a path of it always gives one value."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.jq.count import ONE, count
from kartatest.lint.facts import scale_exprs, spec_exprs
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each path that always gives one result while the ids can be many."""
    for component in ctx.definition.components:
        ids = component.instance_ids
        if ids is None or (tree := ctx.trees.get(ids.at)) is None or not count(tree).several:
            continue
        for expr in (*spec_exprs(component), *scale_exprs(component)):
            found = ctx.trees.get(expr.at)
            if found is not None and count(found) == ONE:
                yield Finding(
                    at=expr.at,
                    message=f"gives one value for all instances of component {component.name!r}",
                    help=f"give one value for each id, over the same list as `instanceIdPath`: {ids.text.strip()}",
                )


RULE = Rule(
    code="KT305",
    name="ids-without-iteration",
    severity=Severity.ERROR,
    summary="A component has many instances, but a path of it always gives one value.",
    why="Values and instance ids are paired by position; their numbers must be equal.",
    source="semantics 4.3",
    of_absence=True,
    check=check,
)
