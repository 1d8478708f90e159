"""KT205: an expression looks at something other than its object: environment, clock, other inputs, modules."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.facts import forbidden
from kartatest.lint.rule import Finding, LintContext, Rule

_KINDS = ("environment", "clock", "input", "debug", "halt", "module")


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each way out of the object."""
    for expr, violation in forbidden(ctx, *_KINDS):
        yield Finding(at=expr.at, within=violation.span, message=violation.message, help=violation.help)


RULE = Rule(
    code="KT205",
    name="reads-outside",
    severity=Severity.ERROR,
    summary=("An expression looks at something other than its object: environment, clock, other inputs, modules."),
    why=("What it reads is empty or an error for consumers, and makes the same object read differently elsewhere."),
    source="semantics 3.1, Q36; gojq 0.12.19",
    check=check,
)
