"""KT213: a path starts without its dot."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.facts import parsed, slips
from kartatest.lint.rule import Finding, Fix, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each of spec, status, metadata, apiVersion and kind that stands as a function."""
    for expr, _ in parsed(ctx):
        for slip in slips(ctx, expr):
            if slip.kind == "missing-dot":
                yield Finding(
                    at=expr.at,
                    within=slip.span,
                    message=f"`{slip.text}` lacks its leading dot",
                    help=f"write `{slip.meant}`",
                    fixes=(Fix(at=expr.at, within=slip.span, replace=slip.meant),),
                )


RULE = Rule(
    code="KT213",
    name="missing-leading-dot",
    severity=Severity.ERROR,
    summary="A path starts without its dot.",
    why="Without the dot `spec` is the call of a function, which does not exist.",
    source="jq manual, object identifier-index",
    check=check,
)
