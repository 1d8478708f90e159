"""KT714: on some frames a count of a gang is nothing that a scheduler takes for one."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.facts import scale_exprs
from kartatest.lint.gangs import scheduled
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.shown import place, seen
from kartatest.source import Json

_MOST = 2**31 - 1


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each count, for the first frame on which it is so."""
    for component in scheduled(ctx):
        for expr in scale_exprs(component):
            found = ((run, value) for run in seen(ctx, expr) for value in run.outcome.outputs)
            wrong = next(((run, word) for run, value in found if (word := _wrong(value))), None)
            if wrong is not None:
                run, word = wrong
                yield Finding(
                    at=expr.at,
                    message=f"the count is {word} on {place(run.frame)}",
                    help="give a whole number: `tonumber` for a text, `floor` or `ceil` for a fraction",
                )


def _wrong(value: Json) -> str:
    """What is wrong with a count, "" when nothing is."""
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and -_MOST <= value <= _MOST):
        return ""
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, str):
        return f"the text {value[:40]!r}"
    if isinstance(value, float) and value.is_integer() and abs(value) <= _MOST:
        return ""
    if isinstance(value, (int, float)):
        return f"{value}, more than 32 bits hold" if abs(value) > _MOST else f"the fraction {value}"
    return "a list" if isinstance(value, list) else "an object"


RULE = Rule(
    code="KT714",
    name="count-not-taken",
    severity=Severity.ERROR,
    summary="On some frames a count of a gang is no whole number of 32 bits.",
    why="Schedulers take no text, fraction or larger number for a count, and refuse every pod of the workload.",
    source="the recordings; semantics 3.4, 13",
    check=check,
)
