"""KT113: a definition's name does not follow from its root kind."""

from __future__ import annotations

from collections.abc import Iterator

from kartatest.diagnostics import Severity
from kartatest.lint.rule import Finding, Fix, LintContext, Rule
from kartatest.lint.rules.places import text_at


def check(ctx: LintContext) -> Iterator[Finding]:
    """At most one finding, at metadata.name; none when the root kind is incomplete."""
    definition = ctx.definition
    kind = definition.root.kind
    at = (*definition.at, "metadata", "name")
    if kind is None or not kind.version or not kind.kind or text_at(ctx, at) is None:
        return
    group = kind.group.replace(".", "-") or "core"
    right = f"{group}-{kind.kind}-{kind.version}".lower()
    if definition.name != right:
        yield Finding(
            at=at,
            message=f"the definition of {kind} is named {definition.name!r}, by convention {right!r}",
            help="names are <group with - for .>-<kind>-<version> in lower case, core for the core group",
            fixes=(Fix(at, replace=right, safe=False),),
        )


RULE = Rule(
    code="KT113",
    name="definition-name",
    severity=Severity.WARNING,
    summary="A definition's name does not follow from its root kind.",
    why="Definitions are cluster-wide objects, and the name is how people, fixtures and other definitions of the same "
    "kind avoid to get in each other's way.",
    source="semantics 1.5",
    of_absence=True,
    check=check,
)
