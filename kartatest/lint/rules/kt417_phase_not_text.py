"""KT417: the path of phaseDefinition never gives text."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.definition.model import Use
from kartatest.diagnostics import Severity
from kartatest.jq.shape import result_type
from kartatest.lint.facts import parsed
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each path whose results surely are something else."""
    for expr, tree in parsed(ctx, Use.PHASE):
        kind = result_type(tree)
        if kind not in {None, "string", "null"}:
            yield Finding(
                at=expr.at,
                message=f"gives {'an' if kind in {'object', 'array'} else 'a'} {kind}, and a phase is text",
                help="name the field that holds the phase, or make text of it with `tostring`",
            )


RULE = Rule(
    code="KT417",
    name="phase-not-text",
    severity=Severity.ERROR,
    summary="The path of phaseDefinition never gives text.",
    why="A phase is text; any other result is an error, and no status is read.",
    source="semantics 3.4",
    check=check,
)
