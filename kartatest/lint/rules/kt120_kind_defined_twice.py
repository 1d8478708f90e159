"""KT120: two definitions are for the same kind."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, LintContext, Rule


def check(ctx: LintContext) -> Iterator[Finding]:
    """At most one finding, at the root's kind, for a definition that comes after another of the same kind."""
    kind = ctx.definition.root.kind
    if kind is None or not kind.version or not kind.kind or kind not in ctx.taken:
        return
    other = ctx.taken[kind]
    where = "this file" if other == ctx.definition.file else other
    yield Finding(
        at=(*ctx.definition.root.at, "kind", "kind"),
        message=f"there is a definition of {kind} in {where} already",
        help="keep one of the two; versions of a kind are told apart by the version of the root kind",
    )


RULE = Rule(
    code="KT120",
    name="kind-defined-twice",
    severity=Severity.ERROR,
    summary="Two definitions that are checked together are for the same kind.",
    why="Nothing says which of them counts: a catalog with both is refused, a scheduler that finds both uses neither.",
    source="semantics 1.5 and 13, no usable definition",
    check=check,
)
