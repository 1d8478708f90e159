"""KT214: a key with a dash, slash or dot in it is written like a plain name."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.facts import parsed, slips
from kartatest.lint.rule import Finding, Fix, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each such key, at the whole path up to it."""
    for expr, _ in parsed(ctx):
        for slip in slips(ctx, expr):
            if slip.kind == "unquoted-key":
                yield Finding(
                    at=expr.at,
                    within=slip.span,
                    message=f"`{slip.text}` is no path: a key with such characters needs quotes",
                    help=f"write `{slip.meant}`",
                    fixes=(Fix(at=expr.at, within=slip.span, replace=slip.meant),),
                )


RULE = Rule(
    code="KT214",
    name="unquoted-key",
    severity=Severity.ERROR,
    summary="A key with a dash, slash or dot in it is written like a plain name.",
    why="`.a-b` subtracts and `.a/b` divides; a key with such characters needs brackets and quotes.",
    source="jq manual, object identifier-index",
    check=check,
)
