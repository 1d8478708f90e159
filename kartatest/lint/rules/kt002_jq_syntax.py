"""KT002: an expression is no jq program."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each expression that the jq parser refuses, at the place where it gave up."""
    for at, error in ctx.syntax_errors.items():
        yield Finding(at=at, message=f"not a jq expression: {error.message}", help=error.help, within=error.span)


RULE = Rule(
    code="KT002",
    name="jq-syntax",
    severity=Severity.ERROR,
    summary="An expression is not a jq program.",
    why="Consumers refuse a definition as a whole when one expression does not parse: no workload of its kind is read.",
    source="semantics 2.5; the grammar is that of gojq 0.12.19",
    check=check,
)
