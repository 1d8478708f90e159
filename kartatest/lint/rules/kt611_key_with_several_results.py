"""KT611: the key of a group, an instance or a replica can have several values."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Use
from kartatest.diagnostics import Severity
from kartatest.jq.count import count
from kartatest.lint.facts import parsed
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each such key with an unknown number of results."""
    for expr, tree in parsed(ctx, Use.GROUP_KEY, Use.POD_INSTANCE_ID, Use.REPLICA_KEY):
        if count(tree).several:
            yield Finding(
                at=expr.at,
                message="can have several values, and a pod must have exactly one",
                help='take one, such as a label, or join them: `[...] | join("-")`',
            )


RULE = Rule(
    code="KT611",
    name="key-with-several-results",
    severity=Severity.ERROR,
    summary="The key of a group, an instance or a replica can have several values.",
    why="It must have exactly one; several are an error, and the pod belongs to nothing.",
    source="semantics 7.2",
    check=check,
)
