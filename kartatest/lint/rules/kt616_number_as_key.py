"""KT616: the key of a group, an instance or a replica is a number."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Use
from kartatest.diagnostics import Severity
from kartatest.jq.shape import path_text, result_type
from kartatest.lint.facts import parsed, plain
from kartatest.lint.pods import NUMBER_FIELDS
from kartatest.lint.rule import Finding, Fix, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each key that is a numeric field of the pod, or surely gives numbers."""
    for expr, tree in parsed(ctx, Use.GROUP_KEY, Use.POD_INSTANCE_ID, Use.REPLICA_KEY):
        path = plain(ctx, expr)
        if path in NUMBER_FIELDS or result_type(tree) == "number":
            what = f"`{path_text(path)}` is a number" if path else "gives a number"
            yield Finding(
                at=expr.at,
                message=f"{what}, and large ones print as 1e+06",
                help="make text of it: `... | tostring`",
                fixes=(Fix(at=expr.at, replace=f"{expr.text.strip()} | tostring", safe=False),),
            )


RULE = Rule(
    code="KT616",
    name="number-as-key",
    severity=Severity.WARNING,
    summary="The key of a group, an instance or a replica is a number.",
    why=(
        "Consumers print numbers from 1,000,000 on as 1e+06, which is no legal part of a name and equals no "
        "instance id."
    ),
    source="semantics 7.2, 13, Q19",
    check=check,
)
