"""KT507: a selector looks at the kind or apiVersion of a pod."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Use
from kartatest.diagnostics import Severity
from kartatest.lint.facts import parsed, plain
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each key of a selector or group that is .kind or .apiVersion."""
    for expr, _ in parsed(ctx, Use.TYPE_KEY, Use.POD_INSTANCE_ID, Use.REPLICA_KEY, Use.GROUP_KEY):
        path = plain(ctx, expr)
        if path in {("kind",), ("apiVersion",)}:
            yield Finding(
                at=expr.at,
                message=f"`.{path[0]}` is the same for every pod",
                help="use a label that the controller puts on these pods alone",
            )


RULE = Rule(
    code="KT507",
    name="selects-by-kind",
    severity=Severity.WARNING,
    summary="A selector looks at the kind or apiVersion of a pod.",
    why="They are the same for every pod, and some consumers do not see them at all.",
    source="semantics Q48, 13",
    check=check,
)
