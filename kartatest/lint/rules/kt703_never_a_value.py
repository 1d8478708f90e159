"""KT703: an expression gives null or nothing on every frame of every recording."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Root, Use
from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.shown import gives_nothing, seen, times

_USES = {
    Use.POD_TEMPLATE_SPEC,
    Use.POD_SPEC,
    Use.CONTAINERS,
    Use.CONTAINER,
    Use.REPLICAS,
    Use.INSTANCE_ID,
    Use.PHASE,
    Use.CONDITIONS,
    Use.MATCHER,
    Use.TYPE_KEY,
    Use.POD_INSTANCE_ID,
    Use.REPLICA_KEY,
    Use.GROUP_KEY,
}


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each expression that must give something and never does; optional parts are let be."""
    for expr in ctx.expressions:
        runs = seen(ctx, expr) if expr.use in _USES and expr.at in ctx.trees else []
        if runs and all(gives_nothing(run.outcome) for run in runs):
            on = "pod" if expr.root is Root.POD else "frame"
            yield Finding(
                at=expr.at,
                message=f"never gives a value: null or nothing on {times(len(runs), on)}",
                help="compare the path with an object: `karta eval EXPR -f FILE`",
            )


RULE = Rule(
    code="KT703",
    name="never-a-value",
    severity=Severity.ERROR,
    summary="An expression gives null or nothing on every frame of every recording.",
    why="A path that leads nowhere is no error: the part is silently read as empty.",
    source="the recordings; semantics 3.3, Q14",
    check=check,
)
