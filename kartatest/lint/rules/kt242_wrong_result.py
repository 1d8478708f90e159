"""KT242: the result of an expression is of no type that its field takes."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Use
from kartatest.diagnostics import Severity
from kartatest.lint.results import wrong
from kartatest.lint.rule import Finding, LintContext, Rule
from kartatest.lint.typing import all_inferred, is_said


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each expression whose results never fit; those that are null alone are KT240's."""
    for expr, _, inferred in all_inferred(ctx):
        if expr.use in (Use.PHASE, Use.CONDITIONS) and is_said(ctx, expr, "KT416", "KT417"):
            continue
        found = wrong(expr.use, inferred.value)
        if found is not None:
            what, instead = found
            yield Finding(at=expr.at, message=f"gives {what}; {expr.use.value} takes {instead}", help=_HELP[expr.use])


_HELP = {
    **dict.fromkeys(Use, "name the field that holds it"),
    Use.POD_TEMPLATE_SPEC: "name the field with the pod's metadata and spec, or use podSpecPath for a bare pod spec",
    Use.POD_SPEC: "name the field that holds the containers, or use podTemplateSpecPath for a whole template",
    Use.CONTAINERS: "name the list of containers; a single container goes to containerPath",
    Use.CONTAINER: "name one container; a list goes to containersPath",
    Use.REPLICAS: "name a whole number, or make one with `tonumber` or `floor`",
    Use.MIN_REPLICAS: "name a whole number, or make one with `tonumber` or `floor`",
    Use.MAX_REPLICAS: "name a whole number, or make one with `tonumber` or `floor`",
    Use.INSTANCE_ID: "name a field with text, or make text of it with `tostring`",
}


RULE = Rule(
    code="KT242",
    name="wrong-result",
    severity=Severity.ERROR,
    summary="The result of an expression is of no type that its field takes.",
    why="A result of another type is an error, or is read as an empty value, on every object.",
    source="semantics 3.4; the kind's CRD",
    check=check,
)
