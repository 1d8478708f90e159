"""KT118: a kind is both a component's and in additionalChildKinds."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, Fix, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """One finding for each additional kind that a component stands for already, in any version."""
    for ref in ctx.definition.additional_kinds:
        same = [
            c.name
            for c in ctx.definition.components
            if c.kind and c.kind.kind and (c.kind.group, c.kind.kind) == (ref.gvk.group, ref.gvk.kind)
        ]
        if same:
            yield Finding(
                at=ref.at,
                message=f"{str(ref.gvk)!r} is the kind of component {same[0]!r} already",
                help="remove it here; additionalChildKinds is for kinds that no component stands for",
                fixes=(Fix(ref.at, remove=True),),
            )


RULE = Rule(
    code="KT118",
    name="kind-listed-twice",
    severity=Severity.WARNING,
    summary="additionalChildKinds repeats the kind of a component.",
    why="The entry adds nothing today, and the two can come to differ when one of them is changed.",
    source="Q55",
    check=check,
)
