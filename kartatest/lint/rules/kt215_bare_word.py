"""KT215: an expression is a bare word."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Use
from kartatest.diagnostics import Severity
from kartatest.lint.facts import parsed, slips
from kartatest.lint.rule import Finding, Fix, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each expression that is one unknown word, dashes included; a group key can be quoted."""
    for expr, _ in parsed(ctx):
        for slip in slips(ctx, expr):
            if slip.kind == "bare-word":
                key = expr.use is Use.GROUP_KEY
                yield Finding(
                    at=expr.at,
                    within=slip.span,
                    message=f"`{slip.text}` is a bare word, which calls a function that does not exist",
                    help=f"for the text write `{slip.meant}`" if key else "write a path, such as `.spec.replicas`",
                    fixes=(Fix(at=expr.at, within=slip.span, replace=slip.meant, safe=False),) if key else (),
                )


RULE = Rule(
    code="KT215",
    name="bare-word",
    severity=Severity.ERROR,
    summary="An expression is a bare word.",
    why="A word without dot and quotes calls a function, which does not exist.",
    source="jq manual, basic filters",
    check=check,
)
